import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import fc from "fast-check";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { type SeededMailbox, seedMailbox } from "../../../test/support/seed-mail.ts";
import type { MailScope, Position } from "./scope.ts";
import type { ThreadFilter, ThreadQueries } from "./threads.ts";

let h: Harness;
let seed: SeededMailbox;
let queries: ThreadQueries;
let me: MailScope;

beforeAll(() => {
  h = createHarness();
  seed = seedMailbox(h.platform, h.user.id);
  queries = seed.mailbox.threadQueries;
  me = { user_id: h.user.id, account_id: null };
});
afterAll(() => h.close());

test("the ids of all mail are read in order without sorting", () => {
  for (let i = 0; i < 3; i++) seed.deliver();
  const { sql } = h.platform.db;
  const asked = spyOn(sql, "query");
  const ids = [...seed.mailbox.messageQueries.idsOf(h.user.id)];
  const texts = asked.mock.calls.map(([text]) => text as string);
  asked.mockRestore();
  expect(ids.length).toBeGreaterThan(2);
  expect(ids).toEqual(ids.toSorted());
  const plans = texts.map((text) =>
    sql.query<{ detail: string }, (string | number)[]>(`EXPLAIN QUERY PLAN ${text}`).all(h.user.id, "", 10),
  );
  expect(plans.flat().map(({ detail }) => detail)).toEqual([expect.not.stringContaining("TEMP B-TREE")]);
});

describe("query plans of the thread list", () => {
  /** Returns the steps of the query plan, one per line. */
  function plan(
    filter: Partial<ThreadFilter>,
    options: { label?: boolean; after?: Position; scope?: MailScope } = {},
  ): string {
    const label_id = options.label ? "lbl_x" : undefined;
    const scope = options.scope ?? me;
    const query = queries.listQuery(scope, { state: "inbox", ...filter }, label_id, options.after ?? null, 26);
    const rows = h.platform.db.sql
      .query<{ detail: string }, (string | number | null)[]>(`EXPLAIN QUERY PLAN ${query.text}`)
      .all(...query.values);
    return rows.map((row) => row.detail).join("\n");
  }
  const after: Position = [1_700_000_000_000, "thr_x"];
  const bound = () => ({ user_id: h.user.id, account_id: seed.account.id });

  test.each<[string, Partial<ThreadFilter>, string]>([
    ["state", { state: "archived" }, "threads_list"],
    ["state and tab", { tab: "social" }, "threads_tab"],
    ["unread", { unread: true }, "threads_unread"],
    ["read", { unread: false }, "threads_list"],
    ["starred", { starred: true }, "threads_starred"],
    ["sent", { state: "sent" }, "threads_sent"],
    ["times", { before: 5, after: 1 }, "threads_list"],
  ])("%s: uses its index without sorting", (_, filter, index) => {
    for (const options of [{}, { after }]) {
      expect(plan(filter, options)).toMatch(new RegExp(`SEARCH threads USING INDEX ${index} `));
      expect(plan(filter, options)).not.toMatch(/TEMP B-TREE|SCAN/);
      expect(plan(filter, options)).toMatch(/SEARCH messages USING INDEX \S*autoindex_messages/);
    }
  });

  test("one mailbox: uses the mailbox's index, whether filtered by mailbox or bound to it", () => {
    for (const options of [{ scope: bound() }, { scope: bound(), after }]) {
      expect(plan({}, options)).toContain("SEARCH threads USING INDEX threads_account ");
      expect(plan({ unread: true }, options)).toContain("SEARCH threads USING INDEX threads_account ");
      expect(plan({}, options)).not.toMatch(/TEMP B-TREE|SCAN/);
      // The sent mail of one mailbox is selected from all sent mail of the user.
      expect(plan({ state: "sent" }, options)).toContain("SEARCH threads USING INDEX threads_sent ");
      expect(plan({ state: "sent" }, options)).not.toMatch(/TEMP B-TREE|SCAN/);
    }
    expect(plan({ account_id: seed.account.id })).toContain("threads_account");
  });

  test("a rare label is looked up first, and only its few threads are sorted", () => {
    for (const filter of [{}, { state: "sent" as const }, { unread: true, account_id: seed.account.id }]) {
      const steps = plan(filter, { label: true, after });
      expect(steps).toMatch(/SEARCH threads USING INDEX \S*autoindex_threads_1 \(id=\?/);
      expect(steps).toContain("SEARCH thread_labels USING COVERING INDEX thread_labels_label (label_id=?");
      expect(steps).not.toMatch(/SCAN (threads|messages)/);
    }
  });

  test("a common label is checked for each thread of the list", () => {
    const { sql } = h.platform.db;
    sql.run("PRAGMA foreign_keys = OFF");
    sql.run(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
       INSERT INTO thread_labels (thread_id, label_id) SELECT 'thr_' || i, 'lbl_x' FROM n`,
    );
    const common = plan({}, { label: true });
    sql.run("DELETE FROM thread_labels WHERE label_id = 'lbl_x'");
    sql.run("PRAGMA foreign_keys = ON");
    expect(common).toContain("SEARCH threads USING INDEX threads_list ");
    expect(common).not.toMatch(/TEMP B-TREE|SCAN/);
  });
});

describe("paging through the list", () => {
  let mailboxes = 0;
  const START = Date.parse("2026-01-01T00:00:00Z");

  test("returns every thread that stays in place exactly once, no matter what changes between pages", () => {
    const stay = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 14 });
    // Between two pages: new mail arrives, a thread that was not returned yet leaves the list, or an old one joins it.
    const happenings = fc.array(fc.constantFrom("arrival", "leaves", "joins"), { maxLength: 12 });
    fc.assert(
      fc.property(stay, happenings, fc.integer({ min: 1, max: 4 }), (times, happening, limit) => {
        const mine = seedMailbox(h.platform, h.user.id, {
          mailbox: seed.mailbox,
          email: `walk${++mailboxes}@example.org`,
        });
        const scope: MailScope = { user_id: h.user.id, account_id: mine.account.id };
        // Many threads share a time, so that only the id can distinguish them.
        const fixed = new Set(times.map((t) => mine.deliver({ at: START + t }).thread_id));
        const movers = happening.map((_, i) =>
          mine.deliver({ at: START + (i % 6), role: i % 2 ? "inbox" : "archive" }),
        );
        const met: string[] = [];
        let after: Position | null = null;
        for (let page = 0; page < 100; page++) {
          const rows = queries.list(scope, { state: "inbox" }, after, limit);
          met.push(...rows.map((row) => row.id));
          const last = rows.at(-1);
          if (!last) break;
          after = [last.last_at, last.id];
          const what = happening[page];
          const by = { ...scope, actor: { kind: "system" as const, id: null }, request_id: null };
          if (what === "arrival") mine.deliver({ at: START + 10 + page });
          if (what === "leaves") seed.mailbox.changes.update(by, movers[page]!.thread_id, { state: "trash" });
          if (what === "joins") seed.mailbox.changes.update(by, movers[page]!.thread_id, { state: "inbox" });
        }
        expect(new Set(met).size).toBe(met.length);
        for (const id of fixed) expect(met).toContain(id);
        h.platform.db.write(() => seed.mailbox.accounts.remove(mine.account));
      }),
      { numRuns: 25 },
    );
  });
});
