import type { DocumentTerms } from "../../mailbox/search/documents.ts";
import type { IncomingContents } from "../../mailbox/store/incoming.ts";
import { errorFields, type LogFields } from "../../platform/log.ts";
import { type SplitBody, splitBody } from "../../wire/mime/body.ts";
import { parseMessage } from "../../wire/mime/parse.ts";
import { parseFromParts } from "../../wire/mime/parts.ts";
import { isCalendar } from "../../wire/mime/parts-kept.ts";
import type { PartPlan } from "../../wire/mime/structure.ts";
import type { MimeAttachment, ParsedMessage } from "../../wire/mime/types.ts";
import { bounded } from "./bounds.ts";

/**
 * The bytes of a message as the server sent them: whole, or its header and text parts. `cut` is set if something is
 * missing.
 */
export type RawContents =
  | { source: Uint8Array; cut?: boolean }
  | { header: Uint8Array; plan: PartPlan; parts: Map<string, Uint8Array>; cut?: boolean };

/** Parts that say which message a notification is about and what happened to it (RFC 3464, RFC 6533). */
const REPORTS =
  /^(?:message\/(?:global-)?delivery-status|message\/(?:rfc822|global)|(?:text|message)\/(?:rfc822|global)-headers)$/;
const LONGEST_REPORT_BYTES = 64 * 1024;

const LONGEST_CALENDAR_BYTES = 1024 * 1024;

/**
 * Returns the bytes of an enclosed part that has to be stored. Of a notification's parts only the beginning, because a
 * returned message may be long and only its header counts. Calendars in full, because they are useless if truncated.
 */
function enclosed(attachment: MimeAttachment, headers: ParsedMessage["headers"]): { content?: Uint8Array } {
  const { mime, name, content } = attachment;
  if (!content) return {};
  if (isCalendar(mime, name)) return content.length > LONGEST_CALENDAR_BYTES ? {} : { content };
  if (!REPORTS.test(mime) || !/^multipart\/report\b/i.test(headers.get("content-type")?.[0] ?? "")) return {};
  return { content: content.slice(0, LONGEST_REPORT_BYTES) };
}

/** `fault` says, for the log, why not everything could be read; null if everything could. */
export interface Read {
  contents: IncomingContents;
  /** For the full-text index, if the parse thread has read the message. */
  terms?: DocumentTerms;
  fault: LogFields | null;
}

/**
 * Reads many messages and returns the results in the same order.
 * @param signal aborts it if it runs on another thread; it then rejects with the signal's reason
 */
export type ReadAll = (list: readonly RawContents[], signal?: AbortSignal) => Promise<Read[]>;

/** Reads messages on this thread. */
export const readOnThisThread: ReadAll = async (list) => {
  const read: Read[] = [];
  for (const raw of list) read.push(await readContents(raw));
  return read;
};

/** The functions that read messages. Tests replace them with failing ones. */
export interface Reading {
  parse: (raw: RawContents) => Promise<ParsedMessage>;
  parseHeader: (header: Uint8Array) => Promise<ParsedMessage>;
  split: (message: ParsedMessage) => SplitBody;
}

/**
 * Headers that make up half of a message's header but mean nothing to categories or rules: its delivery trace,
 * signatures, and headers that are stored in separate fields.
 */
const DROPPED_HEADERS =
  /^(?:received|x-received|received-spf|authentication-results|(?:dkim|domainkey|arc-[a-z-]+|x-google-dkim)-signature|arc-(?:seal|authentication-results)|x-(?:spam|ms-exchange|microsoft|forefront|gm-message)-.*|x-original-to|from|to|cc|bcc|reply-to|subject|date|message-id|references|in-reply-to|mime-version|thread-index|content-transfer-encoding)$/;

const isKept = (name: string): boolean => !DROPPED_HEADERS.test(name);

const READING: Reading = {
  parse: (raw) =>
    "source" in raw ? parseMessage(raw.source, isKept) : parseFromParts(raw.header, raw.plan, raw.parts, isKept),
  parseHeader: (header) => parseFromParts(header, { text: [], attachments: [], cut: true }, new Map(), isKept),
  split: ({ text, html, subject }) => splitBody({ text, html, subject }),
};

/**
 * Reads one message and never throws. The parser should not throw either, but if it does, one message must not keep the
 * mailbox from becoming complete. In that case the result is the header without text or, failing that, an empty
 * message.
 */
export async function readContents(raw: RawContents, reading: Reading = READING): Promise<Read> {
  let fault: LogFields | null = null;
  let parsed: ParsedMessage;
  try {
    parsed = await reading.parse(raw);
  } catch (error) {
    fault = errorFields(error);
    parsed = await reading.parseHeader("source" in raw ? raw.source : raw.header).catch(() => NOTHING);
  }
  let body: SplitBody = { bodyText: parsed.text, newText: parsed.text };
  let cut = raw.cut === true;
  try {
    const { cut: unread = false, ...split } = reading.split(parsed);
    body = split;
    cut ||= unread;
  } catch (error) {
    fault ??= errorFields(error);
  }
  const { sender: _, ...fields } = parsed;
  const attachments = parsed.attachments.map(({ content, ...attachment }) => ({
    ...attachment,
    encoding: null,
    ...enclosed({ ...attachment, ...(content ? { content } : {}) }, parsed.headers),
  }));
  const truncated = parsed.truncated || cut;
  return { contents: bounded({ ...fields, ...body, attachments, truncated }), fault };
}

const NOTHING: ParsedMessage = {
  messageId: null,
  inReplyTo: [],
  references: [],
  subject: "",
  from: { name: "", email: "" },
  sender: null,
  replyTo: [],
  to: [],
  cc: [],
  bcc: [],
  date: null,
  text: "",
  html: null,
  attachments: [],
  truncated: true,
  headers: new Map(),
};
