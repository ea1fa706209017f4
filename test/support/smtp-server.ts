import { readFileSync } from "node:fs";
import { createServer, type Server, type Socket, connect as tcpConnect } from "node:net";
import { createSecureContext, TLSSocket } from "node:tls";
import type { SmtpLogin } from "../../src/wire/smtp/verify.ts";

/** Where in a session the server deviates from the protocol. "dot": the whole message has arrived. */
export type SmtpStep = "connect" | "ehlo" | "starttls" | "auth" | "mail" | "rcpt" | "data" | "content" | "dot";

/**
 * The fault at that step. "cut" drops the connection; "silent" sends nothing more; "drip" sends one byte of an endless
 * reply every 20 ms; "garbage" sends nonsense; "huge" sends an endless answer; "early" answers 250 in the middle of the
 * content. A string is sent as the reply ("\r\n" is added). `after` at "dot": the message still counts as accepted.
 */
export type SmtpFault = string | "cut" | "silent" | "drip" | "garbage" | "huge" | "early";

export interface AcceptedMessage {
  from: string;
  to: string[];
  /** The parameters of MAIL FROM, upper case. */
  parameters: string;
  raw: string;
  /** Number of the connection that carried it, from 0. */
  connection: number;
  /** The user who had logged in. */
  user: string | null;
}

export interface ScriptedSmtp {
  port: number;
  login: SmtpLogin;
  /** Messages that it accepted; with `takes` "dot" also those whose acceptance it did not confirm. */
  accepted: AcceptedMessage[];
  /** Every command line, as received. */
  commands: string[];
  connections: number;
  /** Pending faults of a step, each used once, in order; null behaves normally. */
  faults: Partial<Record<SmtpStep, (SmtpFault | null)[]>>;
  /** Keywords of the EHLO answer. */
  offers: string[];
  /** Addresses that RCPT refuses, with the reply. */
  refuses: Map<string, string>;
  /** Whether a message whose "dot" fails was accepted nevertheless. */
  takes_before_fault: boolean;
  /** Drops every open connection. */
  dropAll(): void;
  stop(): Promise<void>;
}

export interface ScriptedOptions {
  /** PEM files; with them the server offers STARTTLS. */
  tls?: { cert: string; key: string };
  /** TLS from the first byte. */
  implicit?: boolean;
}

const USER = "alice@mail.test";
const PASSWORD = "alice-pw";

/** An SMTP server on loopback that follows a script of faults and keeps the messages it accepted. */
export async function startScriptedSmtp(options: ScriptedOptions = {}): Promise<ScriptedSmtp> {
  const sockets = new Set<Socket>();
  const context = options.tls
    ? createSecureContext({ cert: readFileSync(options.tls.cert), key: readFileSync(options.tls.key) })
    : null;
  const security = options.implicit ? "tls" : options.tls ? "starttls" : "none";
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    new Conversation(state, socket, state.connections++, context, options.implicit === true);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  const state: ScriptedSmtp = {
    port,
    login: { host: "127.0.0.1", port, security, username: USER, password: PASSWORD },
    accepted: [],
    commands: [],
    connections: 0,
    faults: {},
    offers: ["PIPELINING", "SIZE 1000000", "8BITMIME", "SMTPUTF8", "AUTH PLAIN LOGIN"],
    refuses: new Map(),
    takes_before_fault: false,
    dropAll() {
      for (const socket of sockets) socket.destroy();
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return state;
}

/** Returns a port on which nothing listens. */
export async function deadPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

class Conversation {
  #state: ScriptedSmtp;
  #socket: Socket;
  #number: number;
  #context: ReturnType<typeof createSecureContext> | null;
  #secure = false;
  #user: string | null = null;
  #envelope: { from: string; to: string[]; parameters: string } | null = null;
  #buffer = "";
  #content: string | null = null;
  #stuck = false;

  constructor(
    state: ScriptedSmtp,
    socket: Socket,
    number: number,
    context: ReturnType<typeof createSecureContext> | null,
    implicit: boolean,
  ) {
    this.#state = state;
    this.#socket = socket;
    this.#number = number;
    this.#context = context;
    if (implicit) this.#upgrade();
    else this.#listen();
    this.#answer("connect", "220 scripted.test ESMTP");
  }

  #listen(): void {
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk.toString("latin1")));
  }

  #upgrade(): void {
    this.#socket.removeAllListeners("data");
    const socket = new TLSSocket(this.#socket, { isServer: true, secureContext: this.#context! });
    socket.on("error", () => {});
    this.#socket = socket;
    this.#secure = true;
    this.#listen();
  }

  #read(text: string): void {
    this.#buffer += text;
    while (!this.#stuck) {
      if (this.#content !== null) {
        if (!this.#readContent()) return;
        continue;
      }
      const end = this.#buffer.indexOf("\r\n");
      if (end < 0) return;
      const line = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end + 2);
      this.#command(line);
    }
  }

  #command(line: string): void {
    this.#state.commands.push(line);
    const verb = line.split(" ")[0]!.toUpperCase();
    if (verb === "EHLO") {
      const tls = this.#context && !this.#secure ? ["STARTTLS"] : [];
      const offers = this.#context && !this.#secure ? tls : this.#state.offers;
      const lines = ["scripted.test", ...offers];
      const reply = lines.map((one, i) => `250${i === lines.length - 1 ? " " : "-"}${one}`).join("\r\n");
      this.#answer("ehlo", reply);
    } else if (verb === "HELO") this.#say("250 scripted.test");
    else if (verb === "STARTTLS") {
      if (this.#answer("starttls", "220 go ahead")) this.#upgrade();
    } else if (verb === "AUTH") this.#auth(line);
    else if (verb === "MAIL") this.#mail(line);
    else if (verb === "RCPT") this.#rcpt(line);
    else if (verb === "DATA") this.#data();
    else if (verb === "RSET") this.#say("250 2.0.0 reset");
    else if (verb === "QUIT") {
      this.#say("221 2.0.0 bye");
      this.#socket.end();
    } else this.#say("500 5.5.2 what?");
  }

  #auth(line: string): void {
    const [, user, password] = Buffer.from(line.split(" ")[2] ?? "", "base64")
      .toString()
      .split("\0");
    const right = user === USER && password === PASSWORD;
    if (this.#answer("auth", right ? "235 2.7.0 welcome" : "535 5.7.8 Error: authentication failed") && right)
      this.#user = USER;
  }

  #mail(line: string): void {
    const match = /^MAIL FROM:<([^>]*)>(.*)$/i.exec(Buffer.from(line, "latin1").toString())!;
    const envelope = { from: match[1]!, to: [], parameters: match[2]!.trim().toUpperCase() };
    if (this.#answer("mail", "250 2.1.0 sender ok")) this.#envelope = envelope;
  }

  #rcpt(line: string): void {
    const to = /^RCPT TO:<([^>]*)>/i.exec(Buffer.from(line, "latin1").toString())![1]!;
    const refusal = this.#state.refuses.get(to) ?? (this.#envelope ? null : "503 5.5.1 need MAIL");
    if (refusal) this.#say(refusal);
    else if (this.#answer("rcpt", "250 2.1.5 recipient ok")) this.#envelope!.to.push(to);
  }

  #data(): void {
    if (!this.#envelope || this.#envelope.to.length === 0) this.#say("554 5.5.1 no valid recipients");
    else if (this.#answer("data", "354 go on")) this.#content = "";
  }

  /** Reads up to the dot; false when more input is needed. */
  #readContent(): boolean {
    this.#content += this.#buffer;
    this.#buffer = "";
    const content = this.#content!;
    if (this.#state.faults.content?.length && content.length > 0) {
      this.#content = null;
      this.#answer("content", "");
      return !this.#stuck;
    }
    const end = content.startsWith(".\r\n") ? -2 : content.indexOf("\r\n.\r\n");
    if (end === -1) return false;
    this.#buffer = content.slice(end + 5);
    this.#content = null;
    const raw = content
      .slice(0, Math.max(0, end + 2))
      .replace(/\r\n\.\./g, "\r\n.")
      .replace(/^\.\./, ".");
    const message = { ...this.#envelope!, raw, connection: this.#number, user: this.#user };
    this.#envelope = null;
    const faulty = (this.#state.faults.dot?.[0] ?? null) !== null;
    if (!faulty || this.#state.takes_before_fault) this.#state.accepted.push(message);
    this.#answer("dot", "250 2.0.0 queued as T1");
    return !this.#stuck;
  }

  /** Answers normally, unless the script has a fault for this step; true when it answered normally. */
  #answer(step: SmtpStep, reply: string): boolean {
    const fault = this.#state.faults[step]?.shift() ?? null;
    if (fault === null) {
      if (reply !== "") this.#say(reply);
      return true;
    }
    if (fault === "cut") this.#hangUp();
    else if (fault === "silent") this.#fallSilent();
    else if (fault === "drip") this.#drip();
    else if (fault === "garbage") this.#say("\u0000\u0001<html>\u00ff nothing to see");
    else if (fault === "huge") this.#flood();
    else if (fault === "early") {
      this.#say("250 2.0.0 already have it");
      this.#stuck = true;
    } else this.#say(fault);
    return false;
  }

  #hangUp(): void {
    this.#stuck = true;
    this.#socket.destroy();
  }

  /** Stops reading, too, so that a long message is not received. */
  #fallSilent(): void {
    this.#stuck = true;
    this.#socket.pause();
  }

  #drip(): void {
    this.#stuck = true;
    const timer = setInterval(() => this.#socket.write("2"), 20);
    this.#socket.on("close", () => clearInterval(timer));
  }

  #flood(): void {
    this.#stuck = true;
    const lines = "250-and so on and so forth\r\n".repeat(1000);
    const more = () => {
      while (!this.#socket.destroyed && this.#socket.write(lines));
    };
    this.#socket.on("drain", more);
    more();
  }

  #say(reply: string): void {
    if (!this.#socket.destroyed) this.#socket.write(`${reply}\r\n`, "latin1");
  }
}

/** Returns whether something accepts connections at the port. */
export function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = tcpConnect({ host: "127.0.0.1", port });
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
