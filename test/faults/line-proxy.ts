import { connect, createServer, type Socket } from "node:net";
import { between, pick, shuffled } from "./campaign.ts";

/** What happens to one answer of the server. */
export const LINE_FAULTS = ["cut", "cut_midway", "delay", "silence", "drip", "reorder", "garbage", "double"] as const;
export type LineFault = (typeof LINE_FAULTS)[number];

export type Protocol = "imap" | "smtp";

/** A proxy that knows where in the dialogue it is, and spoils the answer that it is told to. */
export interface LineProxy {
  port: number;
  /** Steps that were seen so far: "greeting", then the client's commands; "tls" stands for all that cannot be read. */
  readonly seen: ReadonlySet<string>;
  /** Answers spoiled so far. */
  readonly spoiled: number;
  /** Connections taken so far. */
  readonly connections: number;
  /** Spoils the next answer to this step. */
  arm(step: string, fault: LineFault): void;
  disarm(): void;
  /** Cuts every connection now. */
  cut(): void;
  close(): Promise<void>;
}

const DELAY_MS = 250;
const DRIP_MS = 3;
const DRIPPED_BYTES = 120;
/** An answer whose end does not show is taken as complete when nothing more comes for so long. */
const QUIET_MS = 20;

export async function startLineProxy(
  target_port: number,
  protocol: Protocol,
  random: () => number,
): Promise<LineProxy> {
  const open = new Set<Dialogue>();
  const state: ProxyState = { armed: null, seen: new Set(), spoiled: 0, connections: 0 };
  const server = createServer((client) => {
    state.connections++;
    const dialogue = new Dialogue(state, client, connect(target_port, "127.0.0.1"), protocol, random);
    open.add(dialogue);
    client.on("close", () => open.delete(dialogue));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const dialogue of open) dialogue.end();
  };
  return {
    port: (server.address() as { port: number }).port,
    get seen() {
      return state.seen;
    },
    get spoiled() {
      return state.spoiled;
    },
    get connections() {
      return state.connections;
    },
    arm(step, fault) {
      state.armed = { step, fault };
    },
    disarm() {
      state.armed = null;
    },
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ProxyState {
  armed: { step: string; fault: LineFault } | null;
  seen: Set<string>;
  spoiled: number;
  connections: number;
}

class Dialogue {
  #step = "greeting";
  #tag = "";
  #fault: LineFault | null = null;
  #held = Buffer.alloc(0);
  #quiet: Timer | null = null;
  #asked = "";
  #secure = false;
  #silent = false;

  constructor(
    private readonly state: ProxyState,
    private readonly client: Socket,
    private readonly upstream: Socket,
    private readonly protocol: Protocol,
    private readonly random: () => number,
  ) {
    state.seen.add("greeting");
    this.#begin("greeting");
    for (const socket of [client, upstream]) {
      socket.on("error", () => this.end());
      socket.on("close", () => this.end());
    }
    client.on("data", (chunk: Buffer) => {
      this.#listen(chunk);
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => this.#answer(chunk));
  }

  end(): void {
    if (this.#quiet) clearTimeout(this.#quiet);
    this.client.destroy();
    this.upstream.destroy();
  }

  /** Follows what the client asks for. Lines of its literals may look like commands; then another step is spoiled. */
  #listen(chunk: Buffer): void {
    if (this.#secure) return;
    this.#asked = (this.#asked + chunk.toString("latin1")).slice(-10_000);
    for (let end = this.#asked.indexOf("\r\n"); end >= 0; end = this.#asked.indexOf("\r\n")) {
      const line = this.#asked.slice(0, end);
      this.#asked = this.#asked.slice(end + 2);
      const step = this.protocol === "imap" ? this.#imapStep(line) : this.#smtpStep(line);
      if (step !== null) this.#begin(step);
    }
  }

  #imapStep(line: string): string | null {
    if (line.toUpperCase() === "DONE") return "DONE";
    const match = /^([A-Z0-9]+) ((?:UID )?[A-Z]+)/i.exec(line);
    if (!match || match[1] === this.#tag) return null;
    this.#tag = match[1]!;
    return match[2]!.toUpperCase();
  }

  #smtpStep(line: string): string | null {
    if (this.#step === "DATA" || this.#step === "content") return line === "." ? "dot" : "content";
    return /^[A-Z]{4,8}\b/i.exec(line)?.[0].toUpperCase() ?? null;
  }

  #begin(step: string): void {
    this.#step = step;
    this.state.seen.add(step);
    const { armed } = this.state;
    // Content has no answer of its own.
    if (armed?.step !== step || step === "content") return;
    this.state.armed = null;
    this.#fault = armed.fault;
  }

  #answer(chunk: Buffer): void {
    if (this.#silent) return;
    if (this.#fault === null) {
      this.client.write(chunk);
      this.#noteSecure(chunk);
      return;
    }
    this.#held = Buffer.concat([this.#held, chunk]);
    if (this.#quiet) clearTimeout(this.#quiet);
    if (this.#isComplete()) this.#spoil();
    else this.#quiet = setTimeout(() => this.#spoil(), QUIET_MS);
  }

  /** From here on nothing can be read: the handshake is the last step. */
  #noteSecure(chunk: Buffer): void {
    if (this.#step !== "STARTTLS" || !/^(\S+ OK|220)/im.test(chunk.toString("latin1"))) return;
    this.#secure = true;
    this.#begin("tls");
  }

  #isComplete(): boolean {
    const text = this.#held.toString("latin1");
    if (this.protocol === "smtp") return /(^|\r\n)\d{3} [^\r\n]*\r\n$/.test(text);
    return this.#tag !== "" && text.includes(`\r\n${this.#tag} `) && text.endsWith("\r\n");
  }

  #spoil(): void {
    const { client } = this;
    const fault = this.#fault!;
    const held = this.#held;
    this.#fault = null;
    this.#held = Buffer.alloc(0);
    this.state.spoiled++;
    switch (fault) {
      case "cut":
        this.end();
        return;
      case "cut_midway":
        client.end(held.subarray(0, between(this.random, 1, Math.max(2, held.length))));
        this.upstream.destroy();
        return;
      case "delay":
        setTimeout(() => client.write(held), DELAY_MS);
        return;
      case "silence":
        this.#silent = true;
        return;
      case "drip":
        this.#drip(held);
        return;
      case "reorder":
        client.write(Buffer.concat(shuffled(this.random, units(held))));
        return;
      case "garbage": {
        const parts = units(held);
        parts.splice(between(this.random, 0, parts.length + 1), 0, garbage(this.random, this.protocol));
        client.write(Buffer.concat(parts));
        return;
      }
      case "double":
        client.write(Buffer.concat(units(held).flatMap((unit) => [unit, unit])));
        return;
    }
  }

  #drip(bytes: Buffer): void {
    const slow = Math.min(DRIPPED_BYTES, bytes.length);
    let sent = 0;
    const timer = setInterval(() => {
      if (this.client.destroyed) return clearInterval(timer);
      this.client.write(bytes.subarray(sent, sent + 1));
      if (++sent < slow) return;
      clearInterval(timer);
      this.client.write(bytes.subarray(slow));
    }, DRIP_MS);
  }
}

/** Lines of an answer, each with the literals that belong to it. */
export function units(bytes: Buffer): Buffer[] {
  const out: Buffer[] = [];
  let start = 0;
  let at = 0;
  while (at < bytes.length) {
    const end = bytes.indexOf("\r\n", at);
    if (end < 0) break;
    const literal = /\{(\d+)\}$/.exec(bytes.toString("latin1", Math.max(at, end - 20), end));
    at = end + 2 + (literal ? Number(literal[1]) : 0);
    if (literal) continue;
    out.push(bytes.subarray(start, at));
    start = at;
  }
  if (start < bytes.length) out.push(bytes.subarray(start));
  return out;
}

const IMAP_GARBAGE = [
  "* 4294967296 FETCH (UID\r\n",
  "* 1 FETCH (UID 99999999999999999999 FLAGS (\\Seen)\r\n",
  "* OK [UIDVALIDITY\r\n",
  "* LIST (\\HasNoChildren NIL INBOX\r\n",
  "* -1 EXISTS\r\n",
  "* 3 FETCH (BODY[] {99999999999999}\r\n",
  "* FETCH () ()\r\n",
  "A999999 OK who asked\r\n",
  "+ \r\n",
  ')))(((("\\\r\n',
  "\r\n\r\n",
];
const SMTP_GARBAGE = ["250\r\n", "999 nothing\r\n", "2 5 0 ok\r\n", "250-and\r\n", "<html>\r\n", "\r\n", "-----\r\n"];

function garbage(random: () => number, protocol: Protocol): Buffer {
  const kind = random();
  if (kind < 0.25) return Buffer.from(Array.from({ length: between(random, 1, 400) }, () => between(random, 0, 256)));
  if (kind < 0.35) return Buffer.from(`${"x".repeat(between(random, 1_000, 200_000))}\r\n`);
  return Buffer.from(pick(random, protocol === "imap" ? IMAP_GARBAGE : SMTP_GARBAGE));
}
