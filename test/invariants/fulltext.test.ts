import { afterAll, beforeAll, expect, test } from "bun:test";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { blockId } from "../../src/mailbox/search/segments/format.ts";
import { openHead, sealHead } from "../../src/mailbox/search/segments/store.ts";
import { indexMessage } from "../support/index-message.ts";
import { type Scratch, scratchPlatform } from "../support/scratch-platform.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { findingsOf } from "./broken.ts";
import type { CheckOptions } from "./check.ts";

/** An index with two segments, deleted messages in them, pending ones, and one that is queued. */
let s: Scratch;
let mailbox: Mailbox;
let segment: number;

beforeAll(async () => {
  s = scratchPlatform();
  mailbox = createMailbox(s.platform);
  const seeded = seedMailbox(s.platform, s.user.id, { mailbox });
  const deliver = (count: number) => {
    for (let i = 0; i < count; i++) {
      seeded.deliver({ text: `The extraordinary invoice number ${i}` });
      queue("n = (SELECT max(n) FROM messages)");
      while (mailbox.reindexer.reindexBatch(s.user.id).hasMore);
    }
  };
  for (let i = 0; i < 2; i++) {
    deliver(10);
    await mailbox.fullText.maintain(s.user.id, { rest: async () => {}, flush: true });
  }
  deliver(5);
  const { sql } = s.platform.db;
  sql.run("DELETE FROM messages WHERE n IN (3, 25)");
  queue("n = 7");
  seeded.deliver();
  queue("n = 25");
  segment = sql.query<{ id: number }, []>("SELECT min(id) AS id FROM search_segments").get()!.id;
});
afterAll(() => s.close());

function queue(which: string): void {
  s.platform.db.sql.run(
    `INSERT INTO search_queue (message_n, user_id, account_id, at)
     SELECT n, user_id, account_id, internal_date FROM messages WHERE ${which}`,
  );
}

const RULE = "full-text index: ";

async function findingsAfter(damage: string | (() => unknown), options: CheckOptions = {}): Promise<string[]> {
  const lines = await findingsOf(s.platform, damage, options);
  return lines.filter((line) => line.startsWith(RULE)).map((line) => line.slice(RULE.length));
}

test("an intact index has no findings", async () => {
  expect(await findingsAfter(() => {})).toEqual([]);
});

const THIRD = "SELECT user_id, n, up_to FROM search_deleted WHERE n = 3";

test.each([
  [
    "a message that was deleted from its pending terms",
    "DELETE FROM search_pending WHERE n = 22",
    /^1 messages .* are not indexed$/,
  ],
  [
    "a message that is neither queued nor indexed",
    "DELETE FROM search_queue WHERE message_n = 25",
    /^1 messages .* are not indexed$/,
  ],
  [
    "a message that is left out",
    `INSERT INTO search_deleted (user_id, n, up_to) SELECT user_id, 5, up_to FROM (${THIRD})`,
    /^1 messages .* are not indexed$/,
  ],
  [
    "a forgotten deletion",
    "DELETE FROM search_deleted WHERE n = 3",
    /^1 documents .* belong to none of their messages$/,
  ],
  [
    "a message of another user",
    "UPDATE messages SET user_id = 'usr_x' WHERE n = 5",
    /^1 documents .* belong to none of their messages$/,
  ],
  ["a deletion of future documents", "UPDATE search_deleted SET up_to = 999 WHERE n = 3", /covers future documents$/],
  [
    "a number sequence that was reset",
    "UPDATE sqlite_sequence SET seq = 3 WHERE name = 'search_pending'",
    /will be reused$/,
  ],
  [
    "a missing block",
    () => `DELETE FROM search_blocks WHERE id = ${blockId(segment, "positions", 0)}`,
    /is damaged: Segment \d+ did not open/,
  ],
  [
    "a block in the place of another",
    () => `UPDATE search_blocks SET data = (SELECT data FROM search_blocks WHERE id = ${blockId(segment, "dictionary", 0)})
           WHERE id = ${blockId(segment, "postings", 0)}`,
    /is damaged: .* did not open/,
  ],
  [
    "a block without a segment",
    "INSERT INTO search_blocks (id, data) VALUES (9999 * 8388608, x'00')",
    /^1 blocks belong to no segment$/,
  ],
  [
    "an unexpected block",
    () => `INSERT INTO search_blocks (id, data) VALUES (${blockId(segment, "postings", 7)}, x'00')`,
    /^segment \d+ has 1 unexpected blocks$/,
  ],
  ["a segment without a head", "UPDATE search_segments SET head = NULL", /is damaged/],
  ["a segment in no known state", "UPDATE search_segments SET state = 'lost'", /is lost$/],
  [
    "pending terms that do not open",
    "UPDATE search_pending SET data = zeroblob(541) WHERE n = 22",
    /^pending text \d+ .* is damaged/,
  ],
  [
    "pending terms of another message",
    "UPDATE search_pending SET n = 23 WHERE n = 22",
    /^pending text \d+ .* is damaged/,
  ],
  [
    "a queued message of another owner",
    "UPDATE search_queue SET user_id = 'usr_x'",
    /^2 queued messages do not exist or belong/,
  ],
  ["a lost key", "DELETE FROM data_keys WHERE user_id <> '_system'", /has no key that opens it$/],
] as const)("%s is detected", async (_what, damage, wanted) => {
  const sql = typeof damage === "string" ? damage : damage();
  expect(await findingsAfter(sql)).toContainEqual(expect.stringMatching(wanted));
});

/** Indexes a message again. @param text the only indexed text */
function index(n: number, text: string): void {
  const { id } = s.platform.db.sql.query<{ id: string }, [number]>("SELECT id FROM messages WHERE n = ?").get(n)!;
  indexMessage(s.platform.db, mailbox, id, { text });
}

test("a message that is indexed twice is detected", async () => {
  expect(await findingsAfter(() => index(5, "again"))).toEqual([
    expect.stringMatching(/^1 messages .* are indexed twice$/),
  ]);
});

test("a message that is indexed with wrong words is detected, unless it is queued", async () => {
  const other = (n: number) => () => {
    mailbox.fullText.remove(s.user.id, n);
    index(n, "of another message");
  };
  expect(await findingsAfter(other(5))).toEqual([
    expect.stringMatching(/^1 messages .* are indexed with wrong words or dates$/),
  ]);
  expect(await findingsAfter(other(22))).toEqual([
    expect.stringMatching(/^1 messages .* are indexed with wrong words/),
  ]);
  expect(await findingsAfter(other(7))).toEqual([]);
});

test("a message that is indexed with a wrong date is detected", async () => {
  const damage = "UPDATE messages SET internal_date = internal_date + 86400000 WHERE n = 5";
  expect(await findingsAfter(damage)).toEqual([expect.stringMatching(/^1 messages .* are indexed with wrong words/)]);
});

test("messages that wait to be indexed are detected when all work should be done", async () => {
  expect(await findingsAfter(() => {}, { settled: true })).toEqual([
    expect.stringMatching(/^2 messages .* still wait/),
  ]);
});

test("a flipped bit is detected in any block and row", async () => {
  const { sql } = s.platform.db;
  const flip = (table: string, column: string, id: number) => {
    const { value } = sql
      .query<{ value: Uint8Array }, [number]>(`SELECT ${column} AS value FROM ${table} WHERE id = ?`)
      .get(id)!;
    value[value.length >> 1]! ^= 1;
    sql.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(value, id);
  };
  for (const [table, column] of [
    ["search_blocks", "data"],
    ["search_pending", "data"],
    ["search_segments", "head"],
  ] as const) {
    const ids = sql.query<{ id: number }, []>(`SELECT id FROM ${table}`).all();
    expect(ids.length).toBeGreaterThan(1);
    for (const { id } of ids) {
      expect(await findingsAfter(() => flip(table, column, id))).toContainEqual(expect.stringMatching(/ is damaged: /));
    }
  }
});

test("a segment that contradicts its blocks is detected", async () => {
  const { sql } = s.platform.db;
  const sealer = s.platform.keyring.forUser(s.user.id);
  for (const change of [{ terms: 1 }, { words: 1 }]) {
    const damage = () => {
      const { head } = sql
        .query<{ head: Uint8Array }, [number]>("SELECT head FROM search_segments WHERE id = ?")
        .get(segment)!;
      const changed = { ...openHead(sealer, s.user.id, segment, head), ...change };
      sql
        .query("UPDATE search_segments SET head = ? WHERE id = ?")
        .run(sealHead(sealer, s.user.id, segment, changed), segment);
    };
    expect(await findingsAfter(damage)).toContainEqual(expect.stringMatching(/^segment \d+ .* is damaged: it/));
  }
});
