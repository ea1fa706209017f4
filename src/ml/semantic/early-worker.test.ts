import { afterEach, beforeEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { BUILT_IN_ID } from "../embedding/model.ts";
import { BinaryCodes, wordsOf } from "../vectors/binary-codes.ts";
import { Snapshots } from "../vectors/snapshot.ts";
import { endEarlySemanticThread, startSemanticThreadEarly, takeEarlySemanticThread } from "./early-worker.ts";

let scratch: Scratch;
beforeEach(() => {
  scratch = scratchPlatform();
});
afterEach(() => scratch.close());

/** Writes a snapshot of the built-in model's size. */
function withVectors(messages: number): void {
  const numbers = Int32Array.from({ length: messages }, (_, i) => i + 1);
  const codes = BinaryCodes.from(512, numbers, new Int32Array(messages * wordsOf(512)));
  const { platform, user } = scratch;
  new Snapshots(platform).save(user.id, BUILT_IN_ID, { codes, last: 1, losses: 0, looked_at: messages });
}

test("a folder with few vectors starts no thread", async () => {
  withVectors(19_000);
  startSemanticThreadEarly(scratch.platform.config);
  expect(takeEarlySemanticThread()).toBeNull();
  await endEarlySemanticThread();
});

test("the thread is taken once, and works like one that was started later", async () => {
  withVectors(20_000);
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
  withVectors(20_000);
  startSemanticThreadEarly(scratch.platform.config);
  await endEarlySemanticThread();
  expect(takeEarlySemanticThread()).toBeNull();
});
