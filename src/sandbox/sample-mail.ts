import { composeThread } from "./compose.ts";
import colleagues from "./mail/colleagues.txt" with { type: "text" };
import europe from "./mail/europe.txt" with { type: "text" };
import family from "./mail/family.txt" with { type: "text" };
import friends from "./mail/friends.txt" with { type: "text" };
import harbourline from "./mail/harbourline.txt" with { type: "text" };
import home from "./mail/home.txt" with { type: "text" };
import junk from "./mail/junk.txt" with { type: "text" };
import lists from "./mail/lists.txt" with { type: "text" };
import newsletters from "./mail/newsletters.txt" with { type: "text" };
import nimbus from "./mail/nimbus.txt" with { type: "text" };
import receipts from "./mail/receipts.txt" with { type: "text" };
import travel from "./mail/travel.txt" with { type: "text" };
import { readThreads } from "./reader.ts";
import type { SandboxRawMessage, SandboxThread } from "./types.ts";

/** The files of src/sandbox/mail. They are part of the executable. */
const FILES: Record<string, string> = {
  harbourline,
  nimbus,
  europe,
  colleagues,
  family,
  friends,
  home,
  receipts,
  travel,
  lists,
  newsletters,
  junk,
};

/**
 * Reads the sources of the sandbox mailbox: the mail of Alex Morgan, a product designer in Lisbon. The result is not
 * kept, because a server needs it only when it fills a sandbox.
 */
export function sandboxThreads(): SandboxThread[] {
  return Object.entries(FILES).flatMap(([name, content]) => readThreads(`src/sandbox/mail/${name}.txt`, content));
}

/**
 * Returns the mail of the sandbox mailbox as raw RFC 5322 messages, oldest first. Dates are relative to `now`, the
 * seeding time: the newest message is minutes old, the oldest about 14 months. The output is deterministic.
 */
export async function sandboxMessages(now: Date): Promise<SandboxRawMessage[]> {
  const composed: SandboxRawMessage[] = [];
  for (const thread of sandboxThreads()) composed.push(...(await composeThread(thread, now)));
  return composed.sort((a, b) => a.internalDate.getTime() - b.internalDate.getTime());
}
