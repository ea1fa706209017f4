import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDovecot } from "../support/dovecot.ts";
import { fillFolder } from "./fill.ts";
import { BACKUPS, pack } from "./packed.ts";

/** Creates test/fixtures/filled-0.1.json.zst with the executable of version 0.1: bun test/upgrade/make-fixture.ts FILE */
const [given] = process.argv.slice(2);
if (!given) throw new Error("usage: bun test/upgrade/make-fixture.ts EXECUTABLE-OF-0.1");
const executable = resolve(given);
const version = await command("version");
if (!version.startsWith("postroom 0.1.")) throw new Error(`This is ${version}, not version 0.1.`);
const data_dir = mkdtempSync(join(tmpdir(), "postroom-fixture-"));
const backup = (file: string, ...more: string[]) =>
  command("backup", join(data_dir, file), "--data", data_dir, ...more);
const dovecot = await startDovecot();
try {
  mkdirSync(join(data_dir, "backups"), { mode: 0o700 });
  // The full backup is made while 0.1 serves, the incremental one after it has stopped.
  const filled = await fillFolder(data_dir, [executable], dovecot, async () => void (await backup(BACKUPS.full)));
  await backup(BACKUPS.incremental, "--since", join(data_dir, BACKUPS.full));
  console.log(`${pack(data_dir, filled)} bytes, made by ${version}`);
} finally {
  await dovecot.stop();
  rmSync(data_dir, { recursive: true, force: true });
}

async function command(...args: string[]): Promise<string> {
  const child = Bun.spawn([executable, ...args], { stdout: "pipe", stderr: "pipe" });
  const [said, failed] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  if ((await child.exited) !== 0) throw new Error(`postroom ${args.join(" ")} failed: ${failed}`);
  return said.trim();
}
