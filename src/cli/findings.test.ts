import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Scratch, scratchPlatform } from "../../test/scratch-platform.ts";
import { diskFinding, folderFinding, keyFindings, unknownVariables } from "./findings.ts";

let scratch: Scratch;
let dir: string;
beforeEach(() => {
  scratch = scratchPlatform();
  dir = scratch.data_dir;
});
afterEach(() => scratch.close());

test("a data folder that others can look into is advised against", () => {
  expect(folderFinding(dir).result).toBe("ok");
  chmodSync(dir, 0o750);
  expect(folderFinding(dir)).toMatchObject({ result: "advice", detail: expect.stringContaining("chmod 700") });
});

describe("the master key", () => {
  const results = (source: "file" | "given" | "passphrase") => keyFindings(dir, source).map(({ result }) => result);

  test("beside the data is advised against, and is a fault when others can read it", () => {
    expect(results("file")).toEqual(["advice"]);
    expect(keyFindings(dir, "file")[0]?.detail).toContain("a stolen disk can be read");
    chmodSync(join(dir, "keys", "master.key"), 0o644);
    expect(results("file")).toEqual(["advice", "FAULT"]);
  });

  test("from outside is fine; what is left of an earlier one is named", () => {
    expect(results("passphrase")).toEqual(["ok", "advice"]);
    writeFileSync(join(dir, "keys", "passphrase.json"), "{}");
    expect(results("given")).toEqual(["ok", "advice", "advice"]);
  });
});

test("the disk is measured", () => {
  expect(diskFinding(dir).detail).toMatch(/^\d+ MiB free/);
});

test("a misspelt variable is found, a setting and its file form are not", () => {
  const env = {
    POSTROOM_HTTP_PORT: "1",
    POSTROOM_MASTER_KEY_FILE: "x",
    POSTROOM_DATA: "x",
    POSTROOM_HTTP_PROT: "1",
    POSTROOM_HTTP_PORT_FILE: "x",
    PATH: "x",
  };
  expect(unknownVariables(env)).toEqual(["POSTROOM_HTTP_PORT_FILE", "POSTROOM_HTTP_PROT"]);
});
