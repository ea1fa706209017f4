import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maildirFiles, maildirFolders, readMaildirFile } from "./read.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "postroom-maildir-"));
  for (const part of ["cur", "new", "tmp"]) mkdirSync(join(dir, part));
  writeFileSync(join(dir, "new", "1700000000.a.host"), "Subject: a\n\na");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const only = () => maildirFiles({ path: "INBOX", dir })[0]!.file;
const text = (file: string) => {
  const read = readMaildirFile(file);
  return read && Buffer.from(read.source).toString();
};

test("a message that a mail program renames is found under its new name; a deleted one is skipped", () => {
  const file = only();
  const seen = join(dir, "cur", "1700000000.a.host:2,S");
  renameSync(join(dir, "new", "1700000000.a.host"), seen);
  expect(text(file)).toBe("Subject: a\n\na");
  rmSync(seen);
  expect(readMaildirFile(file)).toBeNull();
});

test("links are not followed, neither to other files nor in circles", () => {
  writeFileSync(join(dir, "secret"), "not mail");
  symlinkSync(join(dir, "secret"), join(dir, "cur", "1700000001.b.host:2,"));
  symlinkSync(dir, join(dir, "again"));
  expect(maildirFolders(dir).map(({ path }) => path)).toEqual(["INBOX"]);
  expect(maildirFiles({ path: "INBOX", dir }).map(({ file }) => file)).toEqual([only()]);
});

test("a file larger than any message is cut", () => {
  const file = only();
  truncateSync(file, 3 * 1024 ** 3);
  const read = readMaildirFile(file);
  expect([read?.source.length, read?.cut]).toEqual([64 * 1024 * 1024, true]);
});
