import { expect, test } from "bun:test";
import type { ImapFlow } from "imapflow";
import { listDrafts } from "./folder.ts";

/** Returns a connection that answers EXAMINE with this. */
const answering = (box: object) => ({ mailboxOpen: async () => box, fetchAll: async () => [] }) as unknown as ImapFlow;

test("a folder without a reported UIDVALIDITY is rejected, because drafts would look moved and be removed", async () => {
  await expect(listDrafts(answering({ exists: 2 }), "Drafts")).rejects.toThrow("UIDVALIDITY");
  await expect(listDrafts(answering({ exists: 0, uidValidity: 0n }), "Drafts")).rejects.toThrow("UIDVALIDITY");
});

test("a list that is shorter than the folder is rejected", async () => {
  await expect(listDrafts(answering({ exists: 2, uidValidity: 7n }), "Drafts")).rejects.toThrow(
    "did not list everything",
  );
});

test("an empty folder has no drafts", async () => {
  expect(await listDrafts(answering({ exists: 0, uidValidity: 7n }), "Drafts")).toEqual({ uidvalidity: 7, listed: [] });
});
