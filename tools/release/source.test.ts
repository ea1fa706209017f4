import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { changelogSection } from "./changelog.ts";
import { expectEqual } from "./compare.ts";
import { checkedSource } from "./source.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

let root: string;

function git(...args: string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
  const { exitCode, stdout, stderr } = Bun.spawnSync(["git", ...identity, ...args], { cwd: root, stderr: "pipe" });
  if (exitCode !== 0) throw new Error(stderr.toString());
  return stdout.toString().trim();
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "postroom-source-"));
  folders.push(root);
  git("init", "-q");
  for (const path of ["package.json", "clients/typescript/package.json", "clients/n8n/package.json"]) {
    write(path, JSON.stringify({ version: "1.2.3" }));
  }
  write("clients/python/pyproject.toml", '[project]\nversion = "1.2.3"\n');
  write("CHANGELOG.md", "# Changelog\n\n## 1.2.3 (unreleased)\n\nNew.\n\n## 1.2.2\n\nOld.\n");
  git("add", "-A");
  git("commit", "-qm", "First", "--date=2026-01-01T00:00:00Z");
});

describe("the source of a release", () => {
  test("is the last commit, with its time", () => {
    const source = checkedSource(root, "1.2.3");
    expect(source).toEqual({
      commit: git("rev-parse", "HEAD"),
      time: Number(git("show", "-s", "--format=%ct")),
      tagged: false,
    });
  });

  test.each([
    ["v1.2.3", '"v1.2.3" is not a version'],
    ["1.2", '"1.2" is not a version'],
    ["1.2.4", "package.json has version 1.2.3, not 1.2.4"],
  ])("version %s is refused", (version, message) => {
    expect(() => checkedSource(root, version)).toThrow(message);
  });

  test("a client with another version is refused", () => {
    write("clients/python/pyproject.toml", '[project]\nversion = "1.2.2"\n');
    git("commit", "-qam", "Change");
    expect(() => checkedSource(root, "1.2.3")).toThrow("clients/python/pyproject.toml has version 1.2.2, not 1.2.3");
  });

  test("changed and new files are refused by name", () => {
    write("src/new.ts", "");
    expect(() => checkedSource(root, "1.2.3")).toThrow("not as in the last commit: src/. Commit or remove them first");
    rmSync(join(root, "src"), { recursive: true });
    write("package.json", '{"version":"1.2.3" }');
    expect(() => checkedSource(root, "1.2.3")).toThrow("not as in the last commit: package.json.");
  });

  test("a tag of the version must name this commit, and then the changelog must have a date", () => {
    git("tag", "v1.2.3");
    expect(() => checkedSource(root, "1.2.3")).toThrow('CHANGELOG.md says "1.2.3 (unreleased)"');
    write("CHANGELOG.md", readFileSync(join(root, "CHANGELOG.md"), "utf8").replace("unreleased", "2026-01-02"));
    git("commit", "-qam", "Change");
    expect(() => checkedSource(root, "1.2.3")).toThrow("the tag v1.2.3 names another commit");
    git("tag", "--force", "v1.2.3");
    expect(checkedSource(root, "1.2.3").tagged).toBe(true);
  });
});

describe("the section of the changelog", () => {
  const text = "# Changelog\n\n## 1.10.0 (2026-02-01)\n\n- a\n\n## 1.1.0\n\n- b\n\n## 1.0.0\n";

  test("ends before the next version", () => {
    expect(changelogSection(text, "1.10.0").text).toBe("## 1.10.0 (2026-02-01)\n\n- a\n");
    expect(changelogSection(text, "1.1.0").text).toBe("## 1.1.0\n\n- b\n");
  });

  test("must exist and have content", () => {
    expect(() => changelogSection(text, "1.1")).toThrow('no section "## 1.1"');
    expect(() => changelogSection(text, "1.0.0")).toThrow("is empty");
  });
});

test("builds that differ are refused, with the names of the files", () => {
  const [first, second] = [join(root, "first"), join(root, "second")];
  for (const name of ["same", "other"]) {
    write(`first/${name}`, name);
    write(`second/${name}`, name);
  }
  expectEqual(first, second);
  write("second/other", "changed");
  write("second/more", "");
  expect(() => expectEqual(first, second)).toThrow("two builds of the same commit differ: more, other.");
});
