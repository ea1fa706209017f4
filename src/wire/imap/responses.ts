/** Separates the answers to FETCH from the updates that a server sends unasked in between. */
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";

/**
 * Returns one row per UID. A server may report a change to any message at any time (RFC 9051 §7.5.2), so responses with
 * only flags can appear before and between the requested answers.
 */
export function mergeResponses(found: readonly FetchMessageObject[]): FetchMessageObject[] {
  const merged = new Map<number, FetchMessageObject>();
  for (const message of found) {
    if (message.uid) merged.set(message.uid, Object.assign(merged.get(message.uid) ?? {}, message));
  }
  return [...merged.values()];
}

/**
 * Returns what the server reports about one message of the open folder, or null when it reports nothing. The library's
 * `fetchOne` returns the first response, which may be the flags of another message.
 */
export async function fetchByUid(
  client: Pick<ImapFlow, "fetchAll">,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchMessageObject | null> {
  const found = await client.fetchAll(String(uid), { uid: true, ...query }, { uid: true });
  return mergeResponses(found).find((message) => message.uid === uid) ?? null;
}
