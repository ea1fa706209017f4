import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { tokensLeft } from "../attack/old-index.ts";
import { eventually } from "../eventually.ts";
import { lostInUpgrade, oldTokens, upgradeState, writeFolderOfVersion01 } from "../old-folder.ts";
import { serve } from "../served-program.ts";

/** A data folder of version 0.1, from its first start under this version to the day when nothing of the old index is left. */
setDefaultTimeout(180_000);

const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const root = mkdtempSync(join(tmpdir(), "postroom-upgraded-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const data = join(root, "data");
const database = join(data, "postroom.db");
let tokens: string[];

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
  expect(tokens.length).toBeGreaterThan(200);
  expect(tokensLeft(database, tokens)).toBeGreaterThan(tokens.length / 2);
  const server = await serve(data);
  try {
    await eventually(() => upgradeState(data).done, 120_000);
    // While the server runs, its log is there as well.
    expect(tokensLeft(database, tokens)).toBe(0);
    expect(server.log()).toContain("the search index of an earlier version was removed");
  } finally {
    await server.stop();
  }
});

describe("the first start on a data folder of version 0.1", () => {
  test("makes all mail of everybody searchable again, also by the text of attachments", () => {
    expect(lostInUpgrade(data)).toEqual([]);
  });

  test("leaves nothing of the old index in the database, its free pages or its log", () => {
    expect(tokensLeft(database, tokens)).toBe(0);
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
