import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../platform/clock.ts";
import { loadConfig } from "../platform/config/load.ts";
import { openPlatform } from "../platform/platform.ts";
import { askPassphrase, sourcesOf, withPlatform } from "./context.ts";
import type { Terminal } from "./password.ts";

const PASSPHRASE = "seven quiet rivers run home";

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), "postroom-passphrase-"));
});
afterEach(() => rmSync(data, { recursive: true, force: true }));

/** A terminal at which someone types as soon as they are asked. */
function terminal(text: string, isTTY = true): Terminal & { asked: number } {
  const input = {
    isTTY,
    asked: 0,
    on(_event: "data", listener: (bytes: Uint8Array) => void) {
      input.asked += 1;
      queueMicrotask(() => listener(Buffer.from(`${text}\r`)));
    },
    off: () => {},
    resume: () => {},
    pause: () => {},
  };
  return input;
}

function create(env: Record<string, string>): void {
  openPlatform({ config: loadConfig({ data_dir: data, env }), clock: systemClock }).close();
}

test("nothing is asked for a data folder with a key file, or without a terminal", async () => {
  const absent = terminal(PASSPHRASE);
  await askPassphrase({ data: join(data, "absent") }, absent);
  create({});
  const needless = terminal(PASSPHRASE);
  await askPassphrase({ data }, needless);
  expect([absent.asked, needless.asked]).toEqual([0, 0]);
});

test("a passphrase that is not configured is asked for once, opens the folder, and is not in the environment", async () => {
  create({ POSTROOM_MASTER_PASSPHRASE: PASSPHRASE });
  const service = terminal(PASSPHRASE, false);
  await askPassphrase({ data }, service);
  expect(service.asked).toBe(0);
  await expect(withPlatform({ data }, () => true)).rejects.toThrow("protected by a passphrase");
  const person = terminal(PASSPHRASE);
  await askPassphrase({ data }, person);
  await askPassphrase({ data }, person);
  expect(person.asked).toBe(1);
  expect(process.env.POSTROOM_MASTER_PASSPHRASE).toBeUndefined();
  expect(sourcesOf({ data }).env?.POSTROOM_MASTER_PASSPHRASE).toBe(PASSPHRASE);
  expect(await withPlatform({ data }, () => true)).toBe(true);
});
