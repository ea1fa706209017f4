import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Debian's libfaketime, which intercepts a process's reads of the machine's clock. */
const FAKETIME = [
  "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
  "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
].find((path) => existsSync(path));

/** The wall clock of a process, which can be set while it runs. */
export interface WallClock {
  /** Environment of the process. */
  env: Record<string, string>;
  /** Offsets it from the machine's clock by this many seconds. */
  set(seconds: number): void;
  remove(): void;
}

/** @returns null where libfaketime is not installed */
export function wallClock(): WallClock | null {
  if (!FAKETIME) return null;
  const dir = mkdtempSync(join(tmpdir(), "postroom-clock-"));
  const offsetFile = join(dir, "offset");
  const set = (seconds: number) => writeFileSync(offsetFile, `${seconds < 0 ? "-" : "+"}${Math.abs(seconds)}\n`);
  set(0);
  return {
    env: {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: offsetFile,
      FAKETIME_NO_CACHE: "1",
      // Timers use the monotonic clock, as they do outside of tests.
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
      DONT_FAKE_MONOTONIC: "1",
    },
    set,
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
