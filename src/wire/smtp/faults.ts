/** nodemailer's errors as results. */
import { type NotSentReason, oneLine, type Rejected, readReply, type Stage, type SubmitResult } from "./result.ts";

/** The fields that nodemailer 10 sets; none of them can be relied on. */
interface Fault {
  code?: unknown;
  /** The system's code, where nodemailer put its own in place of it. */
  originalCode?: unknown;
  command?: unknown;
  message?: unknown;
  response?: unknown;
  rejectedErrors?: unknown;
  recipient?: unknown;
}

/** How far the message was when it failed. */
export interface Progress {
  /** A transaction had been begun; before, the connection was only being set up. */
  submitting: boolean;
  /** The last byte of the message had been handed to the connection, so the final dot may be out. */
  complete: boolean;
}

/**
 * What a failed attempt means. A refusal is one whether or not the connection lived on. Everything else is "unknown"
 * once the message was complete, since every cut connection looks the same to nodemailer, and "not_sent" before.
 */
export function resultOf(error: unknown, { submitting, complete }: Progress): SubmitResult {
  const fault = (typeof error === "object" && error !== null ? error : {}) as Fault;
  const reply = typeof fault.response === "string" ? readReply(fault.response) : null;
  if (reply) {
    const stage = complete ? "content" : stageOf(fault.command, submitting);
    return { outcome: "refused", stage, ...reply, rejected: stage === "rcpt" ? rejectedOf(fault.rejectedErrors) : [] };
  }
  const detail = words(fault);
  if (complete) return { outcome: "unknown", detail };
  if (fault.command === "API" && fault.code === "EAUTH") return refusedByUs("auth", detail);
  return { outcome: "not_sent", reason: reasonOf(fault), detail };
}

/** A refusal that needs no server to say it. */
export function refusedByUs(stage: Stage, response: string): SubmitResult {
  return { outcome: "refused", stage, code: null, enhanced: null, response, rejected: [] };
}

/** The recipients that were refused, each with its own answer. */
export function rejectedOf(errors: unknown): Rejected[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: Fault) => {
    if (typeof error?.recipient !== "string") return [];
    const response = typeof error.response === "string" ? error.response : "";
    // An answer that is no answer still is no acceptance; trying again may bring a better one.
    const reply = readReply(response) ?? { code: 450, enhanced: null, response: oneLine(response) };
    return [{ recipient: error.recipient, ...reply }];
  });
}

function stageOf(command: unknown, submitting: boolean): Stage {
  const name = typeof command === "string" ? command : "";
  if (name.startsWith("AUTH")) return "auth";
  if (name === "STARTTLS") return "starttls";
  if (!submitting) return "connect";
  if (name === "MAIL FROM") return "mail";
  if (name === "RCPT TO") return "rcpt";
  if (name === "DATA") return "data";
  return "connect";
}

/** Of getaddrinfo, of c-ares and of nodemailer: no such name, or a resolver that refuses, fails or cannot be reached. */
const DNS_CODES = new Set([
  ...["EDNS", "ENOTFOUND", "ENODATA", "EBADNAME", "ESERVFAIL", "EREFUSED", "EBADRESP", "ENONAME"],
  ...["EAI_AGAIN", "EAI_FAIL", "EAI_NONAME", "EAI_NODATA"],
]);

const CONNECT_CODES = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "ENETDOWN",
  "EHOSTDOWN",
]);

function reasonOf({ code, originalCode, command, message }: Fault): NotSentReason {
  const codes = [originalCode, code].filter((one) => typeof one === "string");
  const text = typeof message === "string" ? message : "";
  if (codes.some((one) => DNS_CODES.has(String(one)))) return "dns";
  if (codes.includes("ETIMEDOUT")) return "timeout";
  if (codes.some((one) => CONNECT_CODES.has(one))) return "connect";
  if (codes.some((one) => one === "ETLS" || /CERT|SSL|TLS|SIGNATURE|^EPROTO$/.test(one)) || command === "STARTTLS")
    return "tls";
  if (/certificate|handshake|wrong.version/i.test(text)) return "tls";
  if (/\b(?:ECONNREFUSED|Failed to connect)\b/.test(text)) return "connect";
  const refusedWords = ["EPROTOCOL", "EENVELOPE", "EMESSAGE", "EAUTH", "EENVELOPE"].some((one) => codes.includes(one));
  return refusedWords ? "protocol" : "cut";
}

function words({ code, originalCode, message }: Fault): string {
  const text = typeof message === "string" ? oneLine(message) : "the connection failed";
  const name = typeof originalCode === "string" ? originalCode : code;
  return typeof name === "string" && !text.includes(name) ? `${text} (${name})` : text;
}
