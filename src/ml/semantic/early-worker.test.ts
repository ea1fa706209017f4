import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { endEarlySemanticThread, startSemanticThreadEarly, takeEarlySemanticThread } from "./early-worker.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

/** Makes the folder look like one with many vectors. */
function withVectors(): void {
  const folder = join(scratch.platform.config.data_dir, "vectors");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "usr_a.bin"), "");
  truncateSync(join(folder, "usr_a.bin"), 20_000_000);
}

test("a folder with few vectors starts no thread", async () => {
  startSemanticThreadEarly(scratch.platform.config);
  expect(takeEarlySemanticThread()).toBeNull();
  await endEarlySemanticThread();
});

test("the thread is taken once, and works like one that was started later", async () => {
  withVectors();
  const { config, keyring } = scratch.platform;
  startSemanticThreadEarly(config);
  const worker = takeEarlySemanticThread()!;
  expect(takeEarlySemanticThread()).toBeNull();
  const answer = (type: string) =>
    new Promise<void>((resolve) => {
      worker.addEventListener("message", ({ data }) => {
        if (data.type === type) resolve();
      });
    });
  const [ready, stopped] = [answer("ready"), answer("stopped")];
  const sources = { data_dir: config.data_dir, env: {}, flags: {} };
  worker.postMessage({ type: "start", sources, inherited: { master_key: keyring.master }, backfill: false });
  await ready;
  worker.postMessage({ type: "embed", id: 1, texts: ["A word about the roof."] });
  await answer("embedded");
  worker.postMessage({ type: "stop" });
  await stopped;
  worker.terminate();
});

test("a thread that no one takes is ended", async () => {
  withVectors();
  startSemanticThreadEarly(scratch.platform.config);
  await endEarlySemanticThread();
  expect(takeEarlySemanticThread()).toBeNull();
});
