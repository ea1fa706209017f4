/** Turns the header of a message into the header fields of the parsed message. */
import { authenticationOf, type TraceField } from "../authentication/verdict.ts";
import { parseAddresses } from "./addresses.ts";
import { parseDate } from "./dates.ts";
import { decodeWords } from "./encoded-words.ts";
import { parseIds } from "./ids.ts";
import { exactFieldText, fieldText, type RawField } from "./raw-headers.ts";
import type { Address, ParsedMessage } from "./types.ts";

/** Characters read of all fields of one header name, and of fields that name one person. */
const MAX_LIST_LENGTH = 256 * 1024;
const MAX_PERSON_LENGTH = 8 * 1024;

/** Decides whether `headers` includes a header, by its name in lower case; the subject is always included. */
export type WantedHeader = (name: string) => boolean;

/** Fields that show which server checked the sender, and how many of them are read. */
const TRACE = new Set(["received", "authentication-results"]);
const MAX_TRACE_FIELDS = 50;
const MAX_TRACE_BYTES = 16 * 1024;

/** Names whose fields are split before their encoded words are decoded. */
const STRUCTURED = new Set("in-reply-to references from sender reply-to to cc bcc date".split(" "));

/**
 * Returns the header part of a parsed message. For names that may occur once, the first field counts; recipients are
 * collected from all fields. `charset` is the message's own, for 8-bit headers that are not UTF-8.
 */
export function describeHeaders(
  fields: RawField[],
  charset: string | null,
  wanted: WantedHeader = () => true,
): Omit<ParsedMessage, "text" | "html" | "attachments" | "truncated"> {
  const headers = new Map<string, string[]>();
  const raw = new Map<string, string[]>();
  const trace: TraceField[] = [];
  for (const field of fields) {
    if (TRACE.has(field.name) && trace.length < MAX_TRACE_FIELDS) {
      trace.push({
        name: field.name,
        // Read when it is needed, because most fields are below the hop from outside. An empty Received field ends the
        // reading: a long one that is left out would hide that hop.
        get text() {
          return field.end - field.start <= MAX_TRACE_BYTES ? fieldText(field, charset) : "";
        },
      });
    }
    const structured = STRUCTURED.has(field.name);
    const kept = field.name === "subject" || wanted(field.name);
    if (!structured && !kept) continue;
    const text = fieldText(field, charset);
    if (structured) push(raw, field.name, text);
    if (kept) push(headers, field.name, oneLine(decodeWords(text)));
  }
  const first = (name: string) => raw.get(name)?.find((value) => value !== "") ?? "";
  const mailboxes = (name: string) => collect(raw.get(name) ?? []);
  const messageId = fields.find((field) => field.name === "message-id");
  const exact = messageId ? exactFieldText(messageId) : "";
  const from = parseAddresses(first("from").slice(0, MAX_PERSON_LENGTH))[0] ?? { name: "", email: "" };
  const authentication = authenticationOf(trace, from.email);
  return {
    messageId: exact === "" ? null : exact,
    inReplyTo: parseIds(first("in-reply-to")),
    references: parseIds((raw.get("references") ?? []).join(" ")),
    subject: headers.get("subject")?.find((value) => value !== "") ?? "",
    from,
    ...(authentication && { authentication }),
    sender: parseAddresses(first("sender").slice(0, MAX_PERSON_LENGTH))[0] ?? null,
    replyTo: mailboxes("reply-to"),
    to: mailboxes("to"),
    cc: mailboxes("cc"),
    bcc: mailboxes("bcc"),
    date: parseDate(first("date")),
    headers,
  };
}

function collect(values: string[]): Address[] {
  const found: Address[] = [];
  let length = 0;
  for (const value of values) {
    length += value.length;
    if (length > MAX_LIST_LENGTH && found.length > 0) break;
    for (const address of parseAddresses(value)) found.push(address);
  }
  return found;
}

function push(map: Map<string, string[]>, name: string, value: string): void {
  const list = map.get(name);
  if (list) list.push(value);
  else map.set(name, [value]);
}

/**
 * Puts a value on one line. Encoded words may hide line breaks, which must not reach a header built from this value.
 */
function oneLine(text: string): string {
  return /[\u0000-\u001f\u007f]/.test(text) ? text.replace(/[\u0000-\u001f\u007f]+/g, " ").trim() : text;
}
