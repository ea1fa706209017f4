import { expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../../../test/support/eventually.ts";

const PROCESS = join(import.meta.dir, "../../../test/support/lease-process.ts");
/** A second is this many seconds of the processes. */
const SPEED = 60;
const ROUNDS = 6;

interface Act {
  token: number;
  at: number;
  who: number;
}

test("of two processes with one folder, never two act, although they are stopped and killed", async () => {
  const root = mkdtempSync(join(tmpdir(), "postroom-lease-"));
  const acts: Act[] = [];
  const last = () => acts.at(-1);
  const start = (who: number) => {
    const data = join(root, `data-${who}`);
    mkdirSync(data, { recursive: true });
    mkdirSync(join(root, "store"), { recursive: true });
    const command = [process.execPath, PROCESS, join(root, "store"), data, String(SPEED)];
    const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
    const read = async () => {
      let rest = "";
      for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) {
        const lines = `${rest}${text}`.split("\n");
        rest = lines.pop()!;
        for (const line of lines) {
          const [token = 0, at = 0] = line.split(" ").map(Number);
          acts.push({ token, at, who });
        }
      }
    };
    return { child, ended: read() };
  };
  const processes = [start(0), start(1)];
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await eventually(() => acts.length > 0, 30_000);
      const { who, token } = last()!;
      const other = 1 - who;
      const isKilled = round % 3 === 2;
      processes[who]!.child.kill(isKilled ? "SIGKILL" : "SIGSTOP");
      await eventually(() => last()!.who === other && last()!.token > token, 30_000);
      if (isKilled) {
        await processes[who]!.ended;
        processes[who] = start(who);
      } else {
        processes[who]!.child.kill("SIGCONT");
      }
      // The process that continues has time to make a mistake.
      const { at } = last()!;
      await eventually(() => last()!.at > at + 100, 30_000);
    }
  } finally {
    for (const { child } of processes) child.kill("SIGKILL");
    await Promise.all(processes.map(({ ended }) => ended));
    rmSync(root, { recursive: true });
  }
  const inTime = acts.toSorted((a, b) => a.at - b.at);
  expect(inTime.filter(({ token }, i) => token < (inTime[i - 1]?.token ?? 0))).toEqual([]);
  for (const [token, theirs] of Map.groupBy(acts, (act) => act.token)) {
    expect([token, new Set(theirs.map(({ who }) => who)).size]).toEqual([token, 1]);
  }
  expect(Math.max(...acts.map(({ token }) => token))).toBeGreaterThan(ROUNDS);
}, 180_000);
