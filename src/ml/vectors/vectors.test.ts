import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { loadUsearch } from "../../platform/native/load.ts";
import { quantize, VectorMatrix } from "./matrix.ts";
import { nearest } from "./nearest.ts";
import { Snapshots } from "./snapshot.ts";
import { VectorStore } from "./store.ts";
import { UserIndex } from "./user-index.ts";

const DIMENSIONS = 64;
const MODEL = "test@1";

/** Returns a seeded generator of pseudorandom numbers. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
}

function unit(random: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, random);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe("nearest", () => {
  test("finds the same as exact search over unrounded vectors, with a filter and without", async () => {
    const usearch = await loadUsearch("unused");
    const random = generator(7);
    const vectors = Array.from({ length: 20_000 }, () => unit(random));
    const matrix = new VectorMatrix(DIMENSIONS);
    for (const [i, vector] of vectors.entries()) matrix.set(i + 1, quantize(vector));
    const some = new Set(vectors.flatMap((_, i) => (i % 9 === 0 ? [i + 1] : [])));
    for (const within of [null, some]) {
      let found = 0;
      for (let turn = 0; turn < 20; turn++) {
        const query = unit(random);
        const exact = vectors
          .map((vector, i) => ({ n: i + 1, score: dot(vector, query) }))
          .filter(({ n }) => within === null || within.has(n))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10);
        const near = nearest(usearch, matrix, query, 10, within);
        expect(near).toHaveLength(10);
        for (const { n, score } of near) expect(Math.abs(score - dot(vectors[n - 1]!, query))).toBeLessThan(0.02);
        const numbers = new Set(near.map(({ n }) => n));
        found += exact.filter(({ n }) => numbers.has(n)).length;
      }
      expect(found / 200).toBeGreaterThanOrEqual(0.98);
    }
  });

  test("returns nothing for an empty matrix", async () => {
    const usearch = await loadUsearch("unused");
    const matrix = new VectorMatrix(DIMENSIONS);
    expect(nearest(usearch, matrix, unit(generator(1)), 5, null)).toEqual([]);
    matrix.set(4, quantize(unit(generator(1))));
    expect(nearest(usearch, matrix, unit(generator(1)), 5, [9])).toEqual([]);
    expect(nearest(usearch, matrix, unit(generator(1)), 5, null)).toMatchObject([{ n: 4 }]);
    matrix.delete(4);
    expect([matrix.size, matrix.has(4), matrix.cosine(4, unit(generator(1)))]).toEqual([0, false, null]);
  });
});

describe("a user's index", () => {
  let s: Scratch;
  let store: VectorStore;
  let numbers: number[];
  const random = generator(3);

  beforeEach(() => {
    s = scratchPlatform();
    store = new VectorStore(s.platform);
    numbers = addMail(s.user.id, "ada@example.org", 30);
  });
  afterEach(() => s.close());

  /** Messages, each with a vector. */
  function addMail(user_id: string, email: string, count: number): number[] {
    const seeded = seedMailbox(s.platform, user_id, { email });
    const made = Array.from({ length: count }, () => {
      const { message_id } = seeded.deliver();
      return s.platform.db.sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!.n;
    });
    store.put(
      user_id,
      MODEL,
      made.map((message_n) => ({ message_n, vector: quantize(unit(random)) })),
    );
    return made;
  }

  async function open(user_id = s.user.id, model = MODEL): Promise<UserIndex> {
    const usearch = await loadUsearch("unused");
    return new UserIndex({ usearch, store, snapshots: new Snapshots(s.platform) }, user_id, model);
  }
  const snapshotPath = () => join(s.data_dir, "vectors", `${s.user.id}.bin`);
  const reasons = () => s.log.filter((line) => line.includes("snapshot")).length;

  test("is the same from a snapshot as from the rows", async () => {
    const query = unit(random);
    const fresh = await open();
    fresh.save(0);
    const again = await open();
    expect([again.size, reasons()]).toEqual([30, 0]);
    expect(again.nearest(query, 30, null)).toEqual(fresh.nearest(query, 30, null));
  });

  test("applies additions and deletions, with a snapshot and without", async () => {
    const index = await open();
    index.save(0);
    s.platform.db.sql.query("DELETE FROM messages WHERE n IN (?, ?)").run(numbers[3]!, numbers[29]!);
    store.put(s.user.id, MODEL, [{ message_n: numbers[0]!, vector: null }]);
    index.refresh();
    const later = await open();
    for (const one of [index, later]) {
      expect(one.size).toBe(27);
      const near = one.nearest(unit(random), 30, null).map(({ n }) => n);
      expect(near).not.toContain(numbers[3]!);
      expect(near).not.toContain(numbers[0]!);
    }
  });

  test("a large snapshot is written again after a share of it has changed, not after each thousand messages", async () => {
    const rows = 40_000;
    const matrix = VectorMatrix.from(
      DIMENSIONS,
      Int32Array.from({ length: rows }, (_, i) => i + 1),
      new Int8Array(rows * DIMENSIONS),
    );
    const snapshots = new Snapshots(s.platform);
    snapshots.save(s.user.id, MODEL, { matrix, ...store.state(s.user.id, MODEL), looked_at: rows });
    const index = await open();
    expect(index.size).toBe(rows);
    const change = (times: number) => {
      for (let i = 0; i < times; i += numbers.length) {
        const vector = quantize(unit(random));
        store.put(
          s.user.id,
          MODEL,
          numbers.map((message_n) => ({ message_n, vector })),
        );
        index.refresh();
      }
      index.save();
      return snapshots.load(s.user.id, MODEL)!.last;
    };
    const { last } = store.state(s.user.id, MODEL);
    expect(change(1_950)).toBe(last);
    expect(change(60)).toBe(store.state(s.user.id, MODEL).last);
  });

  test("a snapshot that is damaged, truncated, another user's or another model's is replaced", async () => {
    const query = unit(random);
    const index = await open();
    index.save(0);
    const good = readFileSync(snapshotPath());
    const broken = [good.subarray(0, good.length / 2), Buffer.alloc(0), Buffer.from("junk"), flipped(good, 40)];
    for (const [i, bytes] of broken.entries()) {
      writeFileSync(snapshotPath(), bytes);
      expect((await open()).nearest(query, 5, null)).toEqual(index.nearest(query, 5, null));
      expect(reasons()).toBe(i + 1);
    }
    writeFileSync(snapshotPath(), good);
    expect((await open(s.user.id, "other@1")).size).toBe(0);
    const eve = s.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
    writeFileSync(join(s.data_dir, "vectors", `${eve.id}.bin`), good);
    expect((await open(eve.id)).size).toBe(0);
  });

  test("a snapshot that is newer than the database, as after a restored backup, is ignored", async () => {
    (await open()).save(0);
    s.platform.db.sql.query("DELETE FROM vectors WHERE message_n > ?").run(numbers[9]!);
    s.platform.db.sql.query("DELETE FROM vector_losses").run();
    expect((await open()).size).toBe(10);
  });

  test("a vector that cannot be decrypted is skipped, and the search works", async () => {
    s.platform.db.sql.query("UPDATE vectors SET vector = zeroblob(80) WHERE message_n = ?").run(numbers[4]!);
    const index = await open();
    expect(index.size).toBe(29);
    expect(index.nearest(unit(random), 30, null).map(({ n }) => n)).not.toContain(numbers[4]!);
    expect(s.log.filter((line) => line.includes("could not be decrypted"))).toHaveLength(1);
  });

  test("above a number of rows uses a graph, scores exactly, and follows additions and deletions", async () => {
    const usearch = await loadUsearch("unused");
    const parts = { usearch, store, snapshots: new Snapshots(s.platform) };
    const exact = new UserIndex(parts, s.user.id, MODEL);
    const index = new UserIndex(parts, s.user.id, MODEL, 20);
    expect(exact.growGraph()).toBe(false);
    while (index.growGraph());
    const same = () => {
      const query = unit(random);
      expect(index.nearest(query, 5, null)).toEqual(exact.nearest(query, 5, null));
      expect(index.nearest(query, 5, numbers.slice(0, 9))).toEqual(exact.nearest(query, 5, numbers.slice(0, 9)));
    };
    same();
    s.platform.db.sql.query("DELETE FROM messages WHERE n = ?").run(numbers[7]!);
    store.put(s.user.id, MODEL, [{ message_n: numbers[2]!, vector: quantize(unit(random)) }]);
    for (const one of [index, exact]) one.refresh();
    // Until the graph contains all rows, the search is exact.
    same();
    while (index.growGraph());
    same();
    expect(index.nearest(unit(random), 30, null).map(({ n }) => n)).not.toContain(numbers[7]!);
  });

  test("has the number of messages that the model has checked, and recounts only when necessary", async () => {
    let counts = 0;
    class Counting extends VectorStore {
      override count(...of: Parameters<VectorStore["count"]>): number {
        counts++;
        return super.count(...of);
      }
    }
    const counting = new Counting(s.platform);
    const parts = { usearch: await loadUsearch("unused"), store: counting, snapshots: new Snapshots(s.platform) };
    const index = new UserIndex(parts, s.user.id, MODEL);
    const refreshed = () => {
      index.refresh();
      return [index.looked_at, store.count(s.user.id, MODEL)] as const;
    };
    const same = () => {
      const [known, counted] = refreshed();
      expect(known).toBe(counted);
    };
    same();
    const before = counts;
    const more = addMail(s.user.id, "more@example.org", 4);
    same();
    // Read again: with a vector, without one, with one.
    const vector = quantize(unit(random));
    for (const given of [vector, null, null, vector]) {
      store.put(s.user.id, MODEL, [{ message_n: more[0]!, vector: given }]);
      same();
    }
    expect(counts).toBe(before);
    s.platform.db.sql.query("DELETE FROM messages WHERE n = ?").run(more[1]!);
    same();
    index.save(0);
    same();
    expect(counts).toBe(before + 2);
  });

  test("vectors of other models are deleted, and without any, no writer is blocked", () => {
    const [one] = addMail(s.user.id, "other@example.org", 1);
    for (const other of ["a@1", "z@1"]) {
      store.put(s.user.id, other, [{ message_n: one!, vector: quantize(unit(random)) }]);
    }
    store.dropOthers(s.user.id, MODEL);
    const left = s.platform.db.sql.query("SELECT DISTINCT model FROM vectors WHERE user_id = ?").all(s.user.id);
    expect(left).toEqual([{ model: MODEL }]);
    const writer = new Database(join(s.data_dir, "postroom.db"));
    s.platform.db.sql.run("PRAGMA busy_timeout = 0");
    writer.run("BEGIN IMMEDIATE");
    expect(() => store.dropOthers(s.user.id, MODEL)).not.toThrow();
    writer.run("ROLLBACK");
    writer.close();
  });

  test("holds one person's vectors only", async () => {
    const eve = s.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
    const theirs = addMail(eve.id, "eve@example.org", 5);
    const mine = await open();
    const found = mine.nearest(unit(random), 100, null).map(({ n }) => n);
    expect(found.filter((n) => theirs.includes(n))).toEqual([]);
    expect(mine.nearest(unit(random), 100, theirs)).toEqual([]);
    expect(mine.cosines(unit(random), theirs)).toEqual([]);
    // A vector is stored only for the owner of the message.
    store.put(s.user.id, "forged@1", [{ message_n: theirs[0]!, vector: quantize(unit(random)) }]);
    expect(store.count(s.user.id, "forged@1")).toBe(0);
  });

  test("is not written and creates no key after its user was removed", async () => {
    const eve = s.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
    const theirs = addMail(eve.id, "eve@example.org", 3);
    const index = await open(eve.id);
    index.save(0);
    addMail(eve.id, "eve@second.example", 1);
    index.refresh();
    s.platform.users.remove(eve.id);
    index.save(0);
    index.refresh();
    store.put(eve.id, MODEL, [{ message_n: theirs[0]!, vector: quantize(unit(random)) }]);
    (await open(eve.id)).refresh();
    new Snapshots(s.platform).sweep();
    index.save(0);
    expect(readdirSync(join(s.data_dir, "vectors"))).not.toContain(`${eve.id}.bin`);
    expect(s.platform.db.sql.query("SELECT 1 FROM data_keys WHERE user_id = ?").get(eve.id)).toBeNull();
  });

  test("deletes its file when the user is removed", async () => {
    const eve = s.platform.users.add({ email: "eve@example.org", plan: "pro", role: "member", timezone: "UTC" });
    addMail(eve.id, "eve@example.org", 3);
    for (const id of [eve.id, s.user.id]) (await open(id)).save(0);
    s.platform.users.remove(eve.id);
    new Snapshots(s.platform).sweep();
    expect(readdirSync(join(s.data_dir, "vectors"))).toEqual([`${s.user.id}.bin`]);
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}
