import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MIGRATION_NAMES } from "../../src/platform/db/migrate.ts";
import { type Scratch, scratchPlatform } from "../support/scratch-platform.ts";
import { seedMailbox } from "../support/seed-mail.ts";

let scratch: Scratch;
let empty: string;
beforeEach(() => {
  scratch = scratchPlatform();
  empty = mkdtempSync(join(tmpdir(), "postroom-empty-"));
});
afterEach(() => {
  scratch.close();
  rmSync(empty, { recursive: true, force: true });
});

/** As `./dev invariants` runs it. */
function check(...args: string[]): { code: number; out: string; error: string } {
  const main = join(import.meta.dir, "main.ts");
  const { exitCode, stdout, stderr } = Bun.spawnSync([process.execPath, main, ...args], {
    stdout: "pipe",
    stderr: "pipe",
    env: { PATH: process.env.PATH ?? "" },
  });
  return { code: exitCode, out: stdout.toString(), error: stderr.toString().trim() };
}

test("a folder without a database is refused, and stays unchanged", () => {
  expect(check(empty)).toEqual({
    code: 2,
    out: "",
    error: `${empty} is no data folder: there is no postroom.db in it.`,
  });
  expect(readdirSync(empty)).toEqual([]);
  const absent = join(empty, "absent");
  expect(check(absent).code).toBe(2);
  expect(readdirSync(empty)).toEqual([]);
  writeFileSync(join(empty, "postroom.db"), "x".repeat(5_000));
  expect(check(empty)).toMatchObject({ code: 2, error: `${join(empty, "postroom.db")} is no database of Postroom.` });
  mkdirSync(absent);
  writeFileSync(join(absent, "postroom.db"), "");
  expect(check(absent)).toMatchObject({ code: 2, error: `${join(absent, "postroom.db")} is no database of Postroom.` });
}, 60_000);

test("a database of another version is refused, and not upgraded", () => {
  const { sql } = scratch.platform.db;
  const names = () =>
    sql
      .query<{ name: string }, []>("SELECT name FROM migrations ORDER BY name")
      .all()
      .map(({ name }) => name);
  const last = MIGRATION_NAMES.at(-1)!;
  sql.query("DELETE FROM migrations WHERE name = ?").run(last);
  const older = check(scratch.data_dir);
  expect(older.code).toBe(2);
  expect(older.error).toContain(
    `was last used by an older Postroom (it ends with migration ${MIGRATION_NAMES.at(-2)} and lacks ${last})`,
  );
  expect(names()).not.toContain(last);
  sql.query("INSERT INTO migrations (name) VALUES (?), ('9999_later')").run(last);
  const newer = check(scratch.data_dir);
  expect(newer.code).toBe(2);
  expect(newer.error).toContain("was used by a newer Postroom (it has migration 9999_later)");
}, 60_000);

test("a data folder that a server may be using is checked: 0 when all invariants hold, 1 when not", () => {
  const sound = check(scratch.data_dir, "--settled");
  expect([sound.code, sound.error]).toEqual([0, ""]);
  expect(sound.out).toEndWith(": all hold\n");
  seedMailbox(scratch.platform, scratch.user.id, { connection: null }).deliver();
  const found = check(scratch.data_dir, "--servers");
  expect([found.code, found.error]).toEqual([1, ""]);
  expect(found.out).toMatch(/^full-text index: 1 messages of usr_\w+ are not indexed$/m);
  expect(found.out).toMatch(/^not compared with its server: acc_\w+: it is not known how to reach its server$/m);
  expect(found.out).toEndWith(" do not hold\n");
  const { findings, notCompared, messages } = JSON.parse(check(scratch.data_dir, "--servers", "--json").out);
  expect([messages, findings.length > 0, notCompared.length]).toEqual([1, true, 1]);
}, 60_000);

test("without a folder, or with a wrong key, it reports what is missing", () => {
  expect(check().error).toStartWith("usage: ./dev invariants DATA");
  rmSync(join(scratch.data_dir, "keys"), { recursive: true });
  const { code, error } = check(scratch.data_dir);
  expect([code, error]).toEqual([2, expect.stringContaining("master key")]);
}, 60_000);
