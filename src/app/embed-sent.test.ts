import { afterEach, beforeEach, expect, test } from "bun:test";
import { acceptsAll, createSendFixture, type SendFixture } from "../../test/support/send-fixture.ts";
import { EMBED_JOB } from "../ml/semantic/backfill.ts";
import { localDelivery } from "./mail.ts";

let fixture: SendFixture;
beforeEach(() => {
  fixture = createSendFixture();
});
afterEach(() => fixture.h.close());

const send = async () => {
  await fixture.send("/messages/send", { to: ["maria@acme.example"], subject: "Lunch", undo_window_s: 0 });
  await fixture.advance(10);
};
const dueIn = () => fixture.h.platform.jobs.nextDue([EMBED_JOB])! - fixture.h.clock.now();

test("sent messages are embedded together, five seconds after the first of them", async () => {
  fixture.dispatch(acceptsAll());
  await send();
  expect(dueIn()).toBe(5_000);
  fixture.h.clock.advance(2_000);
  await send();
  expect(dueIn()).toBe(2_990);
  const { sql } = fixture.h.platform.db;
  expect(sql.query("SELECT count(*) AS queued FROM embed_queue").get()).toEqual({ queued: 2 });
});

test("mail that arrives is embedded at once, and sent messages with it", async () => {
  fixture.dispatch(acceptsAll());
  await send();
  const { h, mailbox, seeded } = fixture;
  const delivery = localDelivery(h.platform, mailbox);
  const source = Buffer.from(
    "From: maria@acme.example\r\nMessage-ID: <1@acme.example>\r\nSubject: Re: Lunch\r\n\r\nYes.",
  );
  const folder = mailbox.folders.upsert(seeded.account, "INBOX", "/", "inbox");
  const incoming = (await delivery.read(source))({
    folderId: folder.id,
    uid: 900,
    internalDate: h.clock.now(),
    size: source.length,
    flags: { seen: false, flagged: false, answered: false, draft: false, important: false },
    labels: [],
    flagsHash: 0,
    serverThreadId: null,
  });
  h.platform.db.write(() => delivery.take(seeded.account, folder, incoming));
  expect(dueIn()).toBe(0);
});
