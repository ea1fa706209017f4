import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BackupFixture, createBackupFixture } from "../../test/support/backup-fixture.ts";
import { UserError } from "../kernel/errors.ts";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import { formatKey } from "../platform/sealing/master-key.ts";
import { readChain } from "./chain.ts";
import { ContainerWriter } from "./container.ts";
import { encrypted } from "./envelope.ts";
import { BackupLedger } from "./ledger.ts";
import type { Head } from "./manifest.ts";
import { restoreBackup } from "./restore.ts";
import { removeOld } from "./retention.ts";
import { runBackup } from "./run.ts";
import { backupSettings } from "./settings.ts";
import type { Schema } from "./snapshot.ts";

/** Tests forged backup files, and folders with links in them. */

setDefaultTimeout(60_000);
let fixture: BackupFixture;
let dir: string;
beforeAll(async () => {
  fixture = await createBackupFixture(3);
  dir = mkdtempSync(join(tmpdir(), "postroom-hostile-"));
});
afterAll(() => {
  fixture.close();
  rmSync(dir, { recursive: true, force: true });
});

const HEAD = { format: 1, id: "x", kind: "full", made_at: "2026-01-01", version: "0", migrations: [], chain: [] };
const SCHEMA: Schema = { page_size: 4096, user_version: 0, application_id: 0, objects: [], tables: [] };

type Entries = Record<string, unknown>;

/**
 * Forges a backup, as anyone with the public half of a recovery key can. Strings are written unchanged.
 */
async function forge(name: string, entries: Entries): Promise<string> {
  const container = new ContainerWriter(0);
  const { master } = fixture.scratch.platform.keyring;
  const cipher = await encrypted(container.stream(), { master, salt: null, recovery: fixture.recovery.recipient });
  const written = Bun.write(fixture.path(name), new Response(cipher));
  const keys = {
    master_key: formatKey(master).trim(),
    source: "file",
    passphrase_json: null,
    recovery_json: null,
  };
  const all: Entries = { "head.json": HEAD, "keys.json": keys, "schema.json": SCHEMA, ...entries };
  for (const [entry, value] of Object.entries({
    ...all,
    "manifest.jsonl": entries["manifest.jsonl"] ?? { head: HEAD },
  })) {
    const text = typeof value === "string" ? value : `${JSON.stringify(value)}\n`;
    await container.add(entry, Buffer.from(text));
  }
  container.end();
  await written;
  return fixture.path(name);
}

const restore = (file: string, into = `${file}.restored`) =>
  restoreBackup({ file, secrets: [fixture.secret], data_dir: into, migrations: [] });

describe("a forged backup", () => {
  const outside = () => join(dir, "outside.db");
  const attach = () => `ATTACH '${outside()}' AS o; CREATE TABLE o.t (a); INSERT INTO o.t VALUES (1)`;
  const table = (sql: string) => ({ ...SCHEMA, objects: [{ type: "table", name: "t", sql }] });

  test.each([
    ["a table that is another statement", () => table(attach())],
    ["a statement behind a table", () => table(`CREATE TABLE t (a); COMMIT; ${attach()}`)],
    ["a comment before it", () => table(`/* x */ ${attach()}`)],
    ["a page size", () => ({ ...SCHEMA, page_size: `4096; ${attach()}` })],
    ["a version", () => ({ ...SCHEMA, user_version: `1; COMMIT; ${attach()}` })],
    [
      "a module",
      () => ({ ...SCHEMA, objects: [{ type: "virtual", name: "v", sql: "CREATE VIRTUAL TABLE v USING dbstat" }] }),
    ],
  ])("writes only to the new folder: %s", async (name, schema) => {
    rmSync(outside(), { force: true });
    const file = await forge(`${name}.age`, { "schema.json": schema() });
    const result = await restore(file).catch((error: unknown) => error);
    expect(existsSync(outside())).toBe(false);
    if (result instanceof Error) expect(result).toBeInstanceOf(UserError);
  });

  test.each(["../escaped", "/tmp/escaped", "keys/master.key", "a/../../escaped", "postroom.db-wal", ""])(
    "writes no file to %j",
    async (path) => {
      const file = await forge("path.age", { [`files/${path}`]: "x" });
      await expect(restore(file)).rejects.toBeInstanceOf(UserError);
      expect(existsSync(`${file}.restored`)).toBe(false);
    },
  );

  test.each([
    ["head.json", "{"],
    ["head.json", "null"],
    ["head.json", { ...HEAD, migrations: "0001" }],
    ["head.json", { ...HEAD, chain: [{ id: 1 }] }],
    ["keys.json", { master_key: 5 }],
    ["schema.json", []],
    ["schema.json", { ...SCHEMA, tables: [{ name: "t" }] }],
    ["manifest.jsonl", "{}\n"],
    ["manifest.jsonl", '{"table":["t",1]}\n'],
    ["manifest.jsonl", "nonsense"],
    ["tables/t/000001.zst", "not compressed"],
  ])("with nonsense in %s is refused with a clear message: %j", async (entry, value) => {
    const tables = [{ name: "t", columns: ["a"], key: [0], shadow: false }];
    const file = await forge("nonsense.age", { "schema.json": { ...SCHEMA, tables }, [entry]: value });
    await expect(readChain(file, [], [fixture.secret], {})).rejects.toBeInstanceOf(UserError);
    await expect(restore(file)).rejects.toBeInstanceOf(UserError);
  });
});

describe("links", () => {
  test("to another disk are followed, so their targets are in the backup", async () => {
    const { data_dir } = fixture.scratch;
    const disk = join(dir, "disk");
    mkdirSync(join(disk, "ab"), { recursive: true });
    writeFileSync(join(disk, "ab", "part.01"), "a kept attachment");
    writeFileSync(join(dir, "dotfile.toml"), 'log.level = "warn"\n');
    symlinkSync(disk, join(data_dir, "blobs"));
    symlinkSync(join(dir, "dotfile.toml"), join(data_dir, "postroom.toml"));
    // Links to an ancestor, or to a missing file.
    symlinkSync(data_dir, join(disk, "ab", "back"));
    symlinkSync(join(dir, "gone"), join(disk, "nowhere"));
    const { files } = await fixture.backup("links.age");
    expect(files).toBe(2);
    await fixture.restore("links.age", "links");
    const restored = join(fixture.path("links"), "blobs");
    expect(lstatSync(restored).isDirectory()).toBe(true);
    expect(readFileSync(join(restored, "ab", "part.01"), "utf8")).toBe("a kept attachment");
    expect(readFileSync(join(fixture.path("links"), "postroom.toml"), "utf8")).toContain("warn");
  });

  test("planted at the path of a new backup are not followed", async () => {
    const victim = join(dir, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, fixture.path(`trap.age.${process.pid}.part`));
    await fixture.backup("trap.age");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readdirSync(fixture.path("")).filter((name) => name.includes("trap"))).toEqual(["trap.age"]);
  });
});

test("retention deletes only Postroom's backups, even with a ledger from a restored backup", () => {
  const { platform } = fixture.scratch;
  const ledger = new BackupLedger(platform);
  const precious = join(dir, "thesis.odt");
  const old = join(dir, "postroom-2020-01-01T00-00-00-full.age");
  for (const file of [precious, old]) {
    writeFileSync(file, "x");
    const id = ledger.begin({ kind: "full", file, kept: true });
    ledger.done(id, { head: { ...HEAD, id } as Head, rows: 1, files: 1, bytes: 1, sha256: "00", reused_bytes: 0 });
  }
  for (let i = 0; i < platform.config.get("backup.keep"); i++) {
    fixture.scratch.clock.advance(1_000);
    const file = join(dir, `kept-${i}`);
    writeFileSync(file, "x");
    const id = ledger.begin({ kind: "full", file, kept: true });
    ledger.done(id, { head: { ...HEAD, id } as Head, rows: 1, files: 1, bytes: 1, sha256: "00", reused_bytes: 0 });
  }
  removeOld(backupSettings(platform), ledger);
  expect([existsSync(precious), existsSync(old)]).toEqual([true, false]);
});

test("the last changes to a restored database are made before it gets its name", async () => {
  await fixture.backup("settled.age");
  const into = fixture.path("settled");
  let seen: boolean[] = [];
  await restoreBackup({
    file: fixture.path("settled.age"),
    secrets: [fixture.secret],
    data_dir: into,
    migrations: MIGRATION_NAMES,
    settle: (database) => {
      seen = [existsSync(database), existsSync(join(into, "postroom.db"))];
    },
  });
  expect([seen, existsSync(join(into, "postroom.db"))]).toEqual([[true, false], true]);
});

test("backups stored in the data folder are left out of later backups", async () => {
  const { platform, data_dir } = fixture.scratch;
  const run = (name: string) => runBackup({ platform, version: "0", file: join(data_dir, name), kept: false });
  const first = await run("one.age");
  const second = await run("two.age");
  expect(second.files).toBe(first.files);
});
