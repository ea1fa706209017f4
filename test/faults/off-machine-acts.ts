import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect, createServer } from "node:net";

/** How long a process that stood still may take to notice that its lease has ended. Until then it changes nothing. */
const NOTICED_MS = 5_000;

/**
 * Records which process acts when: what it writes to the mail servers, and the changes that its API confirms. Two
 * processes must never act at the same time, so whatever acted before another one did must never act again.
 */
export class Acts {
  readonly #pids = new Map<number, string>();
  readonly #stretches: Stretch[] = [];
  readonly #overlaps = new Map<string, string>();
  readonly #thawed = new Map<string, number>();
  /** Acts of all processes. */
  count = 0;
  /** Commands that change nothing, by a process that had stood still, before it noticed. */
  late = 0;

  /** Names a process; every start of a machine has its own name. */
  know(pid: number, name: string): void {
    this.#pids.set(pid, name);
  }

  /** A process continues after it stood still. */
  thaw(name: string): void {
    this.#thawed.set(name, performance.now());
  }

  get pids(): ReadonlyMap<number, string> {
    return this.#pids;
  }

  /** The process that acted last; null before the first act. */
  get current(): string | null {
    return this.#stretches.at(-1)?.who ?? null;
  }

  note({ who, via, what, isChange }: Act): void {
    this.count++;
    const at = performance.now();
    const last = this.#stretches.at(-1);
    if (last?.who === who) {
      last.to = at;
      return;
    }
    const earlier = this.#stretches.findLast((one) => one.who === who);
    if (!earlier) {
      this.#stretches.push({ who, from: at, to: at });
      return;
    }
    if (!isChange && at < (this.#thawed.get(who) ?? Number.NEGATIVE_INFINITY) + NOTICED_MS) {
      this.late++;
      return;
    }
    const since = this.#stretches[this.#stretches.indexOf(earlier) + 1]!;
    const after = ((at - since.from) / 1000).toFixed(1);
    const key = `${who} ${since.who}`;
    if (!this.#overlaps.has(key))
      this.#overlaps.set(key, `${who} acted (${via}: ${what}) ${after} s after ${since.who} had taken over`);
  }

  /** Returns overlaps since the last call. */
  takeOverlaps(): string[] {
    const found = [...this.#overlaps.values()];
    this.#overlaps.clear();
    return found;
  }

  /** Returns the stretches of the last processes that acted, as text. */
  lately(): string[] {
    const time = (at: number) => (at / 1000).toFixed(2);
    return this.#stretches.slice(-6).map(({ who, from, to }) => `${who} acted from ${time(from)} to ${time(to)}`);
  }
}

interface Act {
  who: string;
  via: "imap" | "smtp" | "api";
  what: string;
  /** Whether it changes something, or continues a change. */
  isChange: boolean;
}

interface Stretch {
  who: string;
  from: number;
  to: number;
}

export interface Front {
  port: number;
  close(): Promise<void>;
}

/** What only ends a connection changes nothing: a process that stops may say it at any time. */
const ENDING = /^(DONE|QUIT|RSET|\S+ LOGOUT)$/i;
const LINES = /\r?\n/;
const IMAP_COMMAND = /^[A-Z0-9]{1,12} (?:UID )?([A-Z]+)\b/i;
const IMAP_READS = new Set([
  ...["CAPABILITY", "ID", "AUTHENTICATE", "LOGIN", "NAMESPACE", "ENABLE", "LIST", "LSUB", "STATUS", "SELECT"],
  ...["EXAMINE", "UNSELECT", "FETCH", "SEARCH", "NOOP", "CHECK", "IDLE", "GETQUOTAROOT"],
]);
/** Only the end of a message makes the server take it. */
const MESSAGE_END = /(^|\r\n)\.\r\n$/;

/** Tells for each chunk that a client writes whether it changes something. A continuation is like its command. */
function classifier(via: "imap" | "smtp"): (text: string) => boolean {
  if (via === "smtp") return (text) => MESSAGE_END.test(text);
  let isChange = false;
  return (text) => {
    const verb = IMAP_COMMAND.exec(text)?.[1]?.toUpperCase();
    if (verb !== undefined) isChange = !IMAP_READS.has(verb);
    return isChange;
  };
}

/** Starts a proxy before a mail server that notes which process writes what. */
export async function startFront(target: number, via: "imap" | "smtp", acts: Acts): Promise<Front> {
  const open = new Set<() => void>();
  const server = createServer((client) => {
    const { port } = server.address() as { port: number };
    const peer = client.remotePort!;
    let who = ownerOf(peer, port, acts.pids);
    const upstream = connect(target, "127.0.0.1");
    const end = () => {
      open.delete(end);
      client.destroy();
      upstream.destroy();
    };
    open.add(end);
    const changes = classifier(via);
    for (const socket of [client, upstream]) socket.on("error", end).on("close", end);
    client.on("data", (chunk: Buffer) => {
      const text = chunk.toString("latin1");
      const line = text.split(LINES).find((one) => one !== "" && !ENDING.test(one));
      const isChange = changes(text);
      if (line !== undefined) {
        who ??= ownerOf(peer, port, acts.pids);
        const what = line.split(" ").slice(0, 3).join(" ").slice(0, 40);
        acts.note({ who: who ?? "an unknown process", via, what, isChange });
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => client.write(chunk));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      for (const end of open) end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether processes that own connections can be found here. */
export const CAN_ATTRIBUTE = process.platform === "linux";

/** Returns which of these processes has a connection from a port to another on loopback; null if none has (proc(5)). */
function ownerOf(from: number, to: number, pids: ReadonlyMap<number, string>): string | null {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const end = ` 0100007F:${hex(from)} 0100007F:${hex(to)} `;
  const row = readFileSync("/proc/net/tcp", "latin1")
    .split("\n")
    .find((line) => line.includes(end));
  const inode = row?.trim().split(/\s+/)[9];
  if (inode === undefined || inode === "0") return null;
  for (const [pid, name] of pids) {
    try {
      for (const fd of readdirSync(`/proc/${pid}/fd`)) {
        if (linkOf(`/proc/${pid}/fd/${fd}`) === `socket:[${inode}]`) return name;
      }
    } catch {
      // It has ended.
    }
  }
  return null;
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}
