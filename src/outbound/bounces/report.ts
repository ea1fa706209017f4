/** Parses the machine-readable part of a delivery status notification (RFC 3464 §2, RFC 6533 §3). */
import { parseIds } from "../../wire/mime/ids.ts";
import type { BounceAction, BounceRecipient } from "./recipient.ts";

const MAX_BYTES = 256 * 1024;
const MAX_DIAGNOSTIC = 500;

export interface StatusReport {
  /** Some servers name the message in the report itself. */
  originalMessageId: string | null;
  recipients: BounceRecipient[];
}

/** Returns every group of fields that names a recipient. The order and presence of the other fields do not matter. */
export function readStatusReport(content: Uint8Array): StatusReport {
  const recipients: BounceRecipient[] = [];
  let originalMessageId: string | null = null;
  for (const block of textOf(content).split(/\n[ \t]*\n+/)) {
    const fields = fieldsOf(block);
    const header = fields.get("x-original-message-id") ?? fields.get("original-message-id");
    originalMessageId ??= parseIds(header ?? "")[0] ?? null;
    const recipient = readRecipient(fields);
    if (recipient) recipients.push(recipient);
  }
  return { originalMessageId, recipients };
}

/** Returns the header fields at the start of a message, the first of each name, with lower-case names. */
export function headersOf(content: Uint8Array): Map<string, string> {
  return fieldsOf(
    textOf(content)
      .replace(/^\n+/, "")
      .split(/\n[ \t]*\n/, 1)[0]!,
  );
}

/** Returns a server's reply on one line, without the "smtp;" prefix. */
export function diagnosticOf(text: string): string | null {
  const line = text
    .replace(/^\s*(?:x-)?[a-z0-9-]{1,30}\s*;/i, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, MAX_DIAGNOSTIC);
  return line === "" ? null : line;
}

/** Returns the enhanced status code in a text. */
export function statusIn(text: string): string | null {
  return /(?:^|[^\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/.exec(text)?.[1] ?? null;
}

function readRecipient(fields: Map<string, string>): BounceRecipient | null {
  // The sender recognizes the address that they wrote. The final address may be behind an alias.
  const address = addressOf(fields.get("original-recipient")) ?? addressOf(fields.get("final-recipient"));
  if (address === null) return null;
  const diagnostic = diagnosticOf(fields.get("diagnostic-code") ?? "");
  const status = statusIn(fields.get("status") ?? "") ?? statusIn(diagnostic ?? "");
  return { address, action: actionOf(fields.get("action") ?? "", status), status, diagnostic };
}

function actionOf(text: string, status: string | null): BounceAction {
  const word = /^\s*([a-z]+)/i.exec(text)?.[1]?.toLowerCase() ?? "";
  if (word === "failed" || word === "delayed" || word === "delivered" || word === "relayed" || word === "expanded")
    return word;
  return status?.startsWith("4") ? "delayed" : status?.startsWith("2") ? "delivered" : "failed";
}

/** Parses "rfc822; <a@b>" and "utf-8; \x{17E}@b" (RFC 6533 §3) into plain addresses. */
function addressOf(value: string | undefined): string | null {
  if (value === undefined) return null;
  const [, type = "", rest = ""] = /^\s*([\w-]+)\s*;([\s\S]*)$/.exec(value) ?? ["", "", value];
  let text = rest.replace(/\([^()]*\)\s*$/, "").trim();
  text = /<([^<>]+)>/.exec(text)?.[1]?.trim() ?? text;
  if (type.toLowerCase() === "utf-8")
    text = text.replace(/\\x\{([0-9a-f]{1,6})\}/gi, (all, hex) => letterOf(hex) ?? all);
  return /^[^\s<>]+@[^\s<>@]+$/.test(text) && text.length <= 320 ? text : null;
}

function letterOf(hex: string): string | null {
  const code = Number.parseInt(hex, 16);
  return code >= 0x20 && code <= 0x10ffff ? String.fromCodePoint(code) : null;
}

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.replace(/\n[ \t]+/g, " ").split("\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase();
    if (name !== "" && !fields.has(name)) fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

function textOf(content: Uint8Array): string {
  return Buffer.from(content.buffer, content.byteOffset, Math.min(content.length, MAX_BYTES))
    .toString("utf8")
    .replace(/\r\n?/g, "\n");
}
