import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, linkSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePrivate, pathsOpenToOthers } from "./private-folder.ts";

let folder: string;
let data: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-private-"));
  data = join(folder, "data");
  mkdirSync(data);
  chmodSync(data, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, mode: number): string {
  const full = join(folder, path);
  mkdirSync(join(full, ".."), { recursive: true });
  writeFileSync(full, "x");
  chmodSync(full, mode);
  return full;
}
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test("folders and files of a data folder lose the rights of other users, at every depth", () => {
  const files = ["data/postroom.db", "data/postroom.db-wal", "data/cache/parts/a/b/c", "data/run/lock", "data/own.txt"];
  const made = files.map((path) => put(path, 0o666));
  const program = put("data/cache/native/1/lib.so", 0o755);
  for (const path of ["data/cache", "data/cache/parts", "data/run"]) chmodSync(join(folder, path), 0o777);
  expect(pathsOpenToOthers(data).length).toBeGreaterThan(8);
  expect(makePrivate(data, { deep: true })).toEqual([]);
  expect(made.map(modeOf)).toEqual(made.map(() => "600"));
  expect([modeOf(program), modeOf(data), modeOf(join(data, "cache/parts/a"))]).toEqual(["700", "700", "700"]);
  expect(pathsOpenToOthers(data)).toEqual([]);
});

test("files outside are not changed through symbolic or hard links", () => {
  const outside = put("elsewhere/file", 0o644);
  chmodSync(join(folder, "elsewhere"), 0o755);
  symlinkSync(join(folder, "elsewhere"), join(data, "backups"));
  symlinkSync(outside, join(data, "postroom.toml"));
  const shared = put("elsewhere/shared", 0o644);
  linkSync(shared, join(data, "twice"));
  expect(makePrivate(data, { deep: true })).toEqual([join(data, "twice")]);
  expect([modeOf(outside), modeOf(shared), modeOf(join(folder, "elsewhere"))]).toEqual(["644", "644", "755"]);
});

test("a folder with thousands of files is searched only if it is open to others, or on request", () => {
  const file = put("data/cache/parts/a/b", 0o644);
  chmodSync(join(data, "cache/parts"), 0o700);
  makePrivate(data, { deep: false });
  expect(modeOf(file)).toBe("644");
  makePrivate(data, { deep: true });
  expect(modeOf(file)).toBe("600");
});

test("a missing folder is ignored", () => {
  expect(makePrivate(join(folder, "none"), { deep: true })).toEqual([]);
});

test("a database keeps its locks while its mode is corrected, so another process cannot write", () => {
  const path = join(data, "postroom.db");
  const sql = new Database(path, { create: true });
  sql.run("CREATE TABLE notes (text TEXT)");
  chmodSync(path, 0o644);
  sql.run("BEGIN EXCLUSIVE");
  expect(makePrivate(data, { deep: true })).toEqual([]);
  const other = `new (require("bun:sqlite").Database)(${JSON.stringify(path)}).run("INSERT INTO notes VALUES ('x')")`;
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, "-e", other], { stdout: "ignore", stderr: "pipe" });
  expect([exitCode, stderr.toString()]).toEqual([1, expect.stringContaining("database is locked")]);
  sql.run("COMMIT");
  sql.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});
