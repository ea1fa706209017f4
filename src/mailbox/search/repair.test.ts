import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readIndex } from "../../../test/support/index-content.ts";
import { AT, IndexModel, SOON } from "../../../test/support/index-model.ts";
import { manyWords, onlyText } from "../../../test/support/naive-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { parseQuery } from "./query.ts";
import { Reindexer } from "./reindex.ts";
import { repairIndex } from "./repair.ts";
import { FullTextSearch } from "./search.ts";
import { blockId, type Stream } from "./segments/format.ts";
import { IndexDamaged } from "./segments/store.ts";

const NAMES = ["amber", "birch", "cedar", "dune"];

let s: Scratch;
let model: IndexModel;
/** Numbers by location: three segments, and the pending documents. */
let groups: number[][];
let reported: number[][];

beforeEach(async () => {
  s = scratchPlatform();
  model = new IndexModel(s);
  reported = [];
  groups = [];
  for (let group = 0; group < 4; group++) {
    groups.push(
      [0, 1, 2].map((i) => model.add(onlyText(`invoice ${i} of ${NAMES[group]} ${manyWords(30, group * 30)}`))),
    );
    if (group < 3) await model.flush();
  }
  model.search.onDamage = (user_id, { segments }) => {
    reported.push(segments);
    repairIndex(s.platform, user_id, segments);
    return true;
  };
});
afterEach(() => s.close());

const segments = () =>
  s.platform.db.sql
    .query<{ id: number }, []>("SELECT id FROM search_segments WHERE state = 'live' ORDER BY id")
    .all()
    .map(({ id }) => id);

function flip(table: string, column: string, id: number): void {
  const { sql } = s.platform.db;
  const { value } = sql
    .query<{ value: Uint8Array }, [number]>(`SELECT ${column} AS value FROM ${table} WHERE id = ?`)
    .get(id)!;
  value[20]! ^= 4;
  sql.query(`UPDATE ${table} SET ${column} = ? WHERE id = ?`).run(value, id);
}

const flipBlock = (group: number, stream: Stream) =>
  flip("search_blocks", "data", blockId(segments()[group]!, stream, 0));

/** Indexes queued messages from their stored text, which differs from the text in the index. */
function reindex(): void {
  const reindexer = new Reindexer(s.platform, model.index);
  while (reindexer.reindexBatch(model.user_id).hasMore);
}

describe("a damaged index", () => {
  test.each(["dictionary", "postings", "documents"] as const)(
    "is searched without a segment that has an unreadable block (%s), and the segment's messages are queued",
    (stream) => {
      expect(model.find("invoice").length).toBe(12);
      const scope = { user_id: model.user_id, account_id: null };
      expect(model.search.isPartial(scope)).toBe(false);
      const damaged = segments()[1]!;
      flipBlock(1, stream);
      model.search.forget(model.user_id);
      const others = [...groups[0]!, ...groups[2]!, ...groups[3]!];
      expect(model.find("invoice")).toEqual(others);
      expect(reported).toEqual([[damaged]]);
      expect(model.search.isPartial(scope)).toBe(true);
      expect(model.find("invoice")).toEqual(others);
      expect(reported.length).toBe(1);
      const queued = s.platform.db.sql.query<{ n: number }, []>("SELECT message_n AS n FROM search_queue").all();
      expect(queued.map(({ n }) => n).sort((a, b) => a - b)).toEqual(groups[1]!);
      reindex();
      expect(model.search.isPartial(scope)).toBe(false);
      expect(
        readIndex(s.platform, model.user_id)
          .map(({ n }) => n)
          .sort((a, b) => a - b),
      ).toEqual(model.numbers);
    },
  );

  test("is reported for unreadable positions only by phrase searches that need them", () => {
    flipBlock(0, "positions");
    expect(model.find("invoice").length).toBe(12);
    expect(reported).toEqual([]);
    expect(model.find("of cedar")).toEqual(groups[2]!);
    // The first segment does not contain this word.
    expect(reported).toEqual([]);
    expect(model.find("of amber")).toEqual([]);
    expect(reported.length).toBe(1);
  });

  test("is empty when nothing can be opened, and all messages are queued", () => {
    for (const id of segments()) flip("search_segments", "head", id);
    const pending = s.platform.db.sql.query<{ id: number }, []>("SELECT id FROM search_pending").all();
    for (const { id } of pending) flip("search_pending", "data", id);
    expect(model.find("invoice")).toEqual([]);
    expect(reported.map((list) => list.length)).toEqual([3]);
    expect(model.count("search_queue")).toBe(12);
    expect([segments(), model.count("search_pending")]).toEqual([[], 0]);
    reindex();
    expect(
      readIndex(s.platform, model.user_id)
        .map(({ n }) => n)
        .sort((a, b) => a - b),
    ).toEqual(model.numbers);
  });

  test("does not show deleted messages again", () => {
    const gone = groups[0]![0]!;
    model.delete(gone);
    flipBlock(1, "dictionary");
    expect(model.find("invoice").includes(gone)).toBe(false);
    reindex();
    expect(model.find("invoice").includes(gone)).toBe(false);
    expect(model.count("search_queue")).toBe(0);
  });

  test("is not searched by a thread that cannot have it repaired", () => {
    flipBlock(2, "documents");
    const search = new FullTextSearch(s.another(), model.mail.mailbox.labels);
    const scope = { user_id: model.user_id, account_id: null };
    for (let i = 0; i < 2; i++) {
      expect(() => search.find(scope, parseQuery("invoice", AT), 10).hits).toThrow(IndexDamaged);
    }
    expect(model.find("invoice").length).toBe(9);
    expect(search.find(scope, parseQuery("invoice", AT), 20).hits.length).toBe(9);
  });

  test("is repaired when maintenance meets the damage", async () => {
    flipBlock(1, "positions");
    const { maintain } = model.index;
    const error = await maintain.call(model.index, model.user_id, SOON).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(IndexDamaged);
    repairIndex(s.platform, model.user_id, [(error as IndexDamaged).segment!]);
    await model.maintain();
    expect(model.find("invoice")).toEqual([...groups[0]!, ...groups[2]!, ...groups[3]!]);
    reindex();
    await model.maintain({ flush: true, compact: true });
    expect(readIndex(s.platform, model.user_id, { deleted: true }).length).toBe(12);
  });

  test("with unreadable pending documents still builds a segment from the others after a repair", async () => {
    const [{ id }] = s.platform.db.sql.query<{ id: number }, []>("SELECT min(id) AS id FROM search_pending").all() as [
      { id: number },
    ];
    flip("search_pending", "data", id);
    const error = await model.maintain({ flush: true }).catch((cause: unknown) => cause);
    expect((error as IndexDamaged).segment).toBeNull();
    expect(repairIndex(s.platform, model.user_id, [])).toBe(1);
    reindex();
    await model.maintain({ flush: true });
    expect(readIndex(s.platform, model.user_id).length).toBe(12);
  });

  test("is rebuilt without a message whose stored text is damaged", () => {
    const { sql } = s.platform.db;
    const damaged = groups[1]![1]!;
    sql.run("UPDATE messages SET head = zeroblob(60) WHERE n = ?", [damaged]);
    repairIndex(s.platform, model.user_id, segments());
    reindex();
    expect(
      readIndex(s.platform, model.user_id)
        .map(({ n }) => n)
        .sort((a, b) => a - b),
    ).toEqual(model.numbers.filter((n) => n !== damaged));
    expect(s.log.join()).toContain("cannot be indexed");
  });
});
