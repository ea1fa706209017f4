import { connect, createServer, type Socket } from "node:net";
import { between, pick, shuffled } from "./campaign.ts";

/** A fault of one answer of the server. */
export const LINE_FAULTS = ["cut", "cut_midway", "delay", "silence", "drip", "reorder", "garbage", "double"] as const;
/** A fault of what the client writes: the connection is cut in it, if possible in a literal or in content. */
export const WRITE_FAULT = "cut_writing";
export type LineFault = (typeof LINE_FAULTS)[number] | typeof WRITE_FAULT;

export type Protocol = "imap" | "smtp";

/** A proxy that tracks the dialogue, and spoils the answers that a test names. */
export interface LineProxy {
  port: number;
  /**
   * Steps that were seen so far: "greeting", then the client's commands; "literal" is the end of one that needed a
   * continuation, "dot" that of an SMTP message; "tls" stands for everything that cannot be read.
   */
  readonly seen: ReadonlySet<string>;
  /** Answers spoiled, and writes cut, so far. */
  readonly spoiled: number;
  /** Connections accepted so far. */
  readonly connections: number;
  /** Spoils the next answer to this step, or cuts the client in the middle of it. */
  arm(step: string, fault: LineFault): void;
  disarm(): void;
  /** Drops every connection now. */
  cut(): void;
  close(): Promise<void>;
}

const DELAY_MS = 250;
const DRIP_MS = 3;
const DRIPPED_BYTES = 120;
/** A message is longer, so a client that is cut after this many bytes of its content has not written all of it. */
const MIN_CONTENT_BYTES = 1_000;
/** An answer without a recognizable end counts as complete when nothing more arrives for this long. */
const QUIET_MS = 20;

/**
 * @param hidden parts of the server's output before the login that the client does not see, so that it uses other
 * commands
 */
export async function startLineProxy(
  targetPort: number,
  protocol: Protocol,
  random: () => number,
  hidden: RegExp | null = null,
): Promise<LineProxy> {
  const open = new Set<Dialogue>();
  const state: ProxyState = { armed: null, turn: 0, seen: new Set(), spoiled: 0, connections: 0, hidden };
  const server = createServer((client) => {
    state.connections++;
    const dialogue = new Dialogue(state, client, connect(targetPort, "127.0.0.1"), protocol, random);
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
      state.turn++;
      state.armed = { step, fault };
    },
    disarm() {
      state.turn++;
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
  /** Counts armed faults: a connection that ends before its fault could happen leaves it to the next one. */
  turn: number;
  hidden: RegExp | null;
  seen: Set<string>;
  spoiled: number;
  connections: number;
}

/** Commands before these precede the login. */
const BEFORE_LOGIN = new Set(["greeting", "CAPABILITY"]);

class Dialogue {
  #step = "greeting";
  #tag = "";
  #fault: { step: string; fault: LineFault; turn: number } | null = null;
  #held = Buffer.alloc(0);
  #quiet: Timer | null = null;
  /** Input of the client that is not parsed yet. */
  #asked = "";
  /** Remaining bytes of a literal, and whether its end is a separate step. */
  #literal = { left: 0, is_step: false };
  /** Number of bytes, counted from the start of the next chunk, after which the client is cut. */
  #cutAt: number | null = null;
  #secure = false;
  #silent = false;

  constructor(
    private readonly state: ProxyState,
    private readonly client: Socket,
    private readonly upstream: Socket,
    private readonly protocol: Protocol,
    private readonly random: () => number,
  ) {
    this.#begin("greeting");
    for (const socket of [client, upstream]) {
      socket.on("error", () => this.end());
      socket.on("close", () => this.end());
    }
    client.on("data", (chunk: Buffer) => {
      if (!this.#secure) this.#listen(chunk);
      if (this.#cutAt === null) return void upstream.write(chunk);
      if (this.#cutAt > chunk.length) {
        this.#cutAt -= chunk.length;
        return void upstream.write(chunk);
      }
      upstream.write(chunk.subarray(0, Math.max(0, this.#cutAt)));
      this.#cutAt = null;
      this.#fault = null;
      state.spoiled++;
      this.end();
    });
    upstream.on("data", (chunk: Buffer) => this.#answer(this.#withoutHidden(chunk)));
  }

  end(): void {
    if (this.#quiet) clearTimeout(this.#quiet);
    const fault = this.#fault;
    this.#fault = null;
    if (fault?.turn === this.state.turn) this.state.armed ??= fault;
    this.client.destroy();
    this.upstream.destroy();
  }

  /** Tracks the client's commands. */
  #listen(chunk: Buffer): void {
    let at = -this.#asked.length;
    this.#asked += chunk.toString("latin1");
    const take = (bytes: number) => {
      this.#asked = this.#asked.slice(bytes);
      at += bytes;
    };
    while (this.#asked !== "") {
      const { left, is_step } = this.#literal;
      if (left > 0) {
        const taken = Math.min(left, this.#asked.length);
        take(taken);
        this.#literal.left -= taken;
        if (taken === left && is_step) this.#begin("literal");
        continue;
      }
      const end = this.#asked.indexOf("\r\n");
      if (end < 0) return;
      const line = this.#asked.slice(0, end);
      const step = this.protocol === "imap" ? this.#imapStep(line) : this.#smtpStep(line);
      if (step !== null) this.#begin(step);
      const literal = this.protocol === "imap" ? /\{(\d+)(\+?)\}$/.exec(line) : null;
      if (literal) this.#literal = { left: Number(literal[1]), is_step: literal[2] === "" };
      if (this.#fault?.fault === WRITE_FAULT && this.#cutAt === null) {
        const [before, bytes] = literal
          ? [end + 2, this.#literal.left]
          : [0, step === "content" ? MIN_CONTENT_BYTES : line.length + 1];
        this.#cutAt = at + before + between(this.random, 1, Math.max(2, bytes));
      }
      take(end + 2);
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
    const { armed, seen, turn } = this.state;
    this.#step = step;
    seen.add(step);
    if (armed?.step !== step) return;
    this.state.armed = null;
    this.#fault = { ...armed, turn };
  }

  #withoutHidden(chunk: Buffer): Buffer {
    const { hidden } = this.state;
    if (!hidden || !BEFORE_LOGIN.has(this.#step)) return chunk;
    return Buffer.from(chunk.toString("latin1").replace(hidden, ""), "latin1");
  }

  #answer(chunk: Buffer): void {
    if (this.#silent) return;
    // A client whose literal is refused does not write it.
    const { left, is_step } = this.#literal;
    if (left > 0 && is_step && !chunk.toString("latin1").startsWith("+")) this.#literal.left = 0;
    if (this.#fault === null || this.#fault.fault === WRITE_FAULT) {
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
    const { fault } = this.#fault!;
    const held = this.#held;
    this.#fault = null;
    this.#held = Buffer.alloc(0);
    this.state.spoiled++;
    this.#noteSecure(held);
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
        this.#reorder(held);
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

  /** Shuffles lines, never into their own order. A single line is held back instead. */
  #reorder(held: Buffer): void {
    const parts = units(held);
    if (parts.length < 2) {
      setTimeout(() => this.client.write(held), DELAY_MS);
      return;
    }
    const mixed = Buffer.concat(shuffled(this.random, parts));
    this.client.write(mixed.equals(held) ? Buffer.concat([...parts.slice(1), parts[0]!]) : mixed);
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

/** Splits an answer into lines, each with its literals. */
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
