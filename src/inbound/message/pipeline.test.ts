import { afterAll, expect, test } from "bun:test";
import { scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { createMailbox } from "../../mailbox/mailbox.ts";
import type { IncomingContents } from "../../mailbox/store/incoming.ts";
import type { InboundStep } from "./arrival.ts";
import { readOnThisThread } from "./parsed-message.ts";
import { Pipeline, toIncoming } from "./pipeline.ts";

const scratch = scratchPlatform();
const mailbox = createMailbox(scratch.platform);
const account = mailbox.accounts.add({
  user_id: scratch.user.id,
  provider: "imap",
  email: "ada@example.org",
  connection: null,
});
const folder = mailbox.folders.upsert(account, "INBOX", "/", "inbox");

afterAll(() => scratch.close());

/** Stores the messages as one batch. */
async function take(
  uids: readonly number[],
  steps: readonly InboundStep[],
  spoil: (contents: IncomingContents) => IncomingContents,
) {
  const raws = uids.map((uid) => ({
    source: Buffer.from(
      `From: Bob <bob@example.net>\r\nMessage-ID: <${uid}@example.net>\r\nSubject: ${uid}\r\n\r\nText.`,
    ),
  }));
  const read = await readOnThisThread(raws);
  const batch = read.map(({ contents }, i) =>
    toIncoming(spoil(contents), {
      folderId: folder.id,
      uid: uids[i]!,
      internalDate: 1_000 + i,
      size: 100,
      flags: { seen: false, flagged: false, answered: false, draft: false, important: false },
      labels: [],
      flagsHash: 0,
      serverThreadId: null,
    }),
  );
  const pipeline = new Pipeline({ version: "1", platform: scratch.platform, ...mailbox, steps });
  return scratch.platform.db.write(() => pipeline.take(account, folder, batch));
}

const stored = () => mailbox.locationSync.uidsFrom(folder.id, 1, 100);
const asItIs = (contents: IncomingContents) => contents;

test("a message that cannot be stored is left out and logged, and the others of its batch are stored once", async () => {
  // An invalid address, which a parser must not return.
  const spoil = (contents: IncomingContents): IncomingContents =>
    contents.subject === "2" ? { ...contents, from: { name: "", email: null as never } } : contents;
  const steps: string[] = [];
  const note: InboundStep = { name: "note", run: ({ incoming }) => void steps.push(incoming.subject) };
  expect(await take([1, 2, 3], [note], spoil)).toEqual({ taken: 2, failed: 1 });
  expect(stored()).toEqual([1, 3]);
  expect(steps).toEqual(["1", "3"]);
  expect(scratch.log.filter((line) => line.includes("could not be stored"))).toHaveLength(1);
});

test("storing a batch again changes nothing", async () => {
  const steps: string[] = [];
  const note: InboundStep = { name: "note", run: ({ incoming }) => void steps.push(incoming.subject) };
  expect(await take([11, 12], [], asItIs)).toEqual({ taken: 2, failed: 0 });
  expect(await take([11, 12], [note], asItIs)).toEqual({ taken: 0, failed: 0 });
  expect(steps).toEqual([]);
});

test("each step runs for the whole batch before the next step begins", async () => {
  const seen: string[] = [];
  const step = (name: string): InboundStep => ({
    name,
    run: ({ incoming }) => void seen.push(`${name} ${incoming.subject}`),
  });
  await take([21, 22], [step("first"), step("second")], asItIs);
  expect(seen).toEqual(["first 21", "first 22", "second 21", "second 22"]);
});
