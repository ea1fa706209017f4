/** The answers to FETCH, told from what a server says unasked in between. */
import type { FetchMessageObject, FetchQueryObject, ImapFlow } from "imapflow";

/**
 * One row per UID. A server may tell of a change to any message at any time (RFC 9051 §7.5.2), so before and between the
 * answers that were asked for stand others that have flags alone.
 */
export function mergeAnswers(found: readonly FetchMessageObject[]): FetchMessageObject[] {
  const merged = new Map<number, FetchMessageObject>();
  for (const message of found) {
    if (message.uid) merged.set(message.uid, Object.assign(merged.get(message.uid) ?? {}, message));
  }
  return [...merged.values()];
}

/**
 * What the server says of one message of the open folder; null when it says nothing of it. The library's `fetchOne` gives
 * whatever comes first, which may be the flags of another message.
 */
export async function fetchByUid(
  client: Pick<ImapFlow, "fetchAll">,
  uid: number,
  query: FetchQueryObject,
): Promise<FetchMessageObject | null> {
  const found = await client.fetchAll(String(uid), { uid: true, ...query }, { uid: true });
  return mergeAnswers(found).find((message) => message.uid === uid) ?? null;
}
