import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { previousOf, requireReplaceable, sha256Of, stage, swapBack, swapIn } from "./executable.ts";

let folder: string;
let executable: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postroom-swap-"));
  executable = join(folder, "postroom");
  writeFileSync(executable, "old", { mode: 0o755 });
  chmodSync(executable, 0o755);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => readFileSync(path, "utf8");

/** Stages a file with this content. */
function staged(content: string) {
  const file = stage(executable, "0.3.0");
  file.write(Buffer.from(content));
  file.finish();
  return file;
}

describe("a new executable", () => {
  test("replaces the present one, which stays as .previous", () => {
    const file = staged("new");
    expect(sha256Of(file.path)).toBe("11507a0e2f5e69d5dfa40a62a1bd7b6ee57e6bcd85c67c9b8431b36fff21c437");
    expect([read(executable), statSync(file.path).mode & 0o777]).toEqual(["old", 0o755]);
    swapIn(executable, file.path);
    expect([read(executable), read(previousOf(executable))]).toEqual(["new", "old"]);
    expect(readdirSync(folder).sort()).toEqual(["postroom", "postroom.previous"]);
  });

  test("replaces an older .previous, too", () => {
    swapIn(executable, staged("new").path);
    swapIn(executable, staged("newer").path);
    expect([read(executable), read(previousOf(executable))]).toEqual(["newer", "new"]);
  });

  test("can be undone, more than once", () => {
    swapIn(executable, staged("new").path);
    for (const _time of ["first", "second"]) {
      swapBack(executable);
      expect([read(executable), read(previousOf(executable))]).toEqual(["old", "old"]);
    }
  });

  test("that was interrupted is removed by the next update", () => {
    const left = staged("half").path;
    staged("new").discard();
    expect(existsSync(left)).toBe(false);
    expect(readdirSync(folder)).toEqual(["postroom"]);
  });
});

test("without a previous executable there is nothing to undo", () => {
  expect(() => swapBack(executable)).toThrow("There is no");
  expect(read(executable)).toBe("old");
});

test("an executable of a Debian package is left to the package manager", () => {
  const list = join(folder, "list");
  writeFileSync(list, `/.\n${executable}\n`);
  expect(() => requireReplaceable(executable, list)).toThrow("belongs to the Debian package");
  requireReplaceable(executable, join(folder, "none"));
  expect(readdirSync(folder).sort()).toEqual(["list", "postroom"]);
});
