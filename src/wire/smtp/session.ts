/** One SMTP connection that is logged in and submits messages one after another. */
import { isAscii } from "node:buffer";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import XOAuth2 from "nodemailer/lib/xoauth2";
import type { Clock } from "../../kernel/clock.ts";
import { tlsOptions } from "../tls.ts";
import { refusedByUs, rejectedOf, resultOf } from "./faults.ts";
import { oneLine, type SubmitResult } from "./result.ts";
import { MessageSource } from "./source.ts";
import type { SmtpLogin } from "./verify.ts";

/** A message to submit, for example a composed one. */
export interface OutgoingMessage {
  raw: Uint8Array;
  envelope: { from: string; to: string[] };
  needsSmtputf8: boolean;
  /** Awaited before the server can have the whole message; if it fails, the message is not sent. */
  beforeEnd?: () => void | Promise<void>;
}

/** Timeouts, ms. Each covers a whole step, even if the server keeps sending small pieces. */
export interface SmtpTimeouts {
  /** Name lookup, connecting, TLS, greeting and login. */
  connectMs: number;
  /** From MAIL FROM to the reply to DATA; a greylisting server may delay the answer for each recipient. */
  envelopeMs: number;
  /** The content and the reply to it (RFC 5321 §4.5.3.2.6: 10 minutes). */
  contentMs: number;
  /** Additional time for each MiB of the message, for slow connections. */
  contentPerMibMs: number;
}

export const TIMEOUTS: SmtpTimeouts = {
  connectMs: 60_000,
  envelopeMs: 5 * 60_000,
  contentMs: 10 * 60_000,
  contentPerMibMs: 30_000,
};

export interface SessionOptions {
  clock: Clock;
  /** Further certificate authorities as PEM text. */
  ca: string | null;
  timeouts: SmtpTimeouts;
}

/** A longer answer is treated as an attack. */
const MAX_REPLY_BYTES = 64 * 1024;

/** A session, or the reason why there is none. */
export type Opened = { session: SmtpSession } | { result: SubmitResult };

/** Connects, switches to TLS where configured, and logs in where the server allows it. Never rejects. */
export function openSession(login: SmtpLogin, options: SessionOptions): Promise<Opened> {
  const { clock, ca, timeouts } = options;
  const connection = new SMTPConnection({
    host: login.host,
    port: login.port,
    secure: login.security === "tls",
    requireTLS: login.security === "starttls",
    ignoreTLS: login.security === "none",
    name: "[127.0.0.1]",
    allowInternalNetworkInterfaces: true,
    connectionTimeout: timeouts.connectMs,
    greetingTimeout: timeouts.connectMs,
    dnsTimeout: timeouts.connectMs,
    // Our own timers end each step. This is only a fallback and must therefore be the longest.
    socketTimeout: Math.max(timeouts.envelopeMs, timeouts.contentMs) + 60_000,
    maxResponseSize: MAX_REPLY_BYTES,
    tls: tlsOptions(login.host, ca),
  });
  return new Promise((resolve) => {
    let settled = false;
    const settle = (opened: Opened) => {
      if (settled) return;
      settled = true;
      stopTimer();
      if ("result" in opened) connection.close();
      resolve(opened);
    };
    const fail = (error: unknown) => settle({ result: resultOf(error, { submitting: false, complete: false }) });
    const stopTimer = clock.after(timeouts.connectMs, () => settle({ result: timedOut("connect and log in") }));
    // The listener stays as long as the connection: an 'error' event without a listener would end the process.
    connection.on("error", fail);
    // If there is a specific error, it is reported right after "end".
    connection.on("end", () => queueMicrotask(() => fail(new Error("the server closed the connection"))));
    connection.connect((error) => {
      if (error) return fail(error);
      const offered = extensionsOf(connection.lastServerResponse);
      const session = new SmtpSession(connection, offered, options);
      if (login.username === "" || !connection.allowsAuth) return settle({ session });
      connection.login(credentialsOf(login), (refused) => {
        if (refused) fail(refused);
        else settle({ session });
      });
    });
  });
}

/**
 * Returns the credentials. nodemailer asks for a token again after a refusal; ours is renewed elsewhere, so it gets the
 * same one.
 */
function credentialsOf({ username, password, access_token }: SmtpLogin) {
  if (access_token === undefined) return { user: username, pass: password };
  return { user: username, oauth2: new XOAuth2({ user: username, accessToken: access_token }) };
}

/** @internal Created by {@link openSession}. */
export class SmtpSession {
  #connection: SMTPConnection;
  #offered: Map<string, string>;
  #options: SessionOptions;
  #onEnd: (() => void)[] = [];
  /** Messages accepted over this connection. */
  sent = 0;
  alive = true;

  constructor(connection: SMTPConnection, offered: Map<string, string>, options: SessionOptions) {
    this.#connection = connection;
    this.#offered = offered;
    this.#options = options;
    connection.on("end", () => {
      this.alive = false;
      for (const fn of this.#onEnd.splice(0)) fn();
    });
  }

  /** Calls `fn` once when the connection has ended. */
  onEnd(fn: () => void): void {
    if (this.alive) this.#onEnd.push(fn);
    else fn();
  }

  /**
   * Submits one message; never rejects. After any result except "accepted" the session is closed, because the state of
   * the server's transaction is uncertain. `begun`: the server had accepted DATA.
   */
  submit(message: OutgoingMessage): Promise<{ result: SubmitResult; begun: boolean }> {
    const refusal = this.#refusal(message);
    if (refusal) return Promise.resolve({ result: refusal, begun: false });
    const { clock, timeouts } = this.#options;
    const source = new MessageSource(message.raw, message.beforeEnd);
    return new Promise((resolve) => {
      let settled = false;
      const settle = (result: SubmitResult) => {
        if (settled) return;
        settled = true;
        stopTimer();
        this.#connection.off("end", ended);
        if (result.outcome === "accepted") this.sent++;
        // No QUIT: in the middle of a message it would become part of the text.
        else this.#connection.close();
        source.destroy();
        resolve({ result, begun: source.begun });
      };
      const progress = () => ({ submitting: true, complete: source.ended });
      const expire = () => settle(source.ended ? unknown("no answer came to the whole message") : timedOut("take it"));
      let stopTimer = clock.after(timeouts.envelopeMs, () => {
        if (!source.begun) return expire();
        const mib = message.raw.length / 2 ** 20;
        stopTimer = clock.after(timeouts.contentMs + mib * timeouts.contentPerMibMs, expire);
      });
      const ended = () => queueMicrotask(() => settle(resultOf(new Error("the connection ended"), progress())));
      this.#connection.once("end", ended);
      const { from, to } = message.envelope;
      const envelope = { from, to: [...to], size: message.raw.length, use8BitMime: !isAscii(message.raw) };
      this.#connection.send(envelope, source, (error, info) => {
        if (error) return settle(resultOf(error, progress()));
        if (!source.ended)
          return settle({ outcome: "not_sent", reason: "protocol", detail: "an answer came too early" });
        settle({
          outcome: "accepted",
          response: oneLine(info?.response ?? ""),
          rejected: rejectedOf(info?.rejectedErrors),
        });
      });
    });
  }

  /** Sends QUIT and disconnects without waiting for an answer. Must not be called while a message is being sent. */
  close(): void {
    if (!this.alive) return;
    this.#connection.quit();
    this.#connection.close();
  }

  /** Returns a refusal for a message that the server's EHLO answer rules out, or null. */
  #refusal({ raw, needsSmtputf8 }: OutgoingMessage): SubmitResult | null {
    // RFC 1870 §3: no number, or 0, means no fixed limit.
    const limit = Number(this.#offered.get("SIZE") ?? 0);
    if (limit > 0 && raw.length > limit) {
      return refusedByUs("size", `The message has ${raw.length} bytes; this server takes at most ${limit}.`);
    }
    if (needsSmtputf8 && !this.#offered.has("SMTPUTF8")) {
      const why = "This server cannot take addresses with letters outside ASCII in front of the @ (no SMTPUTF8).";
      return refusedByUs("smtputf8", why);
    }
    return null;
  }
}

/** Returns the keywords of an EHLO answer (RFC 5321 §4.1.1.1) in upper case, each with its parameters. */
export function extensionsOf(reply: string | false): Map<string, string> {
  const offered = new Map<string, string>();
  for (const line of (reply || "").split("\n").slice(1)) {
    const match = /^\d{3}[ -]([a-z0-9-]+)[ =]*(.*)$/i.exec(line.trim());
    if (match) offered.set(match[1]!.toUpperCase(), match[2]!.trim());
  }
  return offered;
}

function timedOut(what: string): SubmitResult {
  return { outcome: "not_sent", reason: "timeout", detail: `the server took too long to ${what}` };
}

function unknown(detail: string): SubmitResult {
  return { outcome: "unknown", detail };
}
