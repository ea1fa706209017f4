import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { seedMailbox } from "../../../test/support/seed-mail.ts";
import { loadUsearch } from "../../platform/native/load.ts";
import { quantize } from "./quantize.ts";
import { Snapshots } from "./snapshot.ts";
import { VectorStore } from "./store.ts";
import { UserIndex } from "./user-index.ts";

/** Results of semantic search after a restart, when the vectors are read from the snapshot file. */

const DIMENSIONS = 48;
const MODEL = "test@1";
/** More than a thousand, and not a multiple of a frame or growth step. */
const VECTORS = 1_237;
const QUERIES = 60;

let s: Scratch;
let store: VectorStore;
/** Vectors as the model returned them, by message number. */
let given: Map<number, Float32Array>;
let random: () => number;

beforeEach(() => {
  s = scratchPlatform();
  store = new VectorStore(s.platform);
  given = new Map();
  let state = 11;
  random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
});
afterEach(() => s.close());

function unit(): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, random);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Messages, each with a vector. */
function addMail(user_id: string, email: string, count: number): number[] {
  const seeded = seedMailbox(s.platform, user_id, { email });
  const numbers = s.platform.db.write(() =>
    Array.from({ length: count }, () => {
      const { message_id } = seeded.deliver();
      return s.platform.db.sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!.n;
    }),
  );
  embed(user_id, numbers);
  return numbers;
}

function embed(user_id: string, numbers: readonly number[]): void {
  for (const n of numbers) given.set(n, unit());
  const vectors = numbers.map((message_n) => ({
    message_n,
    vector: quantize(given.get(message_n)!),
  }));
  store.put(user_id, MODEL, vectors);
}

function remove(numbers: readonly number[]): void {
  s.platform.db.sql
    .query("DELETE FROM messages WHERE n IN (SELECT value FROM json_each(?))")
    .run(JSON.stringify(numbers));
  for (const n of numbers) given.delete(n);
}

async function open(user_id: string): Promise<UserIndex> {
  const parts = { usearch: await loadUsearch("unused"), store, snapshots: new Snapshots(s.platform) };
  return new UserIndex(parts, user_id, MODEL);
}

/** An index that reads every vector from its row, as if no snapshot had ever been written. */
async function fromRows(user_id: string): Promise<UserIndex> {
  class NoSnapshots extends Snapshots {
    override load(): null {
      return null;
    }
  }
  return new UserIndex(
    { usearch: await loadUsearch("unused"), store, snapshots: new NoSnapshots(s.platform) },
    user_id,
    MODEL,
  );
}

/**
 * Counts how many of these messages are the first result for their own vector, and how many results are exactly as
 * expected.
 */
function compare(index: UserIndex, expected: UserIndex, numbers: readonly number[]) {
  const step = Math.max(1, Math.floor(numbers.length / QUERIES));
  const asked = numbers.filter((_, i) => i % step === 0).slice(0, QUERIES);
  const within = numbers.filter((_, i) => i % 3 === 0);
  let itself = 0;
  let same = 0;
  let sameFiltered = 0;
  for (const n of asked) {
    const query = given.get(n)!;
    const near = index.nearest(query, 20, null);
    if (near[0]?.n === n) itself++;
    if (Bun.deepEquals(near, expected.nearest(query, 20, null))) same++;
    if (Bun.deepEquals(index.nearest(query, 20, within), expected.nearest(query, 20, within))) sameFiltered++;
  }
  return { asked: asked.length, itself, same, sameFiltered };
}
const all = (asked: number) => ({ asked, itself: asked, same: asked, sameFiltered: asked });

describe("after a restart", () => {
  test("every message is found by its own vector, with the same scores as before", async () => {
    const numbers = addMail(s.user.id, "ada@example.org", VECTORS);
    const before = await open(s.user.id);
    before.save();
    const after = await open(s.user.id);
    expect(compare(before, await fromRows(s.user.id), numbers)).toEqual(all(QUERIES));
    expect(compare(after, before, numbers)).toEqual(all(QUERIES));
    // A snapshot written from a loaded snapshot is equally good.
    after.save(0);
    expect(compare(await open(s.user.id), before, numbers)).toEqual(all(QUERIES));
  });

  test("additions, changes and deletions since the snapshot are applied, over several restarts", async () => {
    let numbers = addMail(s.user.id, "ada@example.org", VECTORS);
    (await open(s.user.id)).save(0);
    for (const [turn, count] of [3, 700, 40].entries()) {
      const running = await open(s.user.id);
      expect(compare(running, await fromRows(s.user.id), numbers)).toEqual(all(QUERIES));
      // While the server runs, mail is added, embedded again and deleted.
      numbers = [...numbers, ...addMail(s.user.id, `turn${turn}@example.org`, count)];
      embed(s.user.id, [numbers[5]!, numbers.at(-1)!]);
      const gone = numbers.filter((_, i) => i % 50 === turn);
      remove(gone);
      numbers = numbers.filter((n) => !gone.includes(n));
      running.refresh();
      expect(running.size).toBe(numbers.length);
      expect(compare(running, await fromRows(s.user.id), numbers)).toEqual(all(QUERIES));
      // Saves only sometimes, so that some starts read an old file and apply the changes since.
      if (turn !== 1) running.save(0);
    }
  });

  test("each person finds only their own mail", async () => {
    const eve = s.platform.users.add({
      email: "eve@example.org",
      plan: "pro",
      role: "member",
      timezone: "UTC",
    });
    const mine = addMail(s.user.id, "ada@example.org", 1_010);
    const theirs = addMail(eve.id, "eve@example.org", 1_400);
    for (const id of [s.user.id, eve.id]) (await open(id)).save(0);
    for (const [id, own, others] of [
      [s.user.id, mine, theirs],
      [eve.id, theirs, mine],
    ] as const) {
      const index = await open(id);
      expect(compare(index, await fromRows(id), own)).toEqual(all(QUERIES));
      expect(index.nearest(given.get(others[7]!)!, 5_000, null).map(({ n }) => n)).not.toContain(others[7]!);
      expect(index.nearest(given.get(others[7]!)!, 10, others)).toEqual([]);
    }
  });
});
