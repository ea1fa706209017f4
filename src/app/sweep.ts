import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { PartCache } from "../platform/blobs/cache.ts";
import type { Platform } from "../platform/platform.ts";
import { createPeople } from "./people.ts";

/**
 * Deletes stored files whose message or draft is gone, or was never written because the process was killed. @returns
 * how many
 */
export function sweepFiles(
  platform: Platform,
  mailbox: Mailbox,
  { draft_store }: Outbound,
  parts: PartCache,
): Promise<number> {
  const { users } = platform;
  const { context_files } = createPeople(platform, mailbox);
  const people = users.list();
  const ids = people.flatMap((person) => [person.id, users.sandboxOf(person.id).id]);
  return parts.sweep(ids, function* (user_id) {
    yield* mailbox.messageQueries.idsOf(user_id);
    yield* draft_store.idsOf(user_id);
    yield* context_files.idsOf(user_id);
  });
}
