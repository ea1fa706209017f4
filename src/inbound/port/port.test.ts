import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { ApiError } from "../../kernel/errors.ts";
import { PartCache } from "../../platform/blobs/cache.ts";
import type { ContentProgress, ContentRequest, Endpoint } from "./messages.ts";
import { MailPort } from "./port.ts";
import { type MailHandlers, servePort } from "./worker.ts";

/** Returns two ends that deliver messages synchronously, so that a test need not wait. */
function pair(): [Endpoint, Endpoint] {
  const listeners: [Set<(event: MessageEvent) => void>, Set<(event: MessageEvent) => void>] = [new Set(), new Set()];
  const end = (own: 0 | 1): Endpoint => ({
    postMessage: (message) => {
      const data = structuredClone(message);
      for (const listener of listeners[own === 0 ? 1 : 0]) listener({ data } as MessageEvent);
    },
    addEventListener: (_type, listener) => void listeners[own].add(listener),
    removeEventListener: (_type, listener) => void listeners[own].delete(listener),
  });
  return [end(0), end(1)];
}

let harness: Harness;
let port: MailPort;
let parts: PartCache;
const calls: string[] = [];
beforeEach(() => {
  harness = createHarness();
  parts = new PartCache(harness.platform);
  parts.start();
  port = new MailPort({ platform: harness.platform, parts });
  calls.length = 0;
});
afterEach(() => harness.close());

const idle: MailHandlers = {
  content: () => new Promise(() => {}),
  syncNow: (account_id) => void calls.push(`syncNow ${account_id}`),
  accountsChanged: () => void calls.push("accountsChanged"),
  stop: async () => void calls.push("stop"),
};

function worker(handlers: Partial<MailHandlers> = {}): Endpoint {
  const [main, other] = pair();
  servePort(other, harness.platform.log, { ...idle, ...handlers });
  port.connect(main);
  return main;
}

const ref = (n = 1) => ({ user_id: harness.user.id, account_id: "acc_1", message_id: `msg_${n}`, size: 10 });

describe("calls through the port", () => {
  test("reach the worker and are answered", async () => {
    worker();
    await port.syncNow("acc_1");
    await port.accountsChanged();
    await port.stop();
    expect(calls).toEqual(["syncNow acc_1", "accountsChanged", "stop"]);
  });

  test("return the worker's errors by code; an unexpected error reveals no internals", async () => {
    worker({
      accountsChanged: () => {
        throw new ApiError("not_found", "No such account.");
      },
      stop: () => Promise.reject(new Error("password hunter2 at /secret/path")),
    });
    await expect(port.accountsChanged()).rejects.toMatchObject({ code: "not_found", message: "No such account." });
    const error = await port.stop().catch((caught: unknown) => caught as ApiError);
    expect(error).toMatchObject({ code: "provider_unavailable" });
    expect((error as ApiError).message).not.toContain("hunter2");
    expect(harness.log.join()).not.toContain("hunter2");
  });

  test("report a full disk as such", async () => {
    worker({ content: () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) });
    await expect(port.raw(ref())).rejects.toMatchObject({ code: "storage_full" });
  });

  test("wait briefly for a worker that is starting, and then reach it", async () => {
    const asked = [port.syncNow("acc_1"), port.accountsChanged()];
    harness.clock.advance(3_000);
    expect(calls).toEqual([]);
    worker();
    await Promise.all(asked);
    expect(calls).toEqual(["syncNow acc_1", "accountsChanged"]);
    // A worker that has ended is restarted.
    port.disconnect();
    const again = port.syncNow("acc_2");
    worker();
    await again;
    expect(calls.at(-1)).toBe("syncNow acc_2");
  });

  test("of a client that leaves while the worker is starting are not sent", async () => {
    const gone = new AbortController();
    const asked = port.raw(ref(), gone.signal);
    await settle();
    gone.abort();
    await expect(asked).rejects.toMatchObject({ code: "provider_unavailable" });
    const seen = worker({ content: async () => void calls.push("content") });
    await settle();
    expect([seen, calls]).toEqual([expect.anything(), []]);
  });

  test("a stop does not wait for a worker", async () => {
    const asked = port.syncNow("acc_1").catch((error: unknown) => error);
    await port.stop();
    expect(await asked).toMatchObject({ code: "provider_unavailable" });
  });

  test("fail when no worker starts, when it ends, and when it is silent for too long", async () => {
    const unanswered = port.syncNow("acc_1");
    harness.clock.advance(5_000);
    await expect(unanswered).rejects.toMatchObject({ code: "provider_unavailable" });
    worker();
    const cut = port.raw(ref());
    await settle();
    port.disconnect();
    await expect(cut).rejects.toMatchObject({ code: "provider_unavailable" });
    worker();
    const silent = port.raw(ref());
    await settle();
    harness.clock.advance(31_000);
    await expect(silent).rejects.toMatchObject({ code: "provider_unavailable" });
  });

  test("ignore messages of others on the same worker", () => {
    const [main, other] = pair();
    const heard: unknown[] = [];
    servePort(other, harness.platform.log, { ...idle, syncNow: () => void heard.push(1) });
    main.postMessage({ type: "start" });
    main.postMessage("text");
    expect(heard).toEqual([]);
  });
});

describe("a download through the port", () => {
  /** Returns a worker whose download the test advances step by step. */
  function scriptedWorker() {
    const seen: {
      request: ContentRequest;
      tell: (progress: ContentProgress) => void;
      signal: AbortSignal;
      done: () => void;
    }[] = [];
    worker({
      content: (request, tell, signal) =>
        new Promise<void>((done, fail) => {
          seen.push({ request, tell, signal, done });
          signal.addEventListener("abort", () => fail(new Error("aborted")));
        }),
    });
    return seen;
  }

  test("that falls silent in the middle fails its readers, and the next request starts again", async () => {
    const seen = scriptedWorker();
    const waiting = port.raw(ref());
    await settle();
    const writer = parts.files.create("cache", { ...ref(), part: "raw" });
    seen[0]!.tell({ type: "begun", paths: writer.paths, size: 300_000 });
    const content = await waiting;
    const bytes = new Response(content.read()).arrayBuffer();
    bytes.catch(() => {});
    harness.clock.advance(61_000);
    await expect(bytes).rejects.toMatchObject({ code: "provider_unavailable" });
    expect(seen[0]!.signal.aborted).toBe(true);
    writer.abandon();
    port.raw(ref()).catch(() => {});
    await settle();
    expect(seen).toHaveLength(2);
  });

  test("is requested once, read by all while it grows, and served from disk afterwards", async () => {
    const seen = scriptedWorker();
    const [first, second] = [port.raw(ref()), port.raw(ref())];
    await settle();
    expect(seen).toHaveLength(1);
    const { tell, done } = seen[0]!;
    const writer = parts.files.create("cache", { ...ref(), part: "raw" });
    tell({ type: "begun", paths: writer.paths, size: 200_000 });
    const readers = [(await first).read(), (await second).read(150_000, 150_010)];
    const plain = new Uint8Array(200_000).fill(5);
    writer.write(plain.subarray(0, 140_000));
    tell({ type: "written", written: writer.written });
    writer.write(plain.subarray(140_000));
    tell({ type: "complete", size: writer.finish() });
    done();
    const [all, some] = await Promise.all(readers.map((stream) => new Response(stream).arrayBuffer()));
    expect(new Uint8Array(all!)).toEqual(plain);
    expect(some!.byteLength).toBe(10);
    port.disconnect();
    expect((await port.raw(ref())).size).toBe(200_000);
    expect(parts.bytes).toBeGreaterThan(200_000);
  });

  test("that is complete is not requested again even if the worker reports late: damage is found and repaired", async () => {
    const seen = scriptedWorker();
    const asked = port.raw(ref());
    await settle();
    const writer = parts.files.create("cache", { ...ref(), part: "raw" });
    seen[0]!.tell({ type: "begun", paths: writer.paths, size: 200_000 });
    writer.write(new Uint8Array(200_000).fill(5));
    seen[0]!.tell({ type: "complete", size: writer.finish() });
    await new Response((await asked).read()).arrayBuffer();
    const [, path] = writer.paths;
    const bytes = readFileSync(path);
    bytes[1_000]! ^= 1;
    writeFileSync(path, bytes);
    const damaged = await port.raw(ref());
    await expect(new Response(damaged.read()).arrayBuffer()).rejects.toThrow();
    void port.raw(ref()).catch(() => {});
    await settle();
    expect(seen).toHaveLength(2);
    port.disconnect();
  });

  test("continues when one of two readers leaves, and ends when both have left", async () => {
    const seen = scriptedWorker();
    const [first, second] = [port.raw(ref()), port.raw(ref())];
    await settle();
    const writer = parts.files.create("cache", { ...ref(), part: "raw" });
    seen[0]!.tell({ type: "begun", paths: writer.paths, size: 200_000 });
    const streams = [(await first).read(), (await second).read()];
    await streams[0]!.cancel();
    expect(seen[0]!.signal.aborted).toBe(false);
    await streams[1]!.cancel();
    expect(seen[0]!.signal.aborted).toBe(true);
    writer.abandon();
  });
});

/** Lets the cache lookup, which reads the disk, finish. */
async function settle(): Promise<void> {
  await parts.open({ ...ref(99), part: "raw" });
  for (let i = 0; i < 10; i++) await Promise.resolve();
}
