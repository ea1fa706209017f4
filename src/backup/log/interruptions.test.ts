import { Database } from "bun:sqlite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { complaint, contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { type S3Server, startS3 } from "../../../test/support/s3-server.ts";
import { verifyLog } from "./restore-log.ts";

setDefaultTimeout(120_000);

let s3: S3Server;
let fixture: LogFixture;
let running: RunningLog | null = null;
beforeAll(async () => {
  s3 = await startS3();
});
afterAll(() => s3.close());
beforeEach(() => {
  s3.disturb = () => null;
});
afterEach(() => {
  running?.kill();
  running = null;
  fixture.close();
});

const source = () => fixture.backup.scratch.data_dir;
const database = () => join(source(), "postroom.db");

/** A name of the content of all tables. */
const nameOf = (data_dir: string) => JSON.stringify(contentOf(data_dir));

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Starts a process that writes without pause. @returns what stops it */
function startBusyWriter(seed: number): () => Promise<void> {
  const script = join(import.meta.dir, "../../../test/support/busy-writer.ts");
  const child = Bun.spawn([process.execPath, script, database(), String(seed)], { stdin: "pipe" });
  return async () => {
    child.stdin.end();
    expect(await child.exited).toBe(0);
  };
}

/** The sums that hold at every state of the busy writer. */
function expectBusySums(data_dir: string): void {
  const sql = new Database(join(data_dir, "postroom.db"));
  try {
    const { inserted, deleted } = sql
      .query<{ inserted: number; deleted: number }, []>("SELECT * FROM busy_count")
      .get()!;
    const { n } = sql.query<{ n: number }, []>("SELECT count(*) AS n FROM busy_rows").get()!;
    expect(inserted - deleted).toBe(n);
  } finally {
    sql.close();
  }
}

test("cut after any request, a reader finds an older or the newer state, and the next run sends no base", async () => {
  fixture = await LogFixture.open(s3, 3);
  running = await fixture.start();
  await running.settle();
  const random = randomFrom(11);
  const states = new Set([nameOf(source())]);
  let acknowledged = nameOf(source());
  for (let round = 0; round < 12; round++) {
    for (let i = 0; i <= random() * 2; i++) {
      fixture.deliver();
      states.add(nameOf(source()));
    }
    let left = Math.floor(random() * 4);
    const isLost = random() < 0.5;
    s3.disturb = () => (left-- > 0 ? null : left === -1 && isLost ? "lost" : "cut");
    const failed = await complaint(running.writer.flush());
    if (failed === null) acknowledged = nameOf(source());
    s3.disturb = () => null;
    if (random() < 0.6) {
      if (random() < 0.3) await running.stop();
      else running.kill();
      running = await fixture.start();
    }
    const { data_dir } = await fixture.restore();
    const restored = nameOf(data_dir);
    expect(states.has(restored)).toBe(true);
    // Never older than what was acknowledged.
    const order = [...states];
    expect(order.indexOf(restored)).toBeGreaterThanOrEqual(order.indexOf(acknowledged));
    await running.settle();
    acknowledged = nameOf(source());
    expect(nameOf((await fixture.restore()).data_dir)).toBe(acknowledged);
  }
  expect((await fixture.reader()).history.part.bases).toHaveLength(1);
});

test("a first base that is cut again and again is never half there, and is complete in the end", async () => {
  fixture = await LogFixture.open(s3, 3);
  const random = randomFrom(5);
  for (let round = 0; round < 8; round++) {
    let left = round;
    const isLost = random() < 0.5;
    s3.disturb = () => (left-- > 0 ? null : left === -1 && isLost ? "lost" : "cut");
    running = await fixture.start().catch(() => null);
    if (running) await complaint(running.settle());
    running?.kill();
    s3.disturb = () => null;
    const found = await fixture.reader().catch((error: Error) => error.message);
    if (typeof found === "string") expect(found).toMatch(/There is no log|primary is missing|not complete yet/);
    else expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
  }
  running = await fixture.start();
  await running.settle();
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("a base and large changes are of one state, although another process writes without pause", async () => {
  fixture = await LogFixture.open(null, 3);
  const filled = new Database(database());
  filled.run("PRAGMA busy_timeout = 10000");
  filled.run("CREATE TABLE filler (content BLOB)");
  const fill = (megabytes: number) =>
    filled.transaction(() => {
      for (let i = 0; i < megabytes; i++) filled.query("INSERT INTO filler VALUES (randomblob(1000000))").run();
    })();
  fill(18);
  const stop = startBusyWriter(3);
  try {
    running = await fixture.start();
    await running.settle();
    expectBusySums((await fixture.restore()).data_dir);
    for (let round = 0; round < 3; round++) {
      // Every second one has several packs.
      if (round % 2 === 0) fill(12);
      if (round === 2) running.writer.requestBase();
      await running.writer.flush();
      const { data_dir } = await fixture.restore();
      expectBusySums(data_dir);
    }
  } finally {
    await stop();
    filled.close();
  }
  await running.settle();
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
  const { bases } = (await fixture.reader()).history.part;
  expect(bases.map(({ fresh }) => fresh)).toEqual([true, false]);
  expect(running.writer.status().warning).toBeNull();
  // From the older base, the same state is reached.
  const reader = await fixture.reader();
  reader.history.part.bases.pop();
  const { position } = await verifyLog(reader, "newest");
  expect(position.seq).toBe(reader.history.part.head!.seq);
});

test("while the store is away, nothing is spooled, and one segment has all of it", async () => {
  fixture = await LogFixture.open(s3, 3);
  running = await fixture.start();
  await running.settle();
  const { clock } = fixture.backup.scratch;
  s3.disturb = () => ({ status: 503, code: "SlowDown" });
  fixture.deliver();
  await running.writer.tick();
  clock.advance(5_000);
  expect(await complaint(running.writer.tick())).toContain("SlowDown");
  for (let i = 0; i < 10; i++) {
    fixture.deliver();
    clock.advance(60_000);
    await complaint(running.writer.tick());
  }
  expect(running.writer.status()).toMatchObject({ failures: 11, lagMs: 540_000 });
  s3.disturb = () => null;
  await running.writer.flush();
  // The one that was tried, and one for the rest.
  expect(running.writer.status()).toMatchObject({ failures: 0, error: null, seq: 3, lagMs: 0 });
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("changes are gathered for four seconds, and an idle server sends nothing", async () => {
  fixture = await LogFixture.open(s3, 3);
  running = await fixture.start();
  await running.settle();
  const { clock } = fixture.backup.scratch;
  const before = s3.passed.length;
  for (let i = 0; i < 600; i++) {
    clock.advance(1_000);
    await running.writer.tick();
  }
  expect(s3.passed.length).toBe(before);
  fixture.deliver();
  await running.writer.tick();
  clock.advance(3_000);
  await running.writer.tick();
  expect(s3.passed.length).toBe(before);
  clock.advance(1_000);
  await running.writer.tick();
  expect(s3.passed.slice(before).map(({ method }) => method)).toEqual(["PUT", "PUT"]);
});
