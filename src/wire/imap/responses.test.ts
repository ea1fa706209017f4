import { expect, test } from "bun:test";
import type { FetchMessageObject, ImapFlow } from "imapflow";
import { fetchByUid, mergeResponses } from "./responses.ts";

const flags = (uid: number, seq = uid): FetchMessageObject => ({ seq, uid, flags: new Set(["\\Seen"]) });
const server = (answers: FetchMessageObject[]) => ({ fetchAll: async () => answers }) as unknown as ImapFlow;

test("unsolicited flag updates are not taken for the answer, before or after it", async () => {
  const answer: FetchMessageObject = { seq: 5, uid: 5, source: Buffer.from("Hello") };
  for (const answers of [
    [flags(7), flags(5), answer],
    [answer, flags(5), flags(7)],
  ]) {
    const found = await fetchByUid(server(answers), 5, { source: true });
    expect([found?.uid, found?.source?.toString()]).toEqual([5, "Hello"]);
  }
});

test("a message without an answer is missing", async () => {
  expect(await fetchByUid(server([flags(7)]), 5, { size: true })).toBeNull();
  expect(await fetchByUid(server([]), 5, { size: true })).toBeNull();
});

test("several answers for one message are merged; answers without a UID are ignored", () => {
  const merged = mergeResponses([{ seq: 1, uid: 1, size: 9 }, flags(1), { seq: 2 } as FetchMessageObject]);
  expect(merged).toEqual([{ seq: 1, uid: 1, size: 9, flags: new Set(["\\Seen"]) }]);
});
