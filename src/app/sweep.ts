import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { PartCache } from "../platform/blobs/cache.ts";
import type { Platform } from "../platform/platform.ts";
import { createPeople } from "./people.ts";

/**
 * Deletes stored files whose message or draft is gone, or was never written because the process was killed.
 * @returns how many
 */
export function sweepFiles(
  platform: Platform,
  mailbox: Mailbox,
  { draftStore }: Outbound,
  parts: PartCache,
): Promise<number> {
  const { users } = platform;
  const { contextFiles } = createPeople(platform, mailbox);
  const people = users.list();
  const ids = people.flatMap((person) => [person.id, users.sandboxOf(person.id).id]);
  return parts.sweep(ids, function* (user_id) {
    yield* mailbox.messageQueries.idsOf(user_id);
    yield* draftStore.idsOf(user_id);
    yield* contextFiles.idsOf(user_id);
  });
}
