import { afterEach, beforeEach, expect, test } from "bun:test";
import { createSearchFixture, type SearchFixture } from "../../../test/support/search-fixture.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { searchProgress } from "../../mailbox/search/progress.ts";
import { onThisThread } from "./fulltext-worker.ts";
import { MODES } from "./model.ts";
import { SearchService } from "./service.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
  s.semantic = s.knowing({ Heron: 0.9 });
});
afterEach(() => s.h.close());

/** Queues text for indexing, as the upgrade of a mailbox does. */
const queue = (account_id: string) =>
  s.h.platform.db.sql
    .query(
      `INSERT INTO search_queue (message_n, user_id, account_id, at)
       SELECT n, user_id, account_id, internal_date FROM messages WHERE account_id = ?`,
    )
    .run(account_id);

async function ask(mode: string, account_id?: string) {
  const { status, json } = await s.h.call("POST", "/search", { body: { query: "heron", mode, account_id } });
  expect(status).toBe(200);
  return [json.partial, json.waiting_full_text, json.data.length];
}

test.each(MODES)("while text waits to be indexed, a %s search works and reports that it is partial", async (mode) => {
  const { account } = s.seeded;
  s.deliver({ subject: "Heron" });
  expect(await ask(mode)).toEqual([false, 0, 1]);
  queue(account.id);
  expect(await ask(mode)).toEqual([true, 1, 1]);
});

test("a search is partial only in a mailbox whose text waits", async () => {
  const other = seedMailbox(s.h.platform, s.h.user.id, { mailbox: s.mailbox, email: "ada@second.example" });
  s.deliver({ subject: "Heron" });
  for (let i = 0; i < 3; i++) s.deliver({ subject: "Heron" }, other);
  queue(other.account.id);
  expect(await ask("keyword", s.seeded.account.id)).toEqual([false, 0, 1]);
  expect(await ask("keyword", other.account.id)).toEqual([true, 3, 3]);
  expect(await ask("keyword")).toEqual([true, 3, 4]);
});

test.each(MODES)("a %s search is partial if text was missing only while it read the index", async (mode) => {
  const { account } = s.seeded;
  s.deliver({ subject: "Heron" });
  const { platform, user } = s.h;
  const { search, reindexer } = s.mailbox;
  const find = async (...args: Parameters<typeof search.find>) => {
    queue(account.id);
    const found = search.find(...args);
    while (reindexer.reindexBatch(user.id).hasMore);
    return found;
  };
  const lookup = { ...onThisThread(search), find };
  const service = new SearchService({ platform, mailbox: s.mailbox, semantic: s.semantic, lookup });
  const scope = { user_id: user.id, account_id: null };
  const { partial } = await service.find(scope, "heron", mode);
  expect([partial, search.isPartial(scope)]).toEqual([true, false]);
});

test("the progress counts queued messages", () => {
  const { account } = s.seeded;
  for (let i = 0; i < 30; i++) s.deliver({});
  const progress = () => searchProgress(s.h.platform, account.id).full_text;
  expect(progress()).toEqual({ done: 30, total: 30 });
  queue(account.id);
  expect(progress()).toEqual({ done: 0, total: 30 });
  s.mailbox.reindexer.reindexBatch(s.h.user.id);
  expect(progress()).toEqual({ done: 25, total: 30 });
});
