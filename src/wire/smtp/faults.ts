/** Turns nodemailer's errors into results. */
import { type NotSentReason, oneLine, type Rejected, readReply, type Stage, type SubmitResult } from "./result.ts";

/** The fields that nodemailer 10 sets; each may be missing. */
interface Fault {
  code?: unknown;
  /** The system's code, when nodemailer replaced it with its own. */
  originalCode?: unknown;
  command?: unknown;
  message?: unknown;
  response?: unknown;
  rejectedErrors?: unknown;
  recipient?: unknown;
}

/** The progress of the message when the attempt failed. */
export interface Progress {
  /** True once a transaction has begun; before, the connection was only being set up. */
  submitting: boolean;
  /** True once the last byte of the message was handed to the connection, so the final dot may be out. */
  complete: boolean;
}

/**
 * Classifies a failed attempt. A server's refusal stays a refusal even if the connection then ends. Anything else is
 * "unknown" once the message was complete, since nodemailer reports every cut connection alike, and "not_sent" before.
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

/** Returns a refusal that Postroom decides without asking the server. */
export function refusedByUs(stage: Stage, response: string): SubmitResult {
  return { outcome: "refused", stage, code: null, enhanced: null, response, rejected: [] };
}

/** Returns the refused recipients, each with its own answer. */
export function rejectedOf(errors: unknown): Rejected[] {
  if (!Array.isArray(errors)) return [];
  return errors.flatMap((error: Fault) => {
    if (typeof error?.recipient !== "string") return [];
    const response = typeof error.response === "string" ? error.response : "";
    // An unreadable answer is still no acceptance, so it counts as temporary: a retry may get a better answer.
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

/**
 * Codes of getaddrinfo, c-ares and nodemailer: no such name, or a resolver that refuses, fails or cannot be reached.
 */
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
