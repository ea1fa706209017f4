import { afterEach, beforeEach, expect, test } from "bun:test";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { fullDisk } from "../../../test/support/full-disk.ts";
import { createSendFixture, type SendFixture } from "../../../test/support/send-fixture.ts";
import { DraftCopies } from "./copies.ts";
import type { DraftIntake } from "./intake.ts";
import { DRAFTS_JOB } from "./store.ts";
import { DraftSync } from "./sync.ts";

/** Unusual or hostile messages in a Drafts folder. Ordinary ones are covered by test/flows/send-drafts.test.ts. */
let fixture: SendFixture;
let taken: number[];
let fetched: string[];
beforeEach(() => {
  fixture = createSendFixture();
  fixture.seeded.folder("drafts");
  [taken, fetched] = [[], []];
});
afterEach(() => fixture.h.close());

const message = (uid: number, size = 1_000): FetchMessageObject => ({
  seq: uid,
  uid,
  size,
  flags: new Set(["\\Draft"]),
  internalDate: new Date(0),
  headers: Buffer.from(`Message-ID: <${uid}@drafts.example>\r\n\r\n`),
});

/** Creates the draft sync of the fixture's mailbox, with a folder that returns these responses. */
function draftSync(answers: FetchMessageObject[], { exists = answers.length, unreadable = [] as number[] } = {}) {
  const { h, mailbox, outbound } = fixture;
  const client = {
    usable: true,
    mailboxOpen: async () => ({ uidValidity: 1n, exists }),
    fetchAll: async (range: string) => {
      if (range === "1:*") return answers;
      fetched.push(range);
      return [{ seq: 1, uid: Number(range), source: Buffer.from("Subject: x\r\n\r\n") }];
    },
  };
  const intake: Pick<DraftIntake, "take" | "noteDeleted"> = {
    take: async (_account, { location: { uid } }) => {
      if (unreadable.includes(uid)) throw new Error("cannot be read");
      taken.push(uid);
      return `drf_${uid}`;
    },
    noteDeleted: (_account, id) => void fetched.push(`deleted ${id}`),
  };
  return new DraftSync({
    platform: h.platform,
    accounts: mailbox.accounts,
    folders: mailbox.folders,
    store: outbound.draftStore,
    copies: new DraftCopies(h.platform, outbound.draftStore),
    files: outbound.draftFiles,
    intake: intake as DraftIntake,
    withMailbox: (_account, task) => task(client as unknown as ImapFlow),
    syncNow: () => {},
  });
}

/** Runs one turn of the sync, in which drafts with the UIDs of `unreadable` cannot be read. */
function turn(...given: Parameters<typeof draftSync>) {
  const sync = draftSync(...given);
  const { id: account_id, user_id } = fixture.seeded.account;
  const job = { id: "job_1", kind: DRAFTS_JOB, dedupe_key: account_id, user_id, payload: { account_id }, attempt: 1 };
  return sync.handler.run(job);
}

test("an unreadable draft does not hold up the others, and is tried again later", async () => {
  const outcome = await turn([message(1), message(2), message(3)], { unreadable: [2] });
  expect(taken).toEqual([1, 3]);
  expect(outcome).toMatchObject({ outcome: "retry", run_at: fixture.h.clock.now() + 5_000 });
});

test("a folder full of unreadable drafts is retried with a delay", async () => {
  const all = Array.from({ length: 30 }, (_, i) => message(i + 1));
  const outcome = await turn(all, { unreadable: all.map(({ uid }) => uid) });
  expect(outcome.outcome).toBe("retry");
  expect(fixture.h.platform.jobs.nextDue([DRAFTS_JOB])).toBeNull();
});

test("a huge message is left where it is, unread", async () => {
  expect((await turn([message(1, 2 ** 30), message(2)])).outcome).toBe("done");
  expect([taken, fetched]).toEqual([[2], ["2"]]);
});

test("flag updates between the responses are not drafts, and do not complete an incomplete list", async () => {
  const news: FetchMessageObject = { seq: 2, uid: 2, flags: new Set(["\\Seen"]) };
  await turn([message(1), news, message(2)], { exists: 2 });
  expect(taken).toEqual([1, 2]);
  expect((await turn([message(1), news], { exists: 2 })).outcome).toBe("retry");
});

test("a check that fails on a full disk is repeated later, and stops nothing", async () => {
  const { h, seeded } = fixture;
  seeded.deliver({ role: "drafts" });
  const disk = fullDisk(h.platform.db.sql);
  const sync = draftSync([]);
  disk.watch(0);
  sync.start();
  h.clock.advance(10_000);
  expect(h.platform.jobs.nextDue([DRAFTS_JOB])).toBeNull();
  disk.free();
  h.clock.advance(10_000);
  expect(h.platform.jobs.nextDue([DRAFTS_JOB])).not.toBeNull();
  sync.stop();
});
