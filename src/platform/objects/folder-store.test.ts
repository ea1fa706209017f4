import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";

const WRITER = join(import.meta.dir, "../../../test/support/folder-writer.ts");
const ROUNDS = 25;

/** Starts a process that counts in the folder. */
function writer(place: string, skewMs: number) {
  const child = Bun.spawn([process.execPath, WRITER, place, String(skewMs)], { stdout: "pipe", stderr: "inherit" });
  const numbers: number[] = [];
  const read = async () => {
    let rest = "";
    for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop()!;
      numbers.push(...lines.map(Number));
    }
  };
  return { child, numbers, ended: read() };
}

test("a conditional write that was paused never replaces what was written since", async () => {
  const place = mkdtempSync(join(tmpdir(), "postroom-folder-"));
  const writers = [120_000, -120_000].map((skewMs) => writer(place, skewMs));
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const [paused, other] = round % 2 === 0 ? writers : writers.toReversed();
      const before = other!.numbers.length;
      paused!.child.kill("SIGSTOP");
      await eventually(() => other!.numbers.length > before + 5, 20_000);
      paused!.child.kill("SIGCONT");
    }
  } finally {
    for (const { child } of writers) child.kill("SIGKILL");
    await Promise.all(writers.map(({ ended }) => ended));
    rmSync(place, { recursive: true });
  }
  // A number that was written twice was read before another process wrote it.
  const all = writers.flatMap(({ numbers }) => numbers).sort((a, b) => a - b);
  expect(all.length).toBeGreaterThan(5 * ROUNDS);
  expect(all.filter((number, i) => number === all[i - 1])).toEqual([]);
}, 120_000);
