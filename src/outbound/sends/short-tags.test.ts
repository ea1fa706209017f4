import { afterEach, beforeEach, expect, test } from "bun:test";
import { collidingPair } from "../../../test/support/colliding.ts";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { messageIdTag } from "../../mailbox/threading/identity.ts";
import type { BouncedRecipient } from "../bounces/store.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

let sends = 0;
/** Records a send with this Message-ID. */
function note(message_id_header: string) {
  const { h, outbound, seeded } = fixture;
  const id = `snd_${sends++}`;
  outbound.sends.insert({
    ...{ id, user_id: h.user.id, account_id: seeded.account.id, key_id: null, pool_id: h.user.id, draft_id: "dft_x" },
    ...{
      undo_until: 0,
      scheduled_at: null,
      created_at: 0,
      message_id_header,
      from: "ada@example.org",
    },
    ...{ to: ["maria@acme.example"], cc: [], bcc: [], subject: "Lunch" },
  });
  return outbound.sends.get(id)!;
}

test("a delivery report is matched to the send that it names, not to one whose Message-ID has the same tag", () => {
  const sealer = fixture.h.platform.keyring.forUser(fixture.h.user.id);
  const [one, other] = collidingPair(
    (i) => `<${i}@example.org>`,
    (id) => messageIdTag(sealer, id),
  );
  const find = (id: string) => fixture.outbound.sends.byMessageId(fixture.h.user.id, id)?.id;
  const first = note(one);
  expect([find(one), find(other)]).toEqual([first.id, undefined]);
  const second = note(other);
  expect([find(one), find(other)]).toEqual([first.id, second.id]);
});

test("a recipient bounces once for each send, with a different tag in each", () => {
  const { bounces } = fixture.outbound;
  const { sql } = fixture.h.platform.db;
  const [first, second] = [note("<a@example.org>"), note("<b@example.org>")];
  const bounce: BouncedRecipient = {
    ...{ recipient: "Maria@acme.example", status: "5.1.1", detail: "No such user", message_id: "msg_x", at: 1 },
  };
  expect(bounces.add(first, bounce)).toBe(true);
  expect(bounces.add(first, { ...bounce, recipient: "maria@ACME.example" })).toBe(false);
  expect(bounces.add(first, { ...bounce, recipient: "bob@acme.example" })).toBe(true);
  expect(bounces.add(second, bounce)).toBe(true);
  const tags = sql.query<{ tag: string }, []>("SELECT DISTINCT hex(recipient_hmac) AS tag FROM bounces").all();
  expect(tags).toHaveLength(3);
  // Rows of earlier versions look like this after the upgrade.
  sql.run("UPDATE bounces SET recipient_hmac = randomblob(16)");
  expect(bounces.add(first, bounce)).toBe(false);
  expect(bounces.of(first)).toHaveLength(2);
});
