import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type PeopleFixture, peopleFixture } from "../../test/support/people-fixture.ts";
import { runDueJobs } from "../../test/support/run-jobs.ts";
import type { Account } from "../mailbox/accounts/accounts.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { SegmentDictionary } from "../mailbox/search/dictionary.ts";
import { hasLegacyIndex, legacyIndexRemains } from "../mailbox/search/legacy.ts";
import { parseQuery } from "../mailbox/search/query.ts";
import { Snapshots } from "../mailbox/search/segments/snapshot.ts";
import { BlockCache } from "../mailbox/search/segments/store.ts";
import type { JobHandler } from "../platform/jobs/runner.ts";
import {
  MAINTENANCE_JOB,
  maintenanceHandler,
  queueIndexWork,
  REINDEX_JOB,
  REMOVE_LEGACY_JOB,
  reindexHandler,
  removeLegacyHandler,
} from "./fulltext.ts";
import { FILES_JOB } from "./search-files.ts";

const HOUR_MS = 3_600_000;

let s: PeopleFixture;
let handlers: Record<string, JobHandler>;
beforeEach(() => {
  s = peopleFixture(() => []);
  const { platform } = s.h;
  handlers = {
    [REINDEX_JOB]: reindexHandler(platform, s.mailbox),
    [MAINTENANCE_JOB]: maintenanceHandler(platform, s.mailbox),
    [REMOVE_LEGACY_JOB]: removeLegacyHandler(platform),
  };
});
afterEach(() => s.h.close());

const sql = () => s.h.platform.db.sql;
const count = (table: string) => sql().query<{ c: number }, []>(`SELECT count(*) AS c FROM ${table}`).get()!.c;
/** Runs jobs until none is due. @returns the kinds of the jobs that ran */
async function run(only = handlers): Promise<string[]> {
  const ran = await runDueJobs(s.h.platform, only);
  if (ran.length === 0) return [];
  s.h.clock.advance(1_000);
  return [...ran, ...(await run(only))];
}
const find = (words: string, user_id = s.h.user.id) =>
  s.mailbox.search.selection({ user_id, account_id: null }, parseQuery(`"${words}"`, s.h.clock.now())).length;

/** Counts the documents that have a term, including deleted ones that a segment still contains. */
function stored(term: string, user_id = s.h.user.id): number {
  const dictionary = new SegmentDictionary(new Snapshots(s.h.platform, new BlockCache(8)).of(user_id));
  return dictionary.count(term);
}

/**
 * Creates the state that the migration leaves: nothing indexed, all mail queued, and an index of the old kind for each
 * user.
 */
function asUpgraded(): void {
  for (const table of ["search_pending", "search_deleted", "search_segments", "search_blocks"])
    sql().run(`DELETE FROM ${table}`);
  sql().run(
    "INSERT INTO search_queue (message_n, user_id, account_id, at) SELECT n, user_id, account_id, internal_date FROM messages",
  );
  sql().run("UPDATE file_texts SET state = 'waiting'");
  sql().run("DELETE FROM jobs");
  for (const { id } of sql().query<{ id: string }, []>("SELECT DISTINCT user_id AS id FROM messages").all()) {
    sql().run(`CREATE VIRTUAL TABLE words_${id} USING fts5(body, content = '', contentless_delete = 1, detail = full)`);
    sql().run(
      `INSERT INTO words_${id} (rowid, body) SELECT n, 'rqs7aeolxlnm2cbafrpb' FROM messages WHERE user_id = '${id}'`,
    );
    sql().run(
      `CREATE TRIGGER words_${id}_gone AFTER DELETE ON messages WHEN OLD.user_id = '${id}' BEGIN DELETE FROM words_${id} WHERE rowid = OLD.n; END`,
    );
  }
}

/** Creates two more mailboxes: one imported from files, and one of another person. */
function otherMailboxes(): Account[] {
  const { platform, user, newUser } = s.h;
  const sandbox = platform.users.sandboxOf(user.id).id;
  const bo = newUser("bo@example.org").id;
  const add = (user_id: string, provider: "sandbox" | "imported") =>
    s.mailbox.accounts.add({ user_id, provider, email: `${provider}@example.org`, connection: null });
  return [add(sandbox, "sandbox"), add(user.id, "imported"), s.connect(bo, "bo@example.org")];
}

describe("the mail of an earlier version", () => {
  test("is indexed from its stored text for all users, after which the old index is removed", async () => {
    const accounts = [s.account, ...otherMailboxes()];
    for (const account of accounts) s.arrive({ text: `A heron for ${account.email}.` }, account);
    asUpgraded();
    expect(find("heron")).toBe(0);
    queueIndexWork(s.h.platform);
    await run();
    for (const { user_id, email } of accounts) expect(find(`heron for ${email}`, user_id)).toBe(1);
    expect([count("search_queue"), hasLegacyIndex(s.h.platform.db), legacyIndexRemains(s.h.platform.db)]).toEqual([
      0,
      [],
      false,
    ]);
  });

  test("is found as far as it is indexed, newest first", async () => {
    const at = s.h.clock.now();
    for (let i = 0; i < 60; i++) s.arrive({ text: "heron", at: at - i * HOUR_MS });
    asUpgraded();
    s.mailbox.reindexer.reindexBatch(s.h.user.id);
    const newest = sql().query("SELECT n FROM messages ORDER BY internal_date DESC LIMIT 25").values().flat();
    const found = s.mailbox.search.selection({ user_id: s.h.user.id, account_id: null }, parseQuery('"heron"', at));
    expect(found.toSorted()).toEqual((newest as number[]).toSorted());
    // New mail is found immediately.
    s.arrive({ text: "heron" });
    expect(find("heron")).toBe(26);
  });

  test("keeps the old indexes of all users until it is indexed for every user", async () => {
    const [, , bo] = otherMailboxes();
    s.arrive();
    s.arrive({}, bo);
    asUpgraded();
    queueIndexWork(s.h.platform);
    const { [REINDEX_JOB]: _, ...rest } = handlers;
    s.mailbox.reindexer.reindexBatch(bo!.user_id);
    expect(await run(rest)).toEqual([]);
    expect(hasLegacyIndex(s.h.platform.db)).toHaveLength(2);
    await run();
    expect(hasLegacyIndex(s.h.platform.db)).toEqual([]);
  });

  test("is deleted from the index that contains it", async () => {
    const { message_id } = s.arrive({ text: "heron" });
    s.arrive({ text: "heron" });
    asUpgraded();
    sql().query("DELETE FROM messages WHERE id = ?").run(message_id);
    expect([count("search_queue"), count(`words_${s.h.user.id}_docsize`)]).toEqual([1, 1]);
    queueIndexWork(s.h.platform);
    await run();
    expect(find("heron")).toBe(1);
  });

  test("is indexed even if some of it is damaged", async () => {
    const { message_id } = s.arrive({ text: "heron one" });
    s.arrive({ text: "heron two" });
    asUpgraded();
    sql().query("UPDATE messages SET head = zeroblob(80) WHERE id = ?").run(message_id);
    queueIndexWork(s.h.platform);
    await run();
    expect([find("heron"), count("search_queue"), hasLegacyIndex(s.h.platform.db)]).toEqual([1, 0, []]);
  });

  test("of a user who is removed during the upgrade needs no key and does not delay others", async () => {
    const { platform } = s.h;
    const [, , bo] = otherMailboxes();
    for (let i = 0; i < 30; i++) s.arrive({}, bo);
    s.arrive({ text: "heron" });
    asUpgraded();
    queueIndexWork(platform);
    s.mailbox.reindexer.reindexBatch(bo!.user_id);
    s.mailbox.fullText.drop(bo!.user_id);
    platform.users.lockOut(bo!.user_id);
    platform.users.remove(bo!.user_id);
    await run();
    expect([find("heron"), count("search_queue"), hasLegacyIndex(platform.db)]).toEqual([1, 0, []]);
    expect(sql().query("SELECT 1 FROM data_keys WHERE user_id = ?").get(bo!.user_id)).toBeNull();
  });

  test("has its attachments read again, but not while its connection is broken", async () => {
    const [, imported, bo] = otherMailboxes();
    for (const account of [s.account, imported!, bo!]) {
      const { message_id } = s.arrive({}, account);
      const { n } = sql().query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!;
      s.mailbox.fileTexts.note(n, account.id);
    }
    sql().query("UPDATE accounts SET status = 'auth_failed' WHERE id = ?").run(bo!.id);
    sql().query("UPDATE accounts SET status = 'active' WHERE id = ?").run(s.account.id);
    asUpgraded();
    queueIndexWork(s.h.platform);
    const queued = sql().query("SELECT dedupe_key FROM jobs WHERE kind = ?").values(FILES_JOB).flat();
    expect(queued.toSorted()).toEqual([imported!.id, s.account.id].toSorted());
  });

  test("resumes where a process ended, at any point", async () => {
    for (let i = 0; i < 80; i++) s.arrive({ text: `heron number ${i}` });
    asUpgraded();
    for (let step = 0; step < 3; step++) {
      const mailbox = createMailbox(s.h.platform);
      queueIndexWork(s.h.platform);
      // The job was claimed but not finished.
      expect(s.h.platform.jobs.claim(REINDEX_JOB)).not.toBeNull();
      mailbox.reindexer.reindexBatch(s.h.user.id);
      sql().run("UPDATE jobs SET started_by = 'another process'");
      s.h.platform.jobs.recoverLost([REINDEX_JOB]);
    }
    await run();
    expect([find("heron"), count("search_queue"), hasLegacyIndex(s.h.platform.db)]).toEqual([80, 0, []]);
  });
});

describe("the words of deleted mail", () => {
  /**
   * Builds a segment of two hundred messages including this one, which the test then deletes.
   * @returns the id of that message
   */
  async function withDeleted(text: string): Promise<string> {
    const { message_id } = s.arrive({ text });
    for (let i = 0; i < 200; i++) s.arrive();
    await s.mailbox.fullText.maintain(s.h.user.id, { rest: async () => {}, flush: true });
    expect([stored("heron"), count("search_pending")]).toEqual([1, 0]);
    return message_id;
  }

  test("are removed from the index within a day", async () => {
    const message_id = await withDeleted("A heron.");
    sql().query("DELETE FROM messages WHERE id = ?").run(message_id);
    expect([find("heron"), stored("heron")]).toEqual([0, 1]);
    // Does what the hourly retention run does.
    for (let hour = 0; hour < 23; hour++) {
      queueIndexWork(s.h.platform);
      s.h.clock.advance(HOUR_MS);
      await run();
    }
    expect([stored("heron"), stored("text"), count("search_deleted")]).toEqual([0, 200, 0]);
  });

  test("are removed within a day even if a process ended while removing them", async () => {
    const message_id = await withDeleted("A heron.");
    sql().query("DELETE FROM messages WHERE id = ?").run(message_id);
    queueIndexWork(s.h.platform);
    s.h.clock.advance(12 * HOUR_MS);
    expect(s.h.platform.jobs.claim(MAINTENANCE_JOB)).not.toBeNull();
    // The next start queues index work before it reclaims the jobs of the ended process.
    queueIndexWork(s.h.platform);
    sql().run("UPDATE jobs SET started_by = 'another process' WHERE state = 'running'");
    s.h.platform.jobs.recoverLost([MAINTENANCE_JOB]);
    await run();
    expect([stored("heron"), count("search_deleted")]).toEqual([0, 0]);
  });

  test("are removed together with their mailbox", async () => {
    const other = s.connect(s.h.user.id, "ada@second.example");
    for (let i = 0; i < 20; i++) s.arrive({ text: "A heron." }, other);
    await withDeleted("No bird.").catch(() => {});
    s.mailbox.accounts.remove(other);
    expect([find("heron"), stored("heron")]).toEqual([0, 20]);
    queueIndexWork(s.h.platform);
    s.h.clock.advance(23 * HOUR_MS);
    await run();
    expect([stored("heron"), stored("text") > 0, count("search_deleted")]).toEqual([0, true, 0]);
    // No replaced segment remains either.
    expect(sql().query("SELECT 1 FROM search_segments WHERE state <> 'live'").get()).toBeNull();
  });

  test("are overwritten within a day in free pages and the write-ahead log, like all sealed values of that mail", async () => {
    const deleted: string[] = [];
    const sealed: Uint8Array[] = [];
    const note = (query: string, ...values: string[]) => {
      for (const [value] of sql()
        .query(query)
        .values(...values))
        sealed.push(value as Uint8Array);
    };
    for (let i = 0; i < 600; i++) {
      const { message_id } = s.arrive({ text: `A heron in letter ${i}, ${"and other birds ".repeat(i % 40)}` });
      if (i % 100 === 7) deleted.push(message_id);
    }
    for (const id of deleted) {
      note("SELECT data FROM search_pending WHERE n = (SELECT n FROM messages WHERE id = ?)", id);
      note("SELECT text FROM bodies WHERE n = (SELECT n FROM messages WHERE id = ?)", id);
      note("SELECT head FROM messages WHERE id = ?", id);
    }
    await s.mailbox.fullText.maintain(s.h.user.id, { rest: async () => {}, flush: true });
    note("SELECT data FROM search_blocks");
    expect(sealed.length).toBeGreaterThan(20);
    for (const id of deleted) sql().query("DELETE FROM messages WHERE id = ?").run(id);
    queueIndexWork(s.h.platform);
    s.h.clock.advance(23 * HOUR_MS);
    await run();
    const files = ["postroom.db", "postroom.db-wal"].map((name) =>
      readFileSync(join(s.h.platform.config.data_dir, name)),
    );
    // A sealed value starts with its nonce, without which the rest cannot be opened.
    const left = sealed.filter((value) => files.some((bytes) => bytes.includes(value.subarray(0, 40))));
    expect(left).toHaveLength(0);
    expect(find("heron")).toBe(594);
  });

  test("never reach a segment if they were pending", async () => {
    const { message_id } = s.arrive({ text: "A heron." });
    sql().query("DELETE FROM messages WHERE id = ?").run(message_id);
    expect([stored("heron"), count("search_pending")]).toEqual([0, 0]);
  });
});

test("a removal during a merge leaves no block behind", async () => {
  const { fullText } = s.mailbox;
  const { id } = s.h.user;
  for (let segment = 0; segment < 8; segment++) {
    for (let i = 0; i < 20; i++) s.arrive({ text: `heron ${segment} ${i} ${crypto.randomUUID()}` });
    if (segment < 7) await fullText.maintain(id, { rest: async () => {}, flush: true });
  }
  let steps = 0;
  await fullText.maintain(id, {
    flush: true,
    rest: async () => {
      if (++steps !== 4) return;
      fullText.drop(id);
      while (!fullText.sweep());
    },
  });
  expect(steps).toBeGreaterThan(3);
  expect([count("search_segments"), count("search_blocks")]).toEqual([0, 0]);
});
