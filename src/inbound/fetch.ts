import type { FetchMessageObject, ImapFlow } from "imapflow";
import { parseMessage } from "../wire/mime/parse.ts";
import { parseFromParts } from "../wire/mime/parts.ts";
import { planParts } from "../wire/mime/structure.ts";
import type { ParsedMessage } from "../wire/mime/types.ts";

/** What is known of a message before its content: enough to plan what to fetch. */
export interface Listed {
  uid: number;
  size: number;
  internal_date: number;
  flags: Set<string> | undefined;
  gmail_labels: Set<string> | undefined;
  server_thread_id: string | null;
}

export interface FetchLimits {
  /** Messages up to this many bytes are fetched whole. */
  full_source_bytes: number;
  /** Most bytes fetched of one text part of a larger message. */
  text_part_bytes: number;
}

/** A message's bytes, whole or in parts. */
export interface Downloaded {
  listed: Listed;
  parse: () => Promise<ParsedMessage>;
}

/** Lists messages of the selected folder: sizes, dates, flags. */
export async function listMessages(client: ImapFlow, range: string): Promise<Listed[]> {
  const gmail = client.capabilities.has("X-GM-EXT-1");
  const query = { uid: true, size: true, internalDate: true, flags: true, threadId: true, labels: gmail };
  const found = await client.fetchAll(range, query, { uid: true });
  return found.flatMap((message) => {
    const listed = toListed(message);
    return listed ? [listed] : [];
  });
}

function toListed(message: FetchMessageObject): Listed | null {
  if (!message.uid) return null;
  const date = message.internalDate ? new Date(message.internalDate).getTime() : Number.NaN;
  return {
    uid: message.uid,
    size: message.size ?? 0,
    internal_date: Number.isFinite(date) ? date : 0,
    flags: message.flags,
    gmail_labels: message.labels,
    server_thread_id: message.threadId ?? null,
  };
}

/** Fetches the content of listed messages: small ones whole in one command, larger ones part by part. */
export async function download(client: ImapFlow, batch: readonly Listed[], limits: FetchLimits): Promise<Downloaded[]> {
  const small = batch.filter((listed) => listed.size <= limits.full_source_bytes);
  const sources = await fetchSources(client, small);
  const downloaded: Downloaded[] = [];
  for (const listed of batch) {
    if (listed.size <= limits.full_source_bytes) {
      const source = sources.get(listed.uid);
      // Gone since it was listed: the next comparison notices.
      if (source) downloaded.push({ listed, parse: () => parseMessage(source) });
    } else {
      const large = await fetchLarge(client, listed, limits);
      if (large) downloaded.push(large);
    }
  }
  return downloaded;
}

async function fetchSources(client: ImapFlow, small: readonly Listed[]): Promise<Map<number, Uint8Array>> {
  if (small.length === 0) return new Map();
  const found = await client.fetchAll(
    uidSet(small.map((listed) => listed.uid)),
    { uid: true, source: true },
    { uid: true },
  );
  return new Map(found.flatMap((message) => (message.source ? [[message.uid, message.source] as const] : [])));
}

/** Header, structure and text parts; attachments stay on the server until somebody asks for them. */
async function fetchLarge(client: ImapFlow, listed: Listed, limits: FetchLimits): Promise<Downloaded | null> {
  const uid = String(listed.uid);
  const outline =
    (await client.fetchOne(uid, { uid: true, bodyStructure: true, headers: true }, { uid: true })) || null;
  if (!outline?.headers) return null;
  const header = outline.headers;
  if (!outline.bodyStructure) {
    // A server whose BODYSTRUCTURE cannot be read: take the beginning of the source, as much as a text part may have.
    const start = await client.fetchOne(
      uid,
      { uid: true, source: { maxLength: limits.text_part_bytes } },
      { uid: true },
    );
    const source = start ? start.source : undefined;
    return source ? { listed, parse: () => parseMessage(source) } : null;
  }
  const plan = planParts(outline.bodyStructure);
  const bodyParts = plan.text.map(({ part }) => ({ key: part, maxLength: limits.text_part_bytes }));
  const parts = new Map<string, Uint8Array>();
  if (bodyParts.length > 0) {
    const fetched = await client.fetchOne(uid, { uid: true, bodyParts }, { uid: true });
    for (const { part } of plan.text) {
      const bytes = fetched ? fetched.bodyParts?.get(part.toLowerCase()) : undefined;
      if (bytes) parts.set(part, bytes);
    }
  }
  return { listed, parse: () => parseFromParts(header, plan, parts) };
}

/** "1:5,9" for [1,2,3,4,5,9]; the order does not matter. */
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

/** Cuts a list into batches of at most `batch_bytes`, counting of large messages only what is fetched of them. */
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

/** However small the messages, a batch ends here, so that a waiting request gets its turn. */
const MAX_BATCH = 200;
