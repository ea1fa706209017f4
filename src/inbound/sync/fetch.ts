import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";
import { ResponseTooLarge } from "../../wire/imap/bounds.ts";
import { isRejection } from "../../wire/imap/failures.ts";
import { decodeGmailLabels, isGmail } from "../../wire/imap/gmail.ts";
import { mergeResponses } from "../../wire/imap/responses.ts";
import { isCalendar } from "../../wire/mime/parts-kept.ts";
import { planParts, SAMPLE_BYTES, withSample } from "../../wire/mime/structure.ts";
import type { RawContents } from "../message/parsed-message.ts";
import { readTexts } from "./fetch-text.ts";

/** The data of a message that is known before its content, enough to plan the fetch. */
export interface Listed {
  uid: number;
  size: number;
  internalDate: number;
  flags: Set<string> | undefined;
  /** Decoded; undefined on servers other than Gmail. */
  gmailLabels: Set<string> | undefined;
  serverThreadId: string | null;
  /** True if the server left out the flags or, on Gmail, the labels. */
  flagsUnknown?: boolean;
  /** Its first bytes, if they were requested with the list. */
  beginning?: Uint8Array | undefined;
}

export interface FetchLimits {
  /** Messages up to this many bytes are fetched whole. */
  full_source_bytes: number;
  /** Most bytes stored of one text part of a larger message. */
  text_part_bytes: number;
  /** Most bytes read of all text parts of a message. */
  text_read_bytes: number;
}

/** A message's bytes, whole or in parts. */
export interface Downloaded {
  listed: Listed;
  raw: RawContents;
}

/**
 * Lists messages of the selected folder with sizes, dates and flags, and with the first `firstBytes` bytes of each.
 * `download` then requests only those that are not complete.
 */
export async function listMessages(client: ImapFlow, range: string, firstBytes = 0): Promise<Listed[]> {
  const labels = isGmail(client);
  const source = firstBytes > 0 ? { source: { maxLength: firstBytes } } : {};
  const query = { uid: true, size: true, internalDate: true, flags: true, threadId: true, labels, ...source };
  const found = await client.fetchAll(range, query, { uid: true });
  return mergeResponses(found).map((message) => toListed(client, message));
}

/** Lists only flags and labels. Messages for which the server returns none are left out. */
export async function listFlags(client: ImapFlow, range: string): Promise<Listed[]> {
  const labels = isGmail(client);
  const found = await client.fetchAll(range, { uid: true, flags: true, labels }, { uid: true });
  return mergeResponses(found)
    .filter((message) => message.flags && (!labels || message.labels))
    .map((message) => toListed(client, message));
}

function toListed(client: ImapFlow, message: FetchMessageObject): Listed {
  const date = message.internalDate ? new Date(message.internalDate).getTime() : Number.NaN;
  return {
    uid: message.uid,
    size: message.size ?? 0,
    internalDate: Number.isFinite(date) ? date : 0,
    flags: message.flags,
    gmailLabels: isGmail(client) ? (decodeGmailLabels(client, message.labels) ?? new Set()) : undefined,
    serverThreadId: message.threadId ?? null,
    flagsUnknown: !message.flags || (isGmail(client) && !message.labels),
    beginning: message.source,
  };
}

/**
 * Fetches the content of listed messages: small ones whole in one command, larger ones part by part. A message that the
 * server cannot return is left out and does not hold up the others.
 */
export async function download(client: ImapFlow, batch: readonly Listed[], limits: FetchLimits): Promise<Downloaded[]> {
  try {
    return await downloadAll(client, batch, limits);
  } catch (error) {
    if (!isRejection(error)) throw error;
    const downloaded: Downloaded[] = [];
    let refused = 0;
    for (const listed of batch) {
      try {
        downloaded.push(...(await downloadAll(client, [listed], limits)));
      } catch (error) {
        if (!isRejection(error)) throw error;
        refused++;
      }
    }
    // If every message is refused, the server is at fault and not a single message.
    if (refused > 1 && refused === batch.length) throw error;
    return downloaded;
  }
}

async function downloadAll(client: ImapFlow, batch: readonly Listed[], limits: FetchLimits): Promise<Downloaded[]> {
  const small = batch.filter((listed) => listed.size <= limits.full_source_bytes);
  const sources = await fetchSources(
    client,
    small.filter((listed) => wholeOf(listed) === null),
    limits,
  );
  const downloaded: Downloaded[] = [];
  for (const listed of batch) {
    const source = wholeOf(listed) ?? sources.get(listed.uid);
    if (listed.size <= limits.full_source_bytes && !(source && source.length >= maxSmallSourceBytes(limits))) {
      // Deleted since it was listed. The next comparison finds that.
      if (source) downloaded.push({ listed, raw: { source } });
    } else {
      const large = await fetchLarge(client, listed, limits);
      if (large) downloaded.push(large);
    }
  }
  return downloaded;
}

/** Returns the bytes that came with the list, if by the server's own size they are the whole message. */
function wholeOf({ beginning, size }: Listed): Uint8Array | null {
  return beginning && size > 0 && beginning.length === size ? beginning : null;
}

/** Servers may estimate sizes. A message longer than this was badly understated and is treated as large. */
const maxSmallSourceBytes = (limits: FetchLimits) => limits.full_source_bytes * 2;

async function fetchSources(
  client: ImapFlow,
  small: readonly Listed[],
  limits: FetchLimits,
): Promise<Map<number, Uint8Array>> {
  if (small.length === 0) return new Map();
  const found = await client.fetchAll(
    uidSet(small.map((listed) => listed.uid)),
    { uid: true, source: { maxLength: maxSmallSourceBytes(limits) } },
    { uid: true },
  );
  return new Map(found.flatMap((message) => (message.source ? [[message.uid, message.source] as const] : [])));
}

/**
 * Fetches header, structure, text parts and invitations. Attachments stay on the server until someone requests them.
 */
async function fetchLarge(client: ImapFlow, listed: Listed, limits: FetchLimits): Promise<Downloaded | null> {
  const ask = async (query: FetchQueryObject): Promise<FetchMessageObject | undefined> =>
    mergeResponses(await client.fetchAll(String(listed.uid), { uid: true, ...query }, { uid: true })).find(
      ({ uid }) => uid === listed.uid,
    );
  // A structure nested too deeply for the library gets no response. It is fetched without its structure, or the mail
  // would be lost. The same applies if the connection did not survive the structure: anyone can send mail with a
  // million parts.
  const key = structureKey(client, listed.uid);
  const described = beyondBounds.has(key)
    ? undefined
    : await ask({ bodyStructure: true, headers: true }).catch((error: unknown) => {
        if (error instanceof ResponseTooLarge) noteBeyondBounds(key);
        throw error;
      });
  const outline = described ?? (await ask({ headers: true }));
  if (!outline?.headers) return null;
  const header = outline.headers;
  if (!outline.bodyStructure) {
    // If BODYSTRUCTURE cannot be read, take the beginning of the source, as long as a text part may be.
    const source = (await ask({ source: { maxLength: limits.text_part_bytes } }))?.source;
    return source ? { listed, raw: { source, cut: source.length >= limits.text_part_bytes } } : null;
  }
  const plan = planParts(outline.bodyStructure);
  // Invitations are small, and are processed on arrival.
  const calendars = plan.attachments.filter(
    ({ mime, name, size }) => isCalendar(mime, name) && size * 2 <= limits.text_part_bytes,
  );
  const wanted = [...plan.text, ...calendars];
  const sampled = plan.attachments.filter((attachment) => !calendars.includes(attachment)).slice(0, MAX_SAMPLES);
  const bodyParts = [
    ...wanted.map(({ part }) => ({ key: part, maxLength: limits.text_part_bytes })),
    ...sampled.map(({ part }) => ({ key: part, maxLength: SAMPLE_BYTES })),
  ];
  const fetched = bodyParts.length > 0 ? await ask({ bodyParts }) : undefined;
  const bytesOf = ({ part }: { part: string }) => fetched?.bodyParts?.get(part.toLowerCase());
  const parts = new Map<string, Uint8Array>();
  for (const each of wanted) {
    const bytes = bytesOf(each);
    if (bytes) parts.set(each.part, bytes);
  }
  const read = await readTexts(client, listed.uid, plan.text, parts, limits);
  const attachments = plan.attachments.map((attachment) => {
    const beginning = sampled.includes(attachment) ? bytesOf(attachment) : undefined;
    return beginning ? withSample(attachment, beginning) : attachment;
  });
  return {
    listed,
    raw: { header, plan: { ...plan, text: read.texts, attachments }, parts: read.parts, cut: read.cut },
  };
}

/** Messages whose structure ended a connection. Not stored: after a restart they are found again. */
const beyondBounds = new Set<string>();
const MAX_NOTED = 10_000;

function noteBeyondBounds(key: string): void {
  if (beyondBounds.size >= MAX_NOTED) beyondBounds.clear();
  beyondBounds.add(key);
}

function structureKey(client: ImapFlow, uid: number): string {
  const { path = "", uidValidity = 0n } = client.mailbox || {};
  return JSON.stringify([client.host, client.options?.auth?.user, path, Number(uidValidity), uid]);
}
/** Number of attachments per message whose size is estimated from their first bytes, with one query. */
const MAX_SAMPLES = 50;

/** Returns a UID set, "1:5,9" for [1,2,3,4,5,9]. The order does not matter. */
export function uidSet(uids: readonly number[]): string {
  const sorted = [...uids].sort((a, b) => a - b);
  const ranges: string[] = [];
  for (let i = 0; i < sorted.length; i++) {
    const from = sorted[i]!;
    while (sorted[i + 1] === sorted[i]! + 1) i++;
    ranges.push(sorted[i] === from ? String(from) : `${from}:${sorted[i]}`);
  }
  return ranges.join(",");
}

/** Splits a list into batches of at most `batch_bytes`. For large messages, only the bytes that are fetched count. */
export function batches(listed: readonly Listed[], batch_bytes: number, limits: FetchLimits): Listed[][] {
  const out: Listed[][] = [];
  let current: Listed[] = [];
  let bytes = 0;
  for (const message of listed) {
    const cost =
      message.size <= limits.full_source_bytes ? message.size : Math.min(message.size, limits.text_part_bytes);
    if (current.length > 0 && (bytes + cost > batch_bytes || current.length >= MAX_BATCH)) {
      out.push(current);
      current = [];
      bytes = 0;
    }
    current.push(message);
    bytes += cost;
  }
  if (current.length > 0) out.push(current);
  return out;
}

/** A batch ends here however small its messages are, so that a waiting request gets its turn. */
const MAX_BATCH = 200;
