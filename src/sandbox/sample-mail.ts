import { composeThread } from "./compose.ts";
import { colleagues } from "./threads/colleagues.ts";
import { europe } from "./threads/europe.ts";
import { family } from "./threads/family.ts";
import { friends } from "./threads/friends.ts";
import { harbourline } from "./threads/harbourline.ts";
import { home } from "./threads/home.ts";
import { junk } from "./threads/junk.ts";
import { lists } from "./threads/lists.ts";
import { newsletters } from "./threads/newsletters.ts";
import { nimbus } from "./threads/nimbus.ts";
import { receipts } from "./threads/receipts.ts";
import { travel } from "./threads/travel.ts";
import type { SandboxRawMessage, SandboxThread } from "./types.ts";

/** The sources of the sandbox mailbox: the mail of Alex Morgan, a product designer in Lisbon. */
export const sandboxThreads: SandboxThread[] = [
  ...harbourline,
  ...nimbus,
  ...europe,
  ...colleagues,
  ...family,
  ...friends,
  ...home,
  ...receipts,
  ...travel,
  ...lists,
  ...newsletters,
  ...junk,
];

/**
 * The mail of the sandbox mailbox as raw RFC 5322 messages, oldest first. Dates are relative to `now`, the seeding
 * time: the newest message is minutes old, the oldest about 14 months. The same `now` gives the same bytes.
 */
export async function sandboxMessages(now: Date): Promise<SandboxRawMessage[]> {
  const composed: SandboxRawMessage[] = [];
  for (const thread of sandboxThreads) composed.push(...(await composeThread(thread, now)));
  return composed.sort((a, b) => a.internalDate.getTime() - b.internalDate.getTime());
}
