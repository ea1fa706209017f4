import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { makeBackup } from "../../src/backup/make.ts";
import { restoreBackup } from "../../src/backup/restore.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { MIGRATION_NAMES } from "../../src/platform/db/migrate.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { formatKey } from "../../src/platform/sealing/master-key.ts";
import { newRecoveryKey } from "../../src/platform/sealing/recovery-key.ts";
import { longTagsOf, tokensLeft, valuesLeft } from "../attack/old-index.ts";
import { eventually } from "../support/eventually.ts";
import { lostInUpgrade, oldTokens, upgradeState, writeFolderOfVersion01 } from "../support/old-folder.ts";
import { serve } from "../support/served-program.ts";

/** A data folder of version 0.1, from its first start under this version until nothing of the old index is left. */
setDefaultTimeout(180_000);

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const root = mkdtempSync(join(tmpdir(), "postroom-upgraded-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const data = join(root, "data");
const database = join(data, "postroom.db");
let tokens: string[];
let tags: Buffer[];

async function doctor(...more: string[]): Promise<string> {
  const args = [process.execPath, MAIN, "doctor", "--offline", ...more, "--data", data];
  const child = Bun.spawn(args, { stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return out + err;
}

beforeAll(async () => {
  const other = join(root, "other");
  writeFolderOfVersion01(data);
  cpSync(data, other, { recursive: true });
  tokens = oldTokens(other);
  tags = longTagsOf(other);
  expect(tokens.length).toBeGreaterThan(200);
  expect(valuesLeft(database, tags)).toBeGreaterThan(300);
  expect(tokensLeft(database, tokens)).toBeGreaterThan(tokens.length / 2);
  const server = await serve(data);
  try {
    await eventually(() => upgradeState(data).done, 120_000);
    // While the server runs, its log is there as well.
    expect(tokensLeft(database, tokens)).toBe(0);
    await eventually(() => server.log().includes("the search index of an earlier version was removed"));
  } finally {
    await server.stop();
  }
});

describe("the first start on a data folder of version 0.1", () => {
  test("makes all mail of every user searchable again, also by the text of attachments", () => {
    expect(lostInUpgrade(data)).toEqual([]);
  });

  test("leaves nothing of the old index in the database, its free pages or its log", () => {
    expect(tokensLeft(database, tokens)).toBe(0);
  });

  test("leaves none of the long tags of subjects, Message-IDs and contents", () => {
    expect(valuesLeft(database, tags)).toBe(0);
  });

  test("leaves it in the copy from before the upgrade, until 'postroom doctor --delete-old-copies'", async () => {
    const copies = () => readdirSync(join(data, "upgrades")).map((name) => join(data, "upgrades", name));
    expect(copies()).toHaveLength(1);
    expect(tokensLeft(copies()[0]!, tokens)).toBeGreaterThan(tokens.length / 2);
    expect(await doctor()).toContain("1 copy of the database in upgrades/ has the search index of an earlier version");
    expect(await doctor("--delete-old-copies")).toContain("Deleted: ");
    expect(copies()).toEqual([]);
    expect(await doctor()).not.toContain("search index of an earlier version");
    const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const left = files.filter(({ parentPath, name }) => tokensLeft(join(parentPath, name), tokens) > 0);
    expect(left).toEqual([]);
  });
});

test("a backup that is made before the old index is removed restores, and its upgrade continues", async () => {
  const before = join(root, "before");
  const after = join(root, "after");
  writeFolderOfVersion01(before);
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const platform = openPlatform({ config: loadConfig({ data_dir: before, env: {} }), clock: systemClock, log });
  const recovery = await newRecoveryKey();
  const file = join(root, "backup.age");
  await makeBackup({
    data_dir: before,
    file,
    keys: {
      master_key: formatKey(platform.keyring.master).trim(),
      source: "file",
      passphrase_json: null,
      recovery_json: null,
    },
    readers: { master: platform.keyring.master, salt: null, recovery: recovery.recipient },
    version: "0.0.0",
    clock: systemClock,
  });
  platform.close();
  const secrets = [{ kind: "recovery key" as const, secret: recovery.secret }];
  await restoreBackup({ file, older: [], secrets, data_dir: after, migrations: MIGRATION_NAMES });
  expect(tokensLeft(join(after, "postroom.db"), tokens)).toBeGreaterThan(tokens.length / 2);
  const server = await serve(after);
  try {
    await eventually(() => upgradeState(after).done, 120_000);
  } finally {
    await server.stop();
  }
  expect(lostInUpgrade(after)).toEqual([]);
  expect(tokensLeft(join(after, "postroom.db"), tokens)).toBe(0);
});
