import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { markDueSendsSubmitted } from "./restored-sends.ts";
import { type NewSend, SendStore } from "./store.ts";

let scratch: Scratch;
let sends: SendStore;
beforeEach(() => {
  scratch = scratchPlatform();
  sends = new SendStore(scratch.platform);
});
afterEach(() => scratch.close());

function put(account_id: string, undo_until: number, scheduled_at: number | null = null): string {
  const { platform, user } = scratch;
  const id = platform.newId("send");
  const bob = { name: "Bob", email: "bob@example.net" };
  const more = { key_id: null, pool_id: user.id, draft_id: platform.newId("draft"), scheduled_at, created_at: 0 };
  const mail = { message_id_header: `<${id}@x>`, from: bob, to: [bob], cc: [], bcc: [], subject: "Hello" };
  sends.insert({ id, user_id: user.id, account_id, undo_until, ...more, ...mail } as unknown as NewSend);
  return id;
}

test("sends that became due since the backup count as submitted; later ones and those of the sandbox do not", () => {
  const { platform, user, clock } = scratch;
  const { account } = seedMailbox(platform, user.id, {});
  const sandbox = seedMailbox(platform, user.id, { provider: "sandbox", email: "alex@sandbox.example" });
  const now = clock.now();
  const due = put(account.id, now - 1_000);
  const later = put(account.id, now + 3_600_000, now + 3_600_000);
  const plays = put(sandbox.account.id, now - 1_000);
  expect(markDueSendsSubmitted(platform.db, now)).toBe(1);
  expect(sends.get(due)).toMatchObject({ status: "sending", handed_over_at: now, attempts: 1 });
  expect(sends.get(later)).toMatchObject({ status: "scheduled", handed_over_at: null });
  expect(sends.get(plays)).toMatchObject({ status: "scheduled", handed_over_at: null });
});
