import { afterEach, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import type { ConfigValues } from "../config/table.ts";
import { yieldToEventLoop } from "../process/yielding.ts";
import { PartCache } from "./cache.ts";

let harness: Harness;
afterEach(() => harness.close());

function open(config: Partial<ConfigValues> = {}): PartCache {
  harness = createHarness({ config });
  return again();
}

/** Returns a new cache over the same files, as after a restart. */
function again(): PartCache {
  const cache = new PartCache(harness.platform);
  cache.start();
  return cache;
}

const blob = (n: number, part = `att_${n}`) => ({ user_id: harness.user.id, message_id: `msg_${n}`, part });
const bytes = (n: number, size: number) => new Uint8Array(size).fill(n);

function put(cache: PartCache, n: number, size: number): void {
  const name = blob(n);
  const writer = cache.files.create(cache.files.rootFor(name), name);
  writer.write(bytes(n, size));
  writer.finish();
  cache.added(name);
}

async function get(cache: PartCache, n: number): Promise<Uint8Array | null> {
  const found = await cache.open(blob(n));
  return found && new Uint8Array(await new Response(found.read()).arrayBuffer());
}

function onDisk(): string[] {
  const root = harness.platform.config.data_dir;
  return readdirSync(root, { recursive: true })
    .map((entry) => join(root, String(entry)))
    .filter((path) => path.includes("/cache/parts/") || path.includes("/blobs/"))
    .filter((path) => statSync(path).isFile());
}

const partials = () => onDisk().filter((path) => path.endsWith(".part"));

const HOLD_MS = 31_000;

describe("the part cache", () => {
  test("stays within its limit and drops the least recently used part first", async () => {
    const cache = open({ "store.cache_bytes": 50_000 });
    for (const n of [1, 2, 3, 4]) {
      put(cache, n, 10_000);
      harness.clock.advance(1_000);
    }
    harness.clock.advance(HOLD_MS);
    expect(await get(cache, 1)).toEqual(bytes(1, 10_000));
    harness.clock.advance(HOLD_MS);
    put(cache, 5, 10_000);
    expect(cache.bytes).toBeLessThanOrEqual(50_000);
    expect(onDisk().reduce((sum, path) => sum + statSync(path).size, 0)).toBe(cache.bytes);
    expect(await get(cache, 2)).toBeNull();
    for (const n of [1, 3, 4, 5]) expect(await get(cache, n)).toEqual(bytes(n, 10_000));
  });

  test("drops a part that turns out to be damaged, so that the next request fetches it again", async () => {
    const cache = open();
    put(cache, 1, 200_000);
    const [path] = onDisk() as [string];
    const damaged = readFileSync(path);
    damaged[90_000] = damaged[90_000]! ^ 1;
    writeFileSync(path, damaged);
    await expect(get(cache, 1)).rejects.toThrow();
    expect(await get(cache, 1)).toBeNull();
    expect(onDisk()).toEqual([]);
    put(cache, 1, 200_000);
    expect(await get(cache, 1)).toEqual(bytes(1, 200_000));
  });

  test("keeps a returned part until its reader can have opened it, then drops it", async () => {
    const cache = open({ "store.cache_bytes": 0 });
    put(cache, 1, 200_000);
    const found = (await cache.open(blob(1)))!;
    put(cache, 2, 200_000);
    expect((await new Response(found.read()).arrayBuffer()).byteLength).toBe(200_000);
    harness.clock.advance(2 * HOLD_MS);
    expect(cache.bytes).toBe(0);
    expect(onDisk()).toEqual([]);
  });

  test("a returned part stays readable after it moves from the kept blobs to the cache", async () => {
    const cache = open();
    cache.files.storeRaw(blob(1), bytes(1, 100_000));
    const raw = { ...blob(1), part: "raw" };
    const found = (await cache.open(raw))!;
    expect(cache.files.demote(raw)).toBe(cache.files.path("cache", raw));
    expect(new Uint8Array(await new Response(found.read()).arrayBuffer())).toEqual(bytes(1, 100_000));
    expect([cache.bytes, cache.files.demote(raw)]).toEqual([0, null]);
    await cache.open(raw);
    expect(cache.bytes).toBeGreaterThan(100_000);
  });

  test("a staged source is there once it is kept, and removed if the message was not stored", async () => {
    const cache = open();
    const raw = { ...blob(1), part: "raw" };
    const staged = await cache.files.stageRaw(blob(1), bytes(1, 70_000));
    expect(await cache.open(raw)).toBeNull();
    expect(staged.keep(() => true)).toBe(true);
    staged.abandon();
    const found = (await cache.open(raw))!;
    expect(new Uint8Array(await new Response(found.read()).arrayBuffer())).toEqual(bytes(1, 70_000));
    const other = await cache.files.stageRaw(blob(2), bytes(2, 100));
    expect(other.keep(() => false)).toBe(true);
    await yieldToEventLoop();
    expect(await cache.open({ ...blob(2), part: "raw" })).toBeNull();
    expect(other.keep(() => true)).toBe(false);
  });

  test("a staged source that was not kept leaves nothing, also after a crash", async () => {
    const cache = open();
    (await cache.files.stageRaw(blob(1), bytes(1, 100))).abandon();
    expect(partials()).toEqual([]);
    await cache.files.stageRaw(blob(1), bytes(1, 100));
    expect(partials()).toHaveLength(1);
    again();
    expect(partials()).toEqual([]);
  });

  test("after a restart it has the same parts in the same order of use", async () => {
    let cache = open({ "store.cache_bytes": 35_000 });
    for (const n of [1, 2, 3]) {
      put(cache, n, 10_000);
      harness.clock.advance(100_000);
    }
    await get(cache, 1);
    const before = cache.bytes;
    cache = again();
    expect(cache.bytes).toBe(before);
    harness.clock.advance(HOLD_MS);
    put(cache, 4, 10_000);
    expect(await get(cache, 2)).toBeNull();
    expect(await get(cache, 1)).toEqual(bytes(1, 10_000));
  });

  test("clears half-written files at start and treats damaged ones as missing", async () => {
    const cache = open();
    put(cache, 1, 5_000);
    const path = onDisk()[0]!;
    const half = cache.files.create("cache", blob(2));
    half.write(bytes(2, 100_000));
    expect(onDisk().length).toBe(2);
    const fresh = again();
    expect(onDisk()).toEqual([path]);
    const sealed = readFileSync(path);
    sealed[sealed.length - 1]! ^= 1;
    writeFileSync(path, sealed);
    expect(await fresh.open(blob(1))).toBeNull();
    expect(fresh.bytes).toBe(0);
    expect(onDisk()).toEqual([]);
  });

  test("names reveal nothing: no id is on disk, neither in names nor in files", () => {
    const cache = open();
    put(cache, 1, 5_000);
    for (const path of onDisk()) {
      expect(path).not.toMatch(/usr_|msg_|att_/);
      expect(readFileSync(path).includes("msg_1")).toBe(false);
      expect(statSync(path).mode & 0o777).toBe(0o600);
    }
  });

  test("setting the clock back does not make a file the newest permanently", async () => {
    let cache = open({ "store.cache_bytes": 1_000 });
    put(cache, 1, 5_000);
    utimesSync(onDisk()[0]!, 4e9, 4e9);
    cache = again();
    expect(onDisk()).toEqual([]);
  });
});

describe("kept blobs", () => {
  test("are never evicted with store.attachments = all", async () => {
    const cache = open({ "store.attachments": "all", "store.cache_bytes": 0 });
    for (const n of [1, 2, 3]) put(cache, n, 10_000);
    harness.clock.advance(10 * HOLD_MS);
    expect(cache.bytes).toBe(0);
    expect(onDisk().every((path) => path.includes("/blobs/"))).toBe(true);
    expect(await get(again(), 1)).toEqual(bytes(1, 10_000));
  });

  test("are deleted with their message, or by the daily sweep", async () => {
    const cache = open({ "store.attachments": "all" });
    for (const n of [1, 2, 3]) put(cache, n, 1_000);
    cache.files.storeRaw(blob(3), bytes(9, 50));
    cache.removeMessage(harness.user.id, "msg_1");
    expect(await get(cache, 1)).toBeNull();
    expect(await cache.sweep([harness.user.id], () => ["msg_3"])).toBe(1);
    expect(await get(cache, 2)).toBeNull();
    expect(await get(cache, 3)).not.toBeNull();
    cache.removeUser(harness.user.id);
    expect(onDisk()).toEqual([]);
  });

  test("return a source that no server has as it was stored, and can be stored again", async () => {
    const cache = open();
    cache.files.storeRaw(blob(1), bytes(1, 70_000));
    cache.files.storeRaw(blob(1), bytes(2, 80_000));
    const found = (await cache.open(blob(1, "raw")))!;
    expect(found.size).toBe(80_000);
    expect(new Uint8Array(await new Response(found.read(79_990)).arrayBuffer())).toEqual(bytes(2, 10));
  });
});
