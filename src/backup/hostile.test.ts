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
import type { Schema } from "./snapshot.ts";

/** Forged backup files, and folders with links in them. */

setDefaultTimeout(60_000);
let scene: BackupFixture;
let dir: string;
beforeAll(async () => {
  scene = await createBackupFixture(3);
  dir = mkdtempSync(join(tmpdir(), "postroom-hostile-"));
});
afterAll(() => {
  scene.close();
  rmSync(dir, { recursive: true, force: true });
});

const HEAD = { format: 1, id: "x", kind: "full", made_at: "2026-01-01", version: "0", migrations: [], chain: [] };
const SCHEMA: Schema = { page_size: 4096, user_version: 0, application_id: 0, objects: [], tables: [] };

type Entries = Record<string, unknown>;

/**
 * Forges a backup: anyone with the public half of a recovery key can make a file that it opens. Texts are written
 * unchanged.
 */
async function forge(name: string, entries: Entries): Promise<string> {
  const container = new ContainerWriter(0);
  const { master } = scene.scratch.platform.keyring;
  const cipher = await encrypted(container.stream(), { master, salt: null, recovery: scene.recovery.recipient });
  const written = Bun.write(scene.path(name), new Response(cipher));
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
  return scene.path(name);
}

const restore = (file: string, into = `${file}.restored`) =>
  restoreBackup({ file, secrets: [scene.secret], data_dir: into, migrations: [] });

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
  ])("writes nowhere but into the new folder: %s", async (name, schema) => {
    rmSync(outside(), { force: true });
    const file = await forge(`${name}.age`, { "schema.json": schema() });
    const result = await restore(file).catch((error: unknown) => error);
    expect(existsSync(outside())).toBe(false);
    if (result instanceof Error) expect(result).toBeInstanceOf(UserError);
  });

  test.each(["../escaped", "/tmp/escaped", "keys/master.key", "a/../../escaped", "postroom.db-wal", ""])(
    "puts no file to %j",
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
  ])("that is nonsense in %s is refused in a sentence: %j", async (entry, value) => {
    const tables = [{ name: "t", columns: ["a"], key: [0], shadow: false }];
    const file = await forge("nonsense.age", { "schema.json": { ...SCHEMA, tables }, [entry]: value });
    await expect(readChain(file, [], [scene.secret], {})).rejects.toBeInstanceOf(UserError);
    await expect(restore(file)).rejects.toBeInstanceOf(UserError);
  });
});

describe("links", () => {
  test("to another disk are followed: what Postroom reads there is in the backup", async () => {
    const { data_dir } = scene.scratch;
    const disk = join(dir, "disk");
    mkdirSync(join(disk, "ab"), { recursive: true });
    writeFileSync(join(disk, "ab", "part.01"), "a kept attachment");
    writeFileSync(join(dir, "dotfile.toml"), 'log.level = "warn"\n');
    symlinkSync(disk, join(data_dir, "blobs"));
    symlinkSync(join(dir, "dotfile.toml"), join(data_dir, "postroom.toml"));
    // Links that lead back, or nowhere.
    symlinkSync(data_dir, join(disk, "ab", "back"));
    symlinkSync(join(dir, "gone"), join(disk, "nowhere"));
    const { files } = await scene.backup("links.age");
    expect(files).toBe(2);
    await scene.restore("links.age", "links");
    const restored = join(scene.path("links"), "blobs");
    expect(lstatSync(restored).isDirectory()).toBe(true);
    expect(readFileSync(join(restored, "ab", "part.01"), "utf8")).toBe("a kept attachment");
    expect(readFileSync(join(scene.path("links"), "postroom.toml"), "utf8")).toContain("warn");
  });

  test("planted where a backup will be written are not followed", async () => {
    const victim = join(dir, "victim");
    writeFileSync(victim, "precious");
    symlinkSync(victim, scene.path(`trap.age.${process.pid}.part`));
    await scene.backup("trap.age");
    expect(readFileSync(victim, "utf8")).toBe("precious");
    expect(readdirSync(scene.path("")).filter((name) => name.includes("trap"))).toEqual(["trap.age"]);
  });
});

test("a ledger out of a restored backup never makes retention delete anything but a backup of ours", () => {
  const { platform } = scene.scratch;
  const ledger = new BackupLedger(platform);
  const precious = join(dir, "thesis.odt");
  const old = join(dir, "postroom-2020-01-01T00-00-00-full.age");
  for (const file of [precious, old]) {
    writeFileSync(file, "x");
    const id = ledger.begin({ kind: "full", file, kept: true });
    ledger.done(id, { head: { ...HEAD, id } as Head, rows: 1, files: 1, bytes: 1, sha256: "00", reused_bytes: 0 });
  }
  for (let i = 0; i < platform.config.get("backup.keep"); i++) {
    scene.scratch.clock.advance(1_000);
    const file = join(dir, `kept-${i}`);
    writeFileSync(file, "x");
    const id = ledger.begin({ kind: "full", file, kept: true });
    ledger.done(id, { head: { ...HEAD, id } as Head, rows: 1, files: 1, bytes: 1, sha256: "00", reused_bytes: 0 });
  }
  removeOld(platform.config, ledger);
  expect([existsSync(precious), existsSync(old)]).toEqual([true, false]);
});

test("what must not happen as if nothing had happened since is settled before the folder has its database", async () => {
  await scene.backup("settled.age");
  const into = scene.path("settled");
  let seen: boolean[] = [];
  await restoreBackup({
    file: scene.path("settled.age"),
    secrets: [scene.secret],
    data_dir: into,
    migrations: MIGRATION_NAMES,
    settle: (database) => {
      seen = [existsSync(database), existsSync(join(into, "postroom.db"))];
    },
  });
  expect([seen, existsSync(join(into, "postroom.db"))]).toEqual([[true, false], true]);
});

test("backups that someone puts next to the data are not in the next ones", async () => {
  const { platform, data_dir } = scene.scratch;
  const run = (name: string) => runBackup({ platform, version: "0", file: join(data_dir, name), kept: false });
  const first = await run("one.age");
  const second = await run("two.age");
  expect(second.files).toBe(first.files);
});
