import { createSocket } from "node:dgram";

/** A record that the server returns. */
export type DnsRecord =
  | { type: "SRV"; priority: number; weight: number; port: number; target: string }
  | { type: "MX"; preference: number; exchange: string };

export interface DnsServer {
  /** "127.0.0.1:PORT" */
  address: string;
  /** Names in lower case → their records; all other names do not exist. */
  records: Record<string, DnsRecord[]>;
  /** Names that were queried. */
  asked: string[];
  /** Stops answering. */
  silent: boolean;
  stop(): Promise<void>;
}

const TYPES = { 15: "MX", 33: "SRV" } as const;
const CODES = { MX: 15, SRV: 33 } as const;

/** A DNS server (RFC 1035) on loopback with a few names. */
export async function startDns(records: DnsServer["records"] = {}): Promise<DnsServer> {
  const socket = createSocket("udp4");
  const server: DnsServer = {
    address: "",
    records,
    asked: [],
    silent: false,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
  socket.on("error", () => {});
  socket.on("message", (query, from) => {
    if (server.silent) return;
    const { name, type, end } = readQuestion(query);
    server.asked.push(name);
    const found = (server.records[name] ?? []).filter((record) => record.type === TYPES[type as 15 | 33]);
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    head.writeUInt16BE(found.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found.length, 6);
    const answer = Buffer.concat([head, query.subarray(12, end), ...found.map(encodeRecord)]);
    // The client may have disconnected.
    socket.send(answer, from.port, from.address, () => {});
  });
  await new Promise<void>((resolve) => socket.bind(0, "127.0.0.1", resolve));
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function encodeRecord(record: DnsRecord): Buffer {
  const data =
    record.type === "SRV"
      ? Buffer.concat([uint16(record.priority), uint16(record.weight), uint16(record.port), encodeName(record.target)])
      : Buffer.concat([uint16(record.preference), encodeName(record.exchange)]);
  const ttl = Buffer.from([0, 0, 0, 60]);
  // The name is the question's, 12 bytes into the message.
  return Buffer.concat([
    Buffer.from([0xc0, 12]),
    uint16(CODES[record.type]),
    uint16(1),
    ttl,
    uint16(data.length),
    data,
  ]);
}

function encodeName(name: string): Buffer {
  const labels = name.split(".").filter((label) => label !== "");
  return Buffer.concat([
    ...labels.map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)])),
    Buffer.from([0]),
  ]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
