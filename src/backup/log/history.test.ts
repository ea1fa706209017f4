import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { utimesSync } from "node:fs";
import { join } from "node:path";
import { complaint, contentOf, LogFixture, type RunningLog } from "../../../test/support/log-fixture.ts";
import { isoTime } from "../../kernel/clock.ts";
import { moveMasterKey } from "../../platform/sealing/move-key.ts";
import { adoptRecoveryKey, newRecoveryKey } from "../../platform/sealing/recovery-key.ts";
import { LOG_FOLDER } from "./crypt.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let fixture: LogFixture;
let running: RunningLog | null = null;
beforeEach(async () => {
  fixture = await LogFixture.open(null, 3);
});
afterEach(() => {
  running?.kill();
  running = null;
  fixture.close();
});

const source = () => fixture.backup.scratch.data_dir;
const nameOf = (data_dir: string) => JSON.stringify(contentOf(data_dir));
const advance = (ms: number) => fixture.backup.scratch.clock.advance(ms);
const now = () => fixture.backup.scratch.clock.now();

/** Commits something and sends it. @returns the state and its time */
async function change(): Promise<{ at: number; name: string }> {
  fixture.deliver();
  await running!.writer.flush();
  return { at: now(), name: nameOf(source()) };
}

test("a restore to any time has the newest state that is not after it", async () => {
  running = await fixture.start();
  await running.settle();
  const states = [{ at: now(), name: nameOf(source()) }];
  for (let i = 0; i < 50; i++) {
    advance(60_000);
    if (i === 30) running.writer.requestBase();
    if (i === 40) {
      running.kill();
      running = await fixture.start();
      await running.settle();
      advance(1);
    }
    states.push(await change());
    if (i === 30) await running.settle();
  }
  const first = states[0]!.at;
  for (let i = 0; i < 10; i++) {
    const at = first + Math.floor(((i * 7_919) % 50) * 60_000 + ((i * 101) % 60_000));
    const expected = states.findLast((state) => state.at <= at)!;
    const { data_dir, position } = await fixture.restore(at);
    expect(position.at).toBeLessThanOrEqual(at);
    expect(nameOf(data_dir)).toBe(expected.name);
  }
  expect(await complaint(fixture.restore(first - 1))).toContain(`The oldest is of ${isoTime(first)}`);
  expect(nameOf((await fixture.restore()).data_dir)).toBe(states.at(-1)!.name);
});

test("steps let a restore read few objects, and lead to the same states", async () => {
  running = await fixture.start();
  await running.settle();
  const states: { at: number; name: string }[] = [];
  for (let i = 0; i < 150; i++) {
    advance(60_000);
    fixture.deliver();
    await running.writer.flush();
    if (i % 20 === 0 || i === 149) states.push({ at: now(), name: nameOf(source()) });
  }
  const reader = await fixture.reader();
  const steps = await reader.history.steps();
  expect(steps.map(({ from, seq }) => [from, seq])).toEqual([
    [1, 66],
    [66, 130],
  ]);
  let read = 0;
  for await (const segment of reader.segments(null, "newest")) read += segment.manifest.seq > 0 ? 1 : 0;
  // The base, two steps, and the changes after them.
  expect(read).toBe(3 + 151 - 130);
  for (const { at, name } of states) expect(nameOf((await fixture.restore(at)).data_dir)).toBe(name);
});

test("what the history needs is kept, and what is older is deleted", async () => {
  running = await fixture.start();
  await running.settle();
  const states: { at: number; name: string }[] = [];
  for (let day = 0; day < 12; day++) {
    running.writer.requestBase();
    fixture.deliver();
    await running.settle();
    states.push(await change());
    // The clock of the store: every object so far is older than the next ones.
    for await (const { key, modifiedAt } of fixture.store.list(LOG_FOLDER)) {
      const path = join(fixture.store.place, key);
      utimesSync(path, (modifiedAt - 10_000) / 1_000, (modifiedAt - 10_000) / 1_000);
    }
    advance(DAY_MS);
  }
  await running.settle();
  await running.writer.idle();
  const objects = await Array.fromAsync(fixture.store.list(LOG_FOLDER));
  const { bases } = (await fixture.reader()).history.part;
  expect(bases.length).toBeLessThan(10);
  expect(bases[0]!.at).toBeLessThanOrEqual(now() - 7 * DAY_MS);
  expect(bases[1]!.at).toBeGreaterThan(now() - 7 * DAY_MS);
  expect(objects.length).toBeLessThan(3 * 10);
  for (const { at, name } of states.filter((state) => state.at >= now() - 7 * DAY_MS)) {
    expect(nameOf((await fixture.restore(at)).data_dir)).toBe(name);
  }
  expect(await complaint(fixture.restore(states[0]!.at))).toContain("has no state from that time or before");
});

test("an object of the oldest base that someone writes again does not make the rest of it look old", async () => {
  running = await fixture.start();
  await running.settle();
  const state = await change();
  const { first } = (await fixture.reader()).history.part.bases[0]!;
  advance(9 * DAY_MS);
  // As someone with the right to write, but not to delete, can do.
  const later = Date.now() / 1_000 + 60;
  utimesSync(join(fixture.store.place, first), later, later);
  await running.settle();
  await running.writer.idle();
  expect((await fixture.restore(state.at)).position.at).toBe(state.at);
  expect(nameOf((await fixture.restore()).data_dir)).toBe(nameOf(source()));
});

test("after a change of the master key, states of before and after are restored, each with its key", async () => {
  running = await fixture.start();
  await running.settle();
  const before = await change();
  await running.stop();
  advance(1_000);
  const old = fixture.secrets;
  await moveMasterKey(fixture.platform, { kind: "file" });
  const platform = fixture.backup.scratch.another();
  running = await fixture.start({ platform });
  await running.settle();
  advance(1_000);
  fixture.deliver();
  await running.writer.flush();
  const secrets = [{ kind: "master key" as const, key: platform.keyring.master }];
  expect(await complaint(fixture.reader(old))).toContain("does not open");
  const newest = await fixture.restore(null, secrets);
  expect(nameOf(newest.data_dir)).toBe(nameOf(source()));
  expect(newest.master_key).toEqual(platform.keyring.master);
  const earlier = await fixture.restore(before.at, secrets);
  expect(nameOf(earlier.data_dir)).toBe(before.name);
  expect(earlier.master_key).toEqual(new Uint8Array((old[0] as { key: Uint8Array }).key));
  expect(running.writer.status().warning).toBeNull();
});

test("after a new recovery key, only that one opens what is written", async () => {
  const first = await newRecoveryKey();
  await adoptRecoveryKey(fixture.platform, first.recipient);
  running = await fixture.start();
  await running.settle();
  const secret = (key: typeof first) => [{ kind: "recovery key" as const, secret: key.secret }];
  expect(nameOf((await fixture.restore(null, secret(first))).data_dir)).toBe(nameOf(source()));
  const known = (await fixture.reader(secret(first))).keys;
  const second = await newRecoveryKey();
  await adoptRecoveryKey(fixture.platform, second.recipient);
  fixture.deliver();
  await running.settle();
  expect(await complaint(fixture.restore(null, secret(first)))).toContain("does not open");
  expect(nameOf((await fixture.restore(null, secret(second))).data_dir)).toBe(nameOf(source()));
  const { bases } = (await fixture.reader()).history.part;
  expect(new Set(bases.map(({ key }) => key)).size).toBe(2);
  // Nor can someone who has the first one say what counts, although what it opened is still there.
  const primary = (await fixture.store.get("primary", 100_000))!;
  const body = running.own.keys.open(primary.bytes);
  await fixture.store.put("primary", known.seal(body), { etag: primary.etag });
  expect(await complaint(fixture.restore(null, secret(second)))).toContain("primary is damaged");
});
