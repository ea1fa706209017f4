/** The thread of watchdog.ts. It needs nothing of the main thread, which may be in an endless loop. */
import { dlopen, FFIType } from "bun:ffi";
import { mkdirSync, writeFileSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { CELL, HEAD_BYTES, INPUT_AT, type Post, TARGET_AT } from "./watchdog.ts";

/**
 * Number of checks of one input before the limit. They are counted, so that time in which the whole machine slept does
 * not count.
 */
const LOOKS = 20;

const { shared, folder, patience_ms } = workerData as Post;
const cells = new Int32Array(shared, 0, HEAD_BYTES / 4);
const bytes = Buffer.from(shared);
const slice = (at: number, length: "target_bytes" | "inputBytes") => bytes.subarray(at, at + cells[CELL[length]]!);

let seen = 0;
let looks = 0;
setInterval(() => {
  const beat = Atomics.load(cells, CELL.beat);
  looks = beat !== 0 && beat === seen ? looks + 1 : 0;
  seen = beat;
  if (looks >= LOOKS) reportHang();
}, patience_ms / LOOKS);
parentPort!.postMessage("looking");

function reportHang(): void {
  // "campaign: target"
  const target = slice(TARGET_AT, "target_bytes").toString();
  const seconds = patience_ms / 1_000;
  // Not through the console, which may wait for the main thread.
  writeSync(2, `${target} has not ended within ${seconds} s; its input is ${save(target.split(":", 1)[0]!)}\n`);
  endProcess();
}

function save(campaign: string): string {
  const input = slice(INPUT_AT, "inputBytes");
  const file = join(folder, `hang-${campaign}-${Bun.hash(input).toString(16)}.bin`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, input);
    return `in ${relative(".", file)}`;
  } catch (error) {
    return `lost: ${error}`;
  }
}

/** `process.exit` of a thread ends that thread only. */
function endProcess(): void {
  const libc = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";
  dlopen(libc, { _exit: { args: [FFIType.i32], returns: FFIType.void } }).symbols._exit(1);
}
