import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { loadUsearch } from "../../platform/native/load.ts";
import { BinaryCodes, wordsOf } from "./binary-codes.ts";
import { shortlistOf } from "./nearest.ts";
import { cosineAt, quantize } from "./quantize.ts";
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

function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}

function unit(random: () => number, dimensions = DIMENSIONS): Float32Array {
  return normalized(Float32Array.from({ length: dimensions }, random));
}

const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

describe("binary codes", () => {
  /** As mail does, vectors gather around subjects. */
  const SHAPE = { dimensions: 512, subjects: 400, spread: 0.6, count: 20_000 };

  test("find the nearest of exact search over unrounded vectors, with a filter and without", () => {
    const random = generator(7);
    const subjects = Array.from({ length: SHAPE.subjects }, () => unit(random, SHAPE.dimensions));
    const near = (subject: Float32Array) => {
      const noise = unit(random, SHAPE.dimensions);
      return normalized(subject.map((value, i) => value + SHAPE.spread * noise[i]!));
    };
    const vectors = Array.from({ length: SHAPE.count }, (_, i) => near(subjects[i % SHAPE.subjects]!));
    const codes = new BinaryCodes(SHAPE.dimensions);
    for (const [i, vector] of vectors.entries()) codes.set(i + 1, quantize(vector));
    const some = new Set(vectors.flatMap((_, i) => (random() < -0.25 ? [i + 1] : [])));
    for (const within of [null, some]) {
      let found = 0;
      for (let turn = 0; turn < 20; turn++) {
        const query = near(subjects[turn * 7]!);
        const exact = vectors
          .map((vector, i) => ({ n: i + 1, score: dot(vector, query) }))
          .filter(({ n }) => within === null || within.has(n))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10);
        const shortlist = new Set(codes.nearest(query, shortlistOf(240), within));
        expect(shortlist.size).toBe(shortlistOf(240));
        found += exact.filter(({ n }) => shortlist.has(n)).length;
      }
      expect(found / 200).toBeGreaterThanOrEqual(0.98);
    }
  });

  test("return every message when fewer are stored than requested, and any number of dimensions works", () => {
    const random = generator(5);
    for (const dimensions of [1, 31, 32, 33, 48, 384, 1_024]) {
      const codes = new BinaryCodes(dimensions);
      const query = unit(random, dimensions);
      expect(codes.nearest(query, 5, null)).toEqual([]);
      const vectors = Array.from({ length: 3_000 }, () => unit(random, dimensions));
      for (const [i, vector] of vectors.entries()) codes.set(i, quantize(vector));
      expect(new Set(codes.nearest(query, 9_000, null))).toEqual(new Set(vectors.keys()));
      expect(codes.nearest(query, 7, [5, 9, 9_999]).sort()).toEqual([5, 9]);
      expect(new Set(codes.nearest(query, 2_500, null)).size).toBe(2_500);
    }
  });

  test("are the same after any changes as if made of what is left", () => {
    const random = generator(9);
    const codes = new BinaryCodes(DIMENSIONS);
    const left = new Map<number, Int8Array>();
    for (let turn = 0; turn < 6_000; turn++) {
      const n = Math.floor((random() + 0.5) * 2_000);
      if (turn % 3 === 0) {
        codes.delete(n);
        left.delete(n);
      } else {
        const vector = quantize(unit(random));
        codes.set(n, vector);
        left.set(n, vector);
      }
    }
    const fresh = new BinaryCodes(DIMENSIONS);
    for (const [n, vector] of left) fresh.set(n, vector);
    const byNumber = ({ numbers, codes: all }: BinaryCodes) => {
      const words = all.length / numbers.length;
      return new Map(Array.from(numbers, (n, row) => [n, all.slice(row * words, (row + 1) * words).join()]));
    };
    expect(byNumber(codes)).toEqual(byNumber(fresh));
    expect([codes.has(-1), codes.has(codes.numbers[3]!), codes.size]).toEqual([false, true, left.size]);
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
    const codes = BinaryCodes.from(
      DIMENSIONS,
      Int32Array.from({ length: rows }, (_, i) => i + 1),
      new Int32Array(rows * wordsOf(DIMENSIONS)),
    );
    const snapshots = new Snapshots(s.platform);
    snapshots.save(s.user.id, MODEL, { codes, ...store.state(s.user.id, MODEL), looked_at: rows });
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
    const warnings = () => s.log.filter((line) => line.includes("could not be decrypted"));
    expect(warnings()).toHaveLength(1);
    // A row that is damaged later, whose code is known.
    s.platform.db.sql.query("UPDATE vectors SET vector = zeroblob(80) WHERE message_n = ?").run(numbers[5]!);
    for (let turn = 0; turn < 3; turn++) {
      expect(index.nearest(unit(random), 30, null).map(({ n }) => n)).not.toContain(numbers[5]!);
      expect(index.cosines(unit(random), numbers)).toHaveLength(28);
    }
    expect([index.size, warnings().length]).toEqual([28, 2]);
  });

  test("a vector of another length is treated as none", async () => {
    const index = await open();
    store.put(s.user.id, MODEL, [{ message_n: numbers[2]!, vector: new Int8Array(DIMENSIONS + 9).fill(1) }]);
    index.refresh();
    expect(index.size).toBe(29);
    expect(index.nearest(unit(random), 30, null).map(({ n }) => n)).not.toContain(numbers[2]!);
    expect((await open()).size).toBe(29);
  });

  test("scores exactly, with a filter and without, also when only a shortlist is compared", async () => {
    const more = addMail(s.user.id, "more@example.org", 1_500);
    const index = await open();
    const vectors = new Map(
      store.vectorsOf(s.user.id, MODEL, [...numbers, ...more]).map((v) => [v.message_n, v.vector]),
    );
    expect(vectors.size).toBe(1_530);
    const query = unit(random);
    const exact = (among: readonly number[]) =>
      among
        .map((n) => ({ n, score: cosineAt(vectors.get(n)!, 0, query) }))
        .sort((a, b) => b.score - a.score || b.n - a.n)
        .slice(0, 5);
    expect(index.nearest(query, 5, null)).toEqual(exact([...vectors.keys()]));
    expect(index.nearest(query, 5, more.slice(9, 900))).toEqual(exact(more.slice(9, 900)));
    expect(index.nearest(query, 0, null)).toEqual([]);
    expect(index.nearest(new Float32Array(8), 5, null)).toEqual([]);
    expect(index.cosines(query, [more[3]!, 999_999])).toEqual([
      { n: more[3]!, score: cosineAt(vectors.get(more[3]!)!, 0, query) },
    ]);
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
