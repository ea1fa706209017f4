import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { closeSync, cpSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readIndex } from "../../test/support/index-content.ts";
import { createSearchFixture, type SearchFixture } from "../../test/support/search-fixture.ts";
import { createMailbox } from "../mailbox/mailbox.ts";
import { INDEX_SIZES } from "../mailbox/search/fulltext-index.ts";
import { parseQuery } from "../mailbox/search/query.ts";
import { loadConfig } from "../platform/config/load.ts";
import { foreignSchema } from "../platform/db/foreign-schema.ts";
import { JobRunner } from "../platform/jobs/runner.ts";
import { openPlatform } from "../platform/platform.ts";
import {
  MAINTENANCE_JOB,
  maintenanceHandler,
  queueIndexWork,
  REINDEX_JOB,
  reindexHandler,
  repair,
} from "./fulltext.ts";
import { FILES_JOB } from "./search-files.ts";

let s: SearchFixture;
beforeEach(() => {
  s = createSearchFixture();
  s.mailbox.search.onDamage = (...damaged) => repair(s.h.platform, ...damaged);
});
afterEach(() => s.h.close());

const jobs = (kind: string) =>
  s.h.platform.db.sql
    .query<{ run_at: number; state: string }, [string]>(
      "SELECT run_at, state FROM jobs WHERE kind = ? AND state = 'pending'",
    )
    .all(kind);
const flush = () => s.mailbox.fullText.maintain(s.h.user.id, { rest: async () => {}, flush: true });

/** Runs due jobs until none is left. */
async function work(): Promise<void> {
  const { platform } = s.h;
  const handlers = {
    [MAINTENANCE_JOB]: maintenanceHandler(platform, s.mailbox),
    [REINDEX_JOB]: reindexHandler(platform, s.mailbox),
  };
  const runner = new JobRunner(platform.jobs, platform.clock, platform.log, handlers);
  runner.start();
  const due = () =>
    [...jobs(MAINTENANCE_JOB), ...jobs(REINDEX_JOB)].filter(({ run_at }) => run_at <= platform.clock.now());
  for (let i = 0; i < 1_000 && (due().length > 0 || i < 5); i++) {
    s.h.clock.advance(10);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  await runner.stop();
}

describe("a damaged index", () => {
  test("returns the results of the intact parts, marks the answer as partial, and is complete again afterwards", async () => {
    for (const [i, subject] of ["first", "second", "third"].entries()) {
      s.deliver({ subject, text: "our invoice" });
      if (i < 2) await flush();
    }
    const { sql } = s.h.platform.db;
    sql.run("UPDATE search_blocks SET data = zeroblob(length(data)) WHERE id = (SELECT min(id) FROM search_blocks)");
    const ask = async (body: object) =>
      (await s.h.call("POST", "/search", { body: { query: "invoice", ...body } })).json;
    expect(await ask({ mode: "keyword" })).toMatchObject({ data: [{}, {}], partial: true });
    const { status, json } = await s.h.call("GET", "/threads?q=invoice");
    expect([status, json.data.length]).toEqual([200, 2]);
    expect(jobs(REINDEX_JOB).length).toBe(1);
    const errors = s.h.log.map((line) => JSON.parse(line)).filter(({ level }) => level === "error");
    expect(errors).toMatchObject([{ segments: "1", messages: 1 }]);
    await work();
    expect(await ask({ mode: "keyword" })).toMatchObject({ data: [{}, {}, {}], partial: false });
    expect(readIndex(s.h.platform, s.h.user.id).length).toBe(3);
    expect(sql.query("SELECT 1 FROM search_segments WHERE state <> 'live'").all()).toEqual([]);
  });

  test("answers searches while a full disk prevents its repair, and is repaired later", async () => {
    s.deliver({ subject: "first", text: "our invoice" });
    await flush();
    s.deliver({ subject: "second", text: "our invoice" });
    const { sql } = s.h.platform.db;
    sql.run("UPDATE search_segments SET head = zeroblob(541)");
    sql.run("CREATE TRIGGER full BEFORE UPDATE ON search_segments BEGIN SELECT RAISE(ABORT, 'full'); END");
    const ask = async () => (await s.h.call("POST", "/search", { body: { query: "invoice", mode: "keyword" } })).json;
    for (let i = 0; i < 2; i++) expect(await ask()).toMatchObject({ data: [{ subject: "second" }], partial: true });
    sql.run("DROP TRIGGER full");
    await ask();
    await work();
    expect(await ask()).toMatchObject({ data: [{}, {}], partial: false });
  });

  test.each(["search_pending", "search_segments", "search_deleted"])(
    "answers searches while pages of a table are damaged, and is complete again afterwards: %s",
    async (table) => {
      const many = 60;
      for (let i = 0; i < many; i++) {
        s.deliver({ subject: `${i}`, text: "our invoice" });
        if (i % 4 === 3 && i < many / 2) await flush();
      }
      const { platform, user } = s.h;
      const { sql } = platform.db;
      sql.run("DELETE FROM messages WHERE n = (SELECT min(n) FROM messages)");
      for (const page of ["first", "last"] as const) {
        sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
        const data_dir = mkdtempSync(join(tmpdir(), "postroom-damaged-page-"));
        cpSync(platform.config.data_dir, data_dir, { recursive: true });
        const { number } = sql
          .query<{ number: number }, [string]>(
            `SELECT ${page === "first" ? "min" : "max"}(pageno) AS number FROM dbstat WHERE name = ? AND pagetype = 'leaf'`,
          )
          .get(table)!;
        const file = openSync(join(data_dir, "postroom.db"), "r+");
        writeSync(file, Buffer.alloc(4_096, 0xa5), 0, 4_096, (number - 1) * 4_096);
        closeSync(file);

        const copy = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: s.h.clock });
        const mailbox = createMailbox(copy);
        mailbox.search.onDamage = (...damaged) => repair(copy, ...damaged);
        const scope = { user_id: user.id, account_id: null };
        const find = () => mailbox.search.find(scope, parseQuery("invoice", 0), 100).hits.length;
        expect(find()).toBeWithin(0, many);
        expect(mailbox.search.isPartial(scope)).toBe(true);
        while (mailbox.reindexer.reindexBatch(user.id).hasMore);
        expect([find(), mailbox.search.isPartial(scope)]).toEqual([many - 1, false]);
        await mailbox.fullText.maintain(user.id, { rest: async () => {}, flush: true, compact: true });
        expect([find(), mailbox.search.isPartial(scope)]).toEqual([many - 1, false]);
        expect(foreignSchema(copy.db.sql)).toEqual([]);
        copy.close();
        rmSync(data_dir, { recursive: true });
      }
    },
  );

  test.each(["row", "overflow", "root"])(
    "answers searches while a %s page of its blocks is damaged, and is complete again afterwards",
    async (which) => {
      for (let i = 0; i < 9; i++) {
        s.deliver({ subject: `${i}`, text: "our invoice" });
        if (i % 3 === 2 && i < 8) await flush();
      }
      const { platform, user } = s.h;
      const { sql } = platform.db;
      sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
      const data_dir = mkdtempSync(join(tmpdir(), "postroom-damaged-page-"));
      cpSync(platform.config.data_dir, data_dir, { recursive: true });
      const path = join(data_dir, "postroom.db");
      const { data } = sql.query<{ data: Uint8Array }, []>("SELECT data FROM search_blocks LIMIT 1").get()!;
      const { page } = sql
        .query<{ page: number }, []>("SELECT rootpage - 1 AS page FROM sqlite_schema WHERE name = 'search_blocks'")
        .get()!;
      const inFile = readFileSync(path).indexOf(
        data.subarray(which === "row" ? 0 : 6_000, which === "row" ? 100 : 6_100),
      );
      const file = openSync(path, "r+");
      writeSync(file, Buffer.alloc(8, 0xa5), 0, 8, (which === "root" ? page : Math.floor(inFile / 4_096)) * 4_096);
      closeSync(file);

      const copy = openPlatform({
        config: loadConfig({ data_dir, env: {} }),
        clock: s.h.clock,
      });
      const { search, reindexer } = createMailbox(copy);
      search.onDamage = (...damaged) => repair(copy, ...damaged);
      const scope = { user_id: user.id, account_id: null };
      const find = () => search.find(scope, parseQuery("invoice", 0), 20).hits.length;
      expect(find()).toBeWithin(3, 9);
      expect(search.isPartial(scope)).toBe(true);
      while (reindexer.reindexBatch(user.id).hasMore);
      expect([find(), search.isPartial(scope)]).toEqual([9, false]);
      copy.close();
      rmSync(data_dir, { recursive: true });
    },
  );

  test("queues the attachments whose text it contained", async () => {
    const { n } = s.deliver({ subject: "first", text: "our invoice" });
    s.mailbox.accounts.setStatus(s.seeded.account.id, "active", null);
    s.mailbox.fileTexts.note(n, s.seeded.account.id);
    s.mailbox.fileTexts.store(s.h.user.id, n, "zymurgy");
    await flush();
    expect(await s.find("zymurgy")).toEqual(["first"]);
    s.h.platform.db.sql.run("UPDATE search_segments SET head = zeroblob(541)");
    s.mailbox.search.forget(s.h.user.id);
    expect(await s.find("zymurgy")).toEqual([]);
    expect(jobs(FILES_JOB).length).toBe(1);
    expect(s.mailbox.fileTexts.waiting(s.seeded.account.id, 10).map((row) => row.n)).toEqual([n]);
  });
});

describe("index maintenance", () => {
  test("is queued when enough mail is pending, and at startup for mail that was not queued", async () => {
    const { user, platform } = s.h;
    const { id } = s.deliver({ text: "our invoice" });
    const { n } = platform.db.sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(id)!;
    const terms = s.mailbox.fullText.reader.read({
      subject: "",
      from: { name: "", email: "" },
      to: [],
      cc: [],
      bcc: [],
      text: "invoice",
      attachments: [],
    });
    let noted = 0;
    for (let i = 1; i < INDEX_SIZES.flushFrom; i++) if (s.mailbox.fullText.add(user.id, n, 0, terms)) noted++;
    expect(noted).toBe(2);
    queueIndexWork(platform);
    expect(jobs(MAINTENANCE_JOB).length).toBe(1);
    await work();
    expect(platform.db.sql.query("SELECT 1 FROM search_pending").all()).toEqual([]);
  });

  test("removes deleted text from the index within a day", async () => {
    const { id } = s.deliver({ text: "secret invoice" });
    s.deliver({ text: "invoice" });
    await flush();
    s.h.platform.db.sql.query("DELETE FROM messages WHERE id = ?").run(id);
    queueIndexWork(s.h.platform);
    await work();
    expect(readIndex(s.h.platform, s.h.user.id, { deleted: true }).length).toBe(2);
    s.h.clock.advance(23 * 3_600_000);
    await work();
    expect(readIndex(s.h.platform, s.h.user.id, { deleted: true }).length).toBe(1);
    expect(s.h.platform.db.sql.query("SELECT 1 FROM search_deleted").all()).toEqual([]);
  });

  test("deletes segment blocks of removed users", async () => {
    s.deliver({ text: "invoice" });
    await flush();
    const { sql } = s.h.platform.db;
    sql.run("DELETE FROM search_segments");
    queueIndexWork(s.h.platform);
    await work();
    expect(sql.query("SELECT 1 FROM search_blocks").all()).toEqual([]);
  });
});
