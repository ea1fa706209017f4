import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { UserError } from "../../kernel/errors.ts";
import { ManualClock } from "../clock.ts";
import { loadConfig, withValues } from "../config/load.ts";
import { openPlatform } from "../platform.ts";
import { type NextKeyLocation, stageNextKey } from "./rotation.ts";

/** Settings with which a start finds the key. */
type Start = { "master.key"?: string; "master.passphrase"?: string };

let dir: string;
let data: string;
let user_id: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-rotate-"));
  data = join(dir, "data");
});
afterEach(() => rmSync(dir, { recursive: true }));

const open = (start: Start) =>
  openPlatform({ config: withValues(loadConfig({ data_dir: data, env: {} }), start), clock: new ManualClock() });
const outside = () => join(dir, "outside.key");

/** Creates a folder with one person, whose address is sealed. */
function fill(start: Start): void {
  if (start === PHRASE) {
    mkdirSync(join(data, "keys"), { recursive: true });
    writeFileSync(
      join(data, "keys", "passphrase.json"),
      JSON.stringify({ N: 2 ** 16, r: 8, p: 1, salt: "aa".repeat(16) }),
    );
  }
  const platform = open(start);
  user_id = platform.users.add({ email: "ada@example.org", plan: "pro", role: "owner", timezone: "UTC" }).id;
  platform.audit.record({ user_id, actor: { kind: "system", id: null }, action: "test", target: "kept" });
  platform.close();
}

/** Returns whether the folder opens with these settings and its content is readable. */
function reads(start: Start): boolean {
  try {
    const platform = open(start);
    try {
      return (
        platform.users.get(user_id)?.email === "ada@example.org" &&
        platform.audit.list(user_id, { limit: 9 }).some((row) => row.target === "kept")
      );
    } finally {
      platform.close();
    }
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}

const BESIDE: Start = {};
const PHRASE: Start = { "master.passphrase": "correct horse" };
const NEW_PHRASE: Start = { "master.passphrase": "battery staple" };
const GIVEN: Start = { "master.key": "5a".repeat(32) };
const fromOutside = (): Start => ({ "master.key": readFileSync(outside(), "utf8") });

const CASES: { name: string; before: Start; location: () => NextKeyLocation; after: () => Start }[] = [
  { name: "file → file", before: BESIDE, location: () => ({ kind: "file" }), after: () => BESIDE },
  {
    name: "file → passphrase",
    before: BESIDE,
    location: () => ({ kind: "passphrase", passphrase: "correct horse" }),
    after: () => PHRASE,
  },
  {
    name: "file → outside",
    before: BESIDE,
    location: () => ({ kind: "outside", path: outside() }),
    after: fromOutside,
  },
  {
    name: "outside → outside",
    before: GIVEN,
    location: () => ({ kind: "outside", path: outside() }),
    after: fromOutside,
  },
  {
    name: "passphrase → another passphrase",
    before: PHRASE,
    location: () => ({ kind: "passphrase", passphrase: "battery staple" }),
    after: () => NEW_PHRASE,
  },
  { name: "passphrase → file", before: PHRASE, location: () => ({ kind: "file" }), after: () => BESIDE },
  { name: "outside → file", before: GIVEN, location: () => ({ kind: "file" }), after: () => BESIDE },
];

describe.each(CASES)("$name", ({ before, location, after }) => {
  beforeEach(() => fill(before));

  /** Runs the first `steps` of the three steps of a rotation, as if a crash followed. */
  async function rotate(steps: number, start = before): Promise<void> {
    const platform = open(start);
    const staged = await stageNextKey(data, location());
    if (steps > 1) platform.keyring.rotate(staged.key);
    if (steps > 2) staged.promote();
    platform.close();
  }

  test("opens with the new key only", async () => {
    await rotate(3);
    expect(reads(after())).toBe(true);
    if (before !== after()) expect(reads(before)).toBe(false);
  });

  test("interrupted after the new key was written: the old key opens it, and the rotation can be repeated", async () => {
    await rotate(1);
    expect(reads(before)).toBe(true);
    await rotate(3);
    expect(reads(after())).toBe(true);
  });

  test("interrupted after the data keys were rewrapped: the new key opens it, and another rotation is possible", async () => {
    await rotate(2);
    expect(reads(after())).toBe(true);
    const platform = open(after());
    const staged = await stageNextKey(data, { kind: "file" });
    platform.keyring.rotate(staged.key);
    staged.promote();
    platform.close();
    expect(reads(BESIDE)).toBe(true);
  });

  test("leaves no obsolete key files", async () => {
    await rotate(3);
    const left = readdirSync(join(data, "keys")).sort();
    expect(left).toEqual(after() === BESIDE ? ["master.key"] : "master.key" in after() ? [] : ["passphrase.json"]);
  });
});

describe("a key outside the data folder", () => {
  test("is read from an existing file, which is not overwritten", async () => {
    fill(BESIDE);
    writeFileSync(outside(), `${"c3".repeat(32)}\n`);
    const staged = await stageNextKey(data, { kind: "outside", path: outside() });
    expect(Buffer.from(staged.key).toString("hex")).toBe("c3".repeat(32));
  });

  test("is not read from a device, which might never end, or from a large file", async () => {
    writeFileSync(outside(), "c3".repeat(10_000));
    for (const path of ["/dev/zero", outside()]) {
      await expect(stageNextKey(data, { kind: "outside", path })).rejects.toThrow("is not a key file");
    }
  });

  test("must be outside the data folder", async () => {
    fill(BESIDE);
    const path = join(data, "keys", "mine.key");
    symlinkSync(join(data, "keys"), join(dirname(data), "elsewhere"));
    for (const inside of [path, join(data, "..mine.key"), join(dirname(data), "elsewhere", "mine.key")]) {
      const staged = stageNextKey(data, { kind: "outside", path: inside });
      await expect(staged).rejects.toThrow("is inside the data folder");
      expect(existsSync(inside)).toBe(false);
    }
  });
});

describe("a process that still holds the old key", () => {
  test("can read with keys in memory, but creates no data key that the next start could not open", async () => {
    fill(BESIDE);
    const running = open(BESIDE);
    expect(running.users.get(user_id)?.email).toBe("ada@example.org");
    const rotating = open(BESIDE);
    const staged = await stageNextKey(data, { kind: "file" });
    rotating.keyring.rotate(staged.key);
    staged.promote();
    rotating.close();
    expect(running.users.get(user_id)?.email).toBe("ada@example.org");
    expect(() => running.keyring.forUser("usr_new")).toThrow("master key was replaced");
    running.close();
    expect(reads(BESIDE)).toBe(true);
  });
});

describe("the keyring", () => {
  test("values that were sealed for a forgotten user no longer open", () => {
    fill(BESIDE);
    const platform = open(BESIDE);
    const sealed = platform.keyring.forUser("usr_x").seal("t.c:1", "gone");
    platform.keyring.forget("usr_x");
    expect(() => platform.keyring.forUser("usr_x").open("t.c:1", sealed)).toThrow();
    platform.close();
  });

  test("two processes that create the key of a new user agree on it", () => {
    fill(BESIDE);
    const [a, b] = [open(BESIDE), open(BESIDE)];
    const sealed = a.keyring.forUser("usr_x").seal("t.c:1", "ours");
    expect(b.keyring.forUser("usr_x").open("t.c:1", sealed)).toBe("ours");
    a.close();
    b.close();
  });

  test("a worker that is handed another key is refused", () => {
    fill(BESIDE);
    const config = loadConfig({ data_dir: data, env: {} });
    const inherited = { master_key: new Uint8Array(32) };
    expect(() => openPlatform({ config, clock: new ManualClock(), inherited })).toThrow(UserError);
  });
});
