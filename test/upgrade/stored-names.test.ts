import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { DOVECOT, startDovecot } from "../support/dovecot.ts";
import { fillFolder } from "./fill.ts";
import { unpackVersion01 } from "./packed.ts";
import { addedNames, asText, changedNames, fromText, type StoredNames, storedNames } from "./stored-names.ts";

/**
 * The names in stored JSON are a file format: a renamed field makes the values of earlier versions unreadable, and no
 * type check reports it. The golden file lists the names of 0.1 and of this version.
 */
setDefaultTimeout(120_000);

const GOLDEN = join(import.meta.dir, "../golden/stored-names.txt");
const MAIN = resolve(import.meta.dir, "../../src/main.ts");
const SMALL_INDEX = resolve(import.meta.dir, "../faults/small-index.ts");
/** Names that only an upgrade writes. */
const OF_UPGRADES = ["adopted.at", "adopted.master_key_id"];

const root = mkdtempSync(join(tmpdir(), "postroom-stored-names-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function namesIn(data_dir: string): StoredNames {
  const log = createLog({ level: "error", format: "text", clock: systemClock, write: () => {} });
  const platform = openPlatform({ config: loadConfig({ data_dir, env: {} }), clock: systemClock, log });
  try {
    return storedNames(platform);
  } finally {
    platform.close();
  }
}

let earlier: StoredNames;

beforeAll(() => {
  unpackVersion01(join(root, "earlier"));
  earlier = namesIn(join(root, "earlier"));
});

describe.skipIf(!DOVECOT)("stored JSON", () => {
  let now: StoredNames;
  let golden: StoredNames;

  beforeAll(async () => {
    const dovecot = await startDovecot();
    const data_dir = join(root, "now");
    try {
      await fillFolder(data_dir, [process.execPath, "--preload", SMALL_INDEX, MAIN], dovecot);
    } finally {
      await dovecot.stop();
    }
    now = namesIn(data_dir);
    if (process.env.UPDATE_GOLDEN === "1") await Bun.write(GOLDEN, asText(fromText(asText(earlier) + asText(now))));
    golden = fromText(await Bun.file(GOLDEN).text());
  });

  test("of version 0.1 has no name that the golden file lacks", () => {
    expect(addedNames(golden, earlier)).toEqual([]);
  });

  test("of this version has all names that earlier versions stored", () => {
    const expected = fromText(asText(golden));
    for (const name of OF_UPGRADES) expected.get("grants.register")?.delete(name);
    expect(changedNames(expected, now)).toEqual([]);
  });

  test("of this version has no other names", () => {
    const advice = "UPDATE_GOLDEN=1 bun test test/upgrade/stored-names.test.ts adds a name that is really new.";
    expect(addedNames(golden, now).map((added) => `${added} ${advice}`)).toEqual([]);
  });
});

test("a renamed field is reported with its earlier name", () => {
  const before = fromText("sends.info  message_id_header\nsends.info  to\n");
  expect(changedNames(before, fromText("sends.info  messageIdHeader\nsends.info  to\n"))).toEqual([
    "The stored name message_id_header of sends.info changed. Earlier versions wrote message_id_header; " +
      "read both or keep the name. This version writes messageIdHeader.",
  ]);
});
