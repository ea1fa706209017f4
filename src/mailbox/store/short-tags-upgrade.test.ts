import { afterEach, beforeEach, expect, test } from "bun:test";
import { databaseOf } from "../../../test/schemas/freeze.ts";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, type SeedMessage, seedMailbox } from "../../../test/support/seed-mail.ts";
import { MIGRATIONS } from "../../platform/db/migrate.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import { identify, messageIdHmac } from "../threading/identity.ts";
import { participantsOf } from "../threading/thread-index.ts";
import { subjectKey } from "../threading/thread-links.ts";
import { envelopeOf, openStoredContent } from "./stored-message.ts";

/**
 * The migration 0019_short_tags.sql turns the long HMACs of earlier versions into the short tags that new mail has.
 */

let h: Harness;
let seed: SeededMailbox;
beforeEach(() => {
  h = createHarness();
  seed = seedMailbox(h.platform, h.user.id);
});
afterEach(() => h.close());

const TAGS = "msgid_hmac, content_hmac, sender_hmac, subject_hmac, people";
const STEP = MIGRATIONS.findIndex(({ name }) => name === "0019_short_tags");
const person = (i: number) => ({ name: "", email: `p${i}@example.net` });

/** What earlier versions stored for a message: 16 bytes for each value, and four for each address. */
function longTags(sealer: Sealer, id: string) {
  const kept = openStoredContent(h.platform, id)!;
  const { digest } = identify(sealer, kept);
  const key = subjectKey(kept.subject);
  const addresses = [...new Set(participantsOf(envelopeOf(kept)).map((address) => address.toLowerCase()))];
  const others = addresses.filter((address) => address !== seed.account.email);
  const [among, named] = others.length > 0 ? ["others", others] : ["self", addresses];
  return [
    messageIdHmac(sealer, kept.messageId!),
    sealer.hmac("content", digest),
    sealer.hmac("address", kept.from.email.toLowerCase()),
    key === null ? null : sealer.hmac("subject", key),
    key === null
      ? new Uint8Array()
      : Buffer.concat(named.map((a) => sealer.hmac("subject", `${among}\0${a}\0${key}`).subarray(0, 4))),
  ];
}

test("after the upgrade, stored mail has the tags of new mail, and is marked where the user wrote to its sender", () => {
  const { platform } = h;
  const sealer = platform.keyring.forUser(h.user.id);
  const mails: SeedMessage[] = [
    { subject: "A plan" },
    { subject: "Re: A plan", from: person(1), to: [person(2), person(3)] },
    { subject: "ok", from: person(4) },
    { subject: "To myself", from: { name: "", email: seed.account.email } },
    { subject: "To all", to: Array.from({ length: 99 }, (_, i) => person(i)) },
  ];
  for (const mail of mails) seed.deliver(mail);
  const target = { id: seed.account.id, user_id: h.user.id, self: new Set([seed.account.email]) };
  platform.db.write(() => {
    seed.mailbox.importer.noteCorrespondents(target, { to: [person(1), person(7)], cc: [], bcc: [] }, false);
  });

  const old = databaseOf(":memory:", MIGRATIONS.slice(0, STEP));
  old.run("PRAGMA foreign_keys = OFF");
  const stored = platform.db.sql
    .query<{ n: number; id: string; subject_kind: number }, []>("SELECT n, id, subject_kind FROM messages ORDER BY n")
    .all();
  for (const { n, id, subject_kind } of stored) {
    old
      .query(
        `INSERT INTO messages (n, id, user_id, account_id, thread_id, internal_date, sent_date, size, unread, starred, answered,
           has_attachment, category, category_reason, subject_kind, head, created_at, ${TAGS})
         VALUES (?, ?, 'u', ?, 't', 0, 0, 0, 0, 0, 0, 0, '', '', ?, x'', 0, ?, ?, ?, ?, ?)`,
      )
      .run(n, id, seed.account.id, subject_kind, ...longTags(sealer, id));
  }
  for (const i of [1, 7]) {
    const hmac = sealer.hmac("address", person(i).email);
    old.query("INSERT INTO correspondents VALUES (?, ?)").run(seed.account.id, hmac);
  }
  old.run("INSERT INTO bounces VALUES ('snd_1', zeroblob(16), 'failed', x'', 0)");
  old.transaction(() => old.run(MIGRATIONS[STEP]!.sql))();

  const columns = TAGS.replaceAll(/\w+/g, "hex($&) AS $&");
  const query = `SELECT id, ${columns}, from_correspondent FROM messages ORDER BY n`;
  const upgraded = old.query(query).all();
  expect(upgraded).toEqual(platform.db.sql.query(query).all());
  expect(upgraded).toMatchObject([0, 1, 0, 0, 0].map((from_correspondent) => ({ from_correspondent })));
  expect(
    old.query("SELECT recipient_hmac = zeroblob(16) AS kept, length(recipient_hmac) AS l FROM bounces").get(),
  ).toEqual({
    kept: 0,
    l: 16,
  });
  old.close();
});
