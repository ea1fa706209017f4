/** Checks, without logging in, that a mail server with a valid certificate answers at an address. */
import { connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import type { Clock } from "../../kernel/clock.ts";
import { tlsOptions } from "../tls.ts";
import type { MailServer } from "./found.ts";

const MAX_BYTES = 16 * 1024;

/** Time limit from the name lookup to the end of the handshake. */
const TIMEOUT_MS = 5_000;

export interface GreetingOptions {
  /** Further certificate authorities as PEM text. */
  ca: string | null;
  clock: Clock;
}

/** True when the server answers in its protocol over TLS, either from the start or after STARTTLS. */
export async function speaksProtocol(
  kind: "imap" | "smtp",
  server: MailServer,
  options: GreetingOptions,
): Promise<boolean> {
  const { host, port, security } = server;
  if (security === "none") return false;
  const tls = tlsOptions(host, options.ca);
  const opened: Socket[] = [];
  const cancelled = Promise.withResolvers<never>();
  const stopTimer = options.clock.after(TIMEOUT_MS, () => cancelled.reject(new Error("too late")));
  const greet = async () => {
    const socket: Socket = security === "tls" ? connectTls({ ...tls, host, port }) : connectTcp({ host, port });
    opened.push(socket);
    await (kind === "imap" ? greetImap(socket, security) : greetSmtp(socket, security));
    if (security === "starttls") {
      const upgraded = connectTls({ ...tls, socket });
      opened.push(upgraded);
      await secured(upgraded);
    }
  };
  try {
    await Promise.race([greet(), cancelled.promise]);
    return true;
  } catch {
    return false;
  } finally {
    stopTimer();
    for (const socket of opened) socket.on("error", () => {}).destroy();
  }
}

async function greetImap(socket: Socket, security: "tls" | "starttls"): Promise<void> {
  const lines = reader(socket);
  await lines((line) => line.startsWith("* OK"), /^/);
  if (security === "tls") return;
  socket.write("a STARTTLS\r\n");
  await lines((line) => line.startsWith("a OK"), /^a /);
  lines.end();
}

/** RFC 5321 §4.2: a hyphen after the code announces another line. */
const LAST_LINE = /^(?!\d{3}-)/;

async function greetSmtp(socket: Socket, security: "tls" | "starttls"): Promise<void> {
  const lines = reader(socket);
  await lines((line) => line.startsWith("220"), LAST_LINE);
  if (security === "tls") return;
  socket.write("EHLO [127.0.0.1]\r\n");
  await lines((line) => line.startsWith("250"), LAST_LINE);
  socket.write("STARTTLS\r\n");
  await lines((line) => line.startsWith("220"), LAST_LINE);
  lines.end();
}

/** Reads lines until one matches `last`, and throws when that line is not `good`. */
function reader(socket: Socket) {
  let buffer = "";
  let check: () => void = () => {};
  let failed: Error | null = null;
  const data = (chunk: Buffer) => {
    buffer += chunk.toString("latin1");
    if (buffer.length > MAX_BYTES) failed = new Error("too much");
    check();
  };
  const fail = (error?: Error) => {
    failed ??= error ?? new Error("closed");
    check();
  };
  socket
    .on("data", data)
    .on("error", fail)
    .on("close", () => fail());
  const read = (good: (line: string) => boolean, last: RegExp) =>
    new Promise<void>((resolve, reject) => {
      check = () => {
        for (let end = buffer.indexOf("\r\n"); end >= 0; end = buffer.indexOf("\r\n")) {
          const line = buffer.slice(0, end);
          buffer = buffer.slice(end + 2);
          if (!last.test(line)) continue;
          check = () => {};
          return good(line) ? resolve() : reject(new Error("refused"));
        }
        if (failed) reject(failed);
      };
      check();
    });
  return Object.assign(read, { end: () => void socket.off("data", data) });
}

function secured(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("secureConnect", resolve);
    socket.once("error", reject);
    socket.once("close", () => reject(new Error("closed")));
  });
}
