import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { databaseOf, hashOf, readReleased } from "../../../test/schemas/freeze.ts";
import { fillEveryTable, ordinaryTables } from "../../../test/schemas/sample-rows.ts";
import { ManualClock } from "../clock.ts";
import { loadConfig } from "../config/load.ts";
import { createLog } from "../log.ts";
import { openPlatform } from "../platform.ts";
import { lockInstance } from "../process/lock.ts";
import { newestCopy } from "./before-upgrade.ts";
import { MIGRATION_NAMES, MIGRATIONS, migrate } from "./migrate.ts";

setDefaultTimeout(60_000);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-upgrade-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

const clock = new ManualClock();
const LAST = MIGRATION_NAMES.at(-1)!;
const path = () => join(dir, "postroom.db");
const schemaOf = (sql: Database) =>
  sql.query("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name").values();
const migrationsOf = (sql: Database) => sql.query("SELECT name FROM migrations ORDER BY name").values().flat();
const counts = (sql: Database) =>
  Object.fromEntries(
    ordinaryTables(sql).map((name) => [name, sql.query(`SELECT count(*) FROM "${name}"`).values()[0]![0]]),
  );

/** Opens the data folder as the program does at start. */
function open(keep = "2") {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
  const config = loadConfig({ data_dir: dir, env: {}, flags: { "upgrade.keep_copies": keep } });
  openPlatform({ config, clock, log }).close();
  return lines;
}

/**
 * Makes the data folder of an earlier step. It has no rows in settings and data_keys, which would bind it to another
 * master key.
 */
function folderOf(steps: number): Record<string, unknown> {
  const sql = databaseOf(path(), MIGRATIONS.slice(0, steps));
  fillEveryTable(sql);
  sql.run("DELETE FROM settings");
  sql.run("DELETE FROM data_keys");
  const before = counts(sql);
  sql.close();
  return before;
}

function expectUpToDate(before: Record<string, unknown>): void {
  const fresh = databaseOf(":memory:", MIGRATIONS);
  const sql = new Database(path());
  expect(migrationsOf(sql)).toEqual([...MIGRATION_NAMES]);
  const ours = schemaOf(sql).filter(([, name]) => name !== "migrations");
  expect(ours).toEqual(schemaOf(fresh).filter(([, name]) => name !== "migrations"));
  expect(sql.query("PRAGMA foreign_key_check").all()).toEqual([]);
  expect(sql.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
  // Opening adds the master key's settings, and the first system key to a folder without one.
  const { settings: _, data_keys: __, ...rows } = counts(sql);
  for (const [table, count] of Object.entries(rows))
    if (table in before) expect<unknown>({ table, count }).toEqual({ table, count: before[table] });
  sql.close();
}

describe("every step so far upgrades as if it had been released", () => {
  test.each(MIGRATIONS.slice(0, -1).map(({ name }, i) => [name, i + 1] as const))("%s", (_name, steps) => {
    const before = folderOf(steps);
    open();
    expectUpToDate(before);
  });
});

describe("a released migration", () => {
  const released = readReleased();

  test("is never changed; changes need a new migration", () => {
    const now = Object.fromEntries(MIGRATIONS.map(({ name, sql }) => [name, hashOf(sql)]));
    expect(now).toMatchObject(released.migrations);
  });

  for (const version of released.versions) {
    test(`${version} upgrades`, () => {
      const sql = new Database(path(), { create: true, strict: true });
      sql.run(readFileSync(join(import.meta.dir, `../../../test/schemas/${version}.sql`), "utf8"));
      sql.run("DELETE FROM settings");
      sql.run("DELETE FROM data_keys");
      const before = counts(sql);
      sql.close();
      open();
      expectUpToDate(before);
    });
  }
});

describe("before an upgrade the database is copied", () => {
  test("unchanged and readable by no one else, and the log reports the path", () => {
    const before = folderOf(MIGRATIONS.length - 1);
    const lines = open();
    const copy = newestCopy(dir)!;
    expect(lines.some((line) => line.includes("upgrading the data folder") && line.includes(copy))).toBe(true);
    expect(statSync(copy).mode & 0o077).toBe(0);
    const sql = new Database(copy);
    expect(migrationsOf(sql)).toEqual(MIGRATION_NAMES.slice(0, -1) as string[]);
    expect(counts(sql)).toEqual(before as never);
    sql.close();
    expect(readdirSync(join(dir, "upgrades")).filter((name) => !name.endsWith(".db"))).toEqual([]);
  });

  test("except when it is new or up to date", () => {
    open();
    open();
    expect(existsSync(join(dir, "upgrades"))).toBe(false);
  });

  test("and the old program can open the copy in place of the database", () => {
    folderOf(MIGRATIONS.length - 1);
    open();
    const sql = new Database(newestCopy(dir)!, { readwrite: true });
    expect(() => migrate(sql, undefined, MIGRATIONS.slice(0, -1))).not.toThrow();
    sql.close();
  });

  test("what a killed process left of a copy is removed", () => {
    folderOf(MIGRATIONS.length - 1);
    const folder = join(dir, "upgrades");
    mkdirSync(folder);
    const partial = "0017_grants-2026-01-01T10-00-00.db.part";
    for (const suffix of ["", "-wal", "-shm", "-journal"]) writeFileSync(join(folder, partial + suffix), "half");
    writeFileSync(join(folder, "notes.txt"), "not ours");
    open();
    expect(readdirSync(folder).sort()).toEqual([basename(newestCopy(dir)!), "notes.txt"].sort());
  });

  test("the configured number of copies is kept", () => {
    for (let i = 0; i < 4; i++) {
      rmSync(path(), { force: true });
      folderOf(MIGRATIONS.length - 1);
      clock.advance(60_000);
      open("2");
    }
    expect(readdirSync(join(dir, "upgrades"))).toHaveLength(2);
  });

  test("an upgrade under a running server is refused", () => {
    folderOf(MIGRATIONS.length - 1);
    const code = `const { lockInstance } = await import(process.argv[1]); lockInstance(process.argv[2]); console.log("held"); setInterval(() => {}, 60_000);`;
    const child = Bun.spawn([process.execPath, "-e", code, join(import.meta.dir, "../process/lock.ts"), dir], {
      stdout: "pipe",
    });
    return child.stdout
      .getReader()
      .read()
      .then(() => {
        expect(() => open()).toThrow("An older version of Postroom is serving this data folder");
        const sql = new Database(path());
        expect(migrationsOf(sql)).not.toContain(LAST);
        sql.close();
      })
      .finally(() => child.kill("SIGKILL"));
  });

  test("and the server that holds the lock itself can upgrade", () => {
    folderOf(MIGRATIONS.length - 1);
    const lock = lockInstance(dir);
    open();
    lock.release();
    expect(newestCopy(dir)).not.toBeNull();
  });
});

/** Returns whether this process may mount a disk. */
const canMount = () => {
  const probe = mkdtempSync(join(tmpdir(), "postroom-mount-"));
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", probe], {
    stderr: "ignore",
  }).success;
  if (mounted) Bun.spawnSync(["umount", probe]);
  else console.info("skipped: a disk without space for the copy (this user may not mount one)");
  rmSync(probe, { recursive: true });
  return mounted;
};

test.skipIf(!canMount())("without space for the copy nothing is changed", () => {
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", dir]);
  try {
    folderOf(MIGRATIONS.length - 1);
    expect(() => open()).toThrow(/The upgrade copies the database first and needs \d+ MiB .* Nothing was changed\./);
    const sql = new Database(path());
    expect(migrationsOf(sql)).not.toContain(LAST);
    sql.close();
  } finally {
    Bun.spawnSync(["umount", dir]);
  }
});

describe("an interrupted upgrade", () => {
  const two = [
    { name: "0001_first", sql: "CREATE TABLE a (n INTEGER); INSERT INTO a VALUES (1)" },
    { name: "0002_second", sql: "CREATE TABLE b (n INTEGER)" },
  ];

  test("leaves the previous database after an error, including its earlier steps", () => {
    const sql = databaseOf(path(), two.slice(0, 1));
    const broken = [...two, { name: "0003_broken", sql: "INSERT INTO no_such_table VALUES (1)" }];
    expect(() => migrate(sql, undefined, broken)).toThrow("no such table");
    expect(migrationsOf(sql)).toEqual(["0001_first"]);
    expect(schemaOf(sql).some(([, name]) => name === "b")).toBe(false);
    migrate(sql, undefined, two);
    expect(migrationsOf(sql)).toEqual(["0001_first", "0002_second"]);
    sql.close();
  });

  test("leaves the previous database after kill -9", async () => {
    databaseOf(path(), two.slice(0, 1)).close();
    mkdirSync(join(dir, "run"), { recursive: true });
    const endless = `INSERT INTO b WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT n FROM c LIMIT 1000000000`;
    const code = `
      const { migrate } = await import(process.argv[1]);
      const { Database } = await import("bun:sqlite");
      const sql = new Database(process.argv[2]);
      sql.run("PRAGMA journal_mode = WAL");
      console.log("begins");
      migrate(sql, () => {}, ${JSON.stringify([...two, { name: "0003_endless", sql: endless }])});`;
    const child = Bun.spawn([process.execPath, "-e", code, join(import.meta.dir, "migrate.ts"), path()], {
      stdout: "pipe",
    });
    await child.stdout.getReader().read();
    // Wait until some megabytes of the migration are on disk.
    while ((statSync(`${path()}-wal`, { throwIfNoEntry: false })?.size ?? 0) < 2_000_000) await Bun.sleep(10);
    child.kill("SIGKILL");
    await child.exited;
    const sql = new Database(path());
    expect(migrationsOf(sql)).toEqual(["0001_first"]);
    expect(sql.query("SELECT n FROM a").values()).toEqual([[1]]);
    expect(sql.query("PRAGMA integrity_check").values()).toEqual([["ok"]]);
    migrate(sql, undefined, two);
    sql.close();
  });
});

test("the data folder of a newer Postroom is refused with a helpful message, and not changed", () => {
  open();
  const sql = new Database(path());
  sql.run("INSERT INTO migrations (name) VALUES ('9999_future')");
  sql.close();
  expect(() => open()).toThrow(
    "This data folder was used by a newer Postroom (it has migration 9999_future). Nothing was changed.",
  );
  expect(existsSync(join(dir, "upgrades"))).toBe(false);
});
