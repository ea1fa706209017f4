import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mailText } from "./support/mail-text.ts";

/** Backup, restore, import and export as a shell sees them. */
setDefaultTimeout(60_000);

const MAIN = join(import.meta.dir, "../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-cli-backup-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function postroom(args: string): Promise<{ code: number; out: string; err: string }> {
  const child = Bun.spawn([process.execPath, MAIN, ...args.split(" ")], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: join(folder, "data") },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: 50_000,
  });
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  return { code: await child.exited, out, err };
}

const complaint = async (args: string) => {
  const { code, out, err } = await postroom(args);
  expect({ args, code, out }).toEqual({ args, code: 1, out: "" });
  return err;
};

beforeAll(async () => {
  await postroom("user add ada@example.org");
}, 60_000);

test("a backup is created, verified and restored with the same people in it", async () => {
  expect((await postroom("backup monday.age")).out).toMatch(
    /^Wrote .*monday\.age: full, [\d.]+ MiB, \d+ rows, \d+ files\.\n$/,
  );
  const second = JSON.parse((await postroom("backup tuesday.age --since monday.age --json")).out);
  expect(second).toMatchObject({
    kind: "incremental",
    rows: expect.any(Number),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect((await postroom("restore --verify tuesday.age")).out).toContain(
    "tuesday.age is intact: incremental backup of ",
  );
  const restored = await postroom("restore tuesday.age --data elsewhere --key-file data/keys/master.key");
  expect(restored).toMatchObject({ code: 0, out: expect.stringContaining("The master key is in keys/master.key") });
  const [here, there] = await Promise.all([
    postroom("user list --json"),
    postroom("user list --json --data elsewhere"),
  ]);
  expect(there.out).toBe(here.out);
  // The backup was still being made when it recorded itself.
  const { out } = await postroom("doctor --json --data elsewhere");
  const { detail } = JSON.parse(out).find(({ check }: { check: string }) => check === "backup");
  expect(detail).not.toContain("failed");
});

describe("a failure is reported in one line", () => {
  test.each([
    ["backup monday.age", "monday.age already exists. Choose another name."],
    ["backup no/where.age", "There is no folder"],
    ["backup x.age --since absent.age", "There is no file absent.age."],
    ["restore monday.age --key-file data/keys/master.key", "data is not empty."],
    ["restore monday.age --data new", "Specify a file with the recovery key, the passphrase or the master key"],
    ["restore monday.age --data new --key-file absent", "There is no file absent."],
    ["restore --verify data/keys/master.key", "is not a Postroom backup"],
    ["export acc_none x.mbox", "There is no account acc_none."],
    ["import --user ada@example.org --name x", "Specify what to import: --mbox FILES or --maildir FOLDER."],
    ["import --user ada@example.org --name x --mbox data", "data is a folder"],
    ["import --user ada@example.org --name x --maildir data", "data is not a Maildir"],
    ["import --user bo@example.org --name x --mbox monday.age", "There is no user bo@example.org."],
  ])("%s", async (args, words) => {
    expect(await complaint(args)).toContain(words);
    expect(existsSync(join(folder, "new"))).toBe(false);
  });

  test("a flipped bit is reported with its position", async () => {
    const bytes = readFileSync(join(folder, "monday.age"));
    bytes[bytes.length >> 1]! ^= 4;
    writeFileSync(join(folder, "bad.age"), bytes);
    expect(await complaint("restore --verify bad.age")).toMatch(/bad\.age is damaged between bytes \d+ and \d+: in /);
  });
});

test("mail is imported and exported again", async () => {
  writeFileSync(
    join(folder, "Old.mbox"),
    `From a@b Mon Jan  5 10:00:00 2026\n${mailText({ id: "old" }).replaceAll("\r\n", "\n")}\n`,
  );
  const imported = await postroom("import --user ada@example.org --name old --mbox Old.mbox");
  expect(imported.out).toMatch(/^Imported 1 message into old@imported\.invalid \(acc_\w+\)\.\n$/);
  expect((await postroom("import --user ada@example.org --name old --mbox Old.mbox")).out).toContain(
    "Skipped 1 that already existed.",
  );
  const id = /acc_\w+/.exec(imported.out)![0];
  expect(JSON.parse((await postroom(`export ${id} out.mbox --json`)).out)).toMatchObject({ whole: 1, rebuilt: 0 });
  expect(readFileSync(join(folder, "out.mbox"), "utf8")).toContain("Subject: About old");
  expect(await complaint(`export ${id} out.mbox`)).toContain("out.mbox already exists.");
});
