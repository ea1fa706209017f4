import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDovecot } from "../support/dovecot.ts";
import { fillFolder } from "./fill.ts";
import { pack } from "./packed.ts";

/** Creates test/fixtures/filled-0.1.json.zst with the source of version 0.1: bun test/upgrade/make-fixture.ts FOLDER */
const [source] = process.argv.slice(2);
if (!source) throw new Error("usage: bun test/upgrade/make-fixture.ts FOLDER-WITH-THE-SOURCE-OF-0.1");
const data_dir = mkdtempSync(join(tmpdir(), "postroom-fixture-"));
const dovecot = await startDovecot();
try {
  const program = [process.execPath, "run", resolve(source, "src/main.ts")];
  const filled = await fillFolder(data_dir, program, dovecot);
  console.log(`${pack(data_dir, filled)} bytes`);
} finally {
  await dovecot.stop();
  rmSync(data_dir, { recursive: true, force: true });
}
