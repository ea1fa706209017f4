import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(120_000);

/** Commands whose output goes to somebody who has gone away: `postroom … | head -1`. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const BASH = Bun.which("bash");
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "postroom-readers-"));
  await piped("user add ada@example.org", "cat > /dev/null");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command into a reader; its own exit code, and what it said on standard error. */
async function piped(command: string, reader: string) {
  // The reader ends before the command begins to write.
  const line = `(sleep 0.2; exec ${process.execPath} ${MAIN} ${command}) | ${reader}; exit \${PIPESTATUS[0]}`;
  const child = Bun.spawn([BASH!, "-c", line], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: join(folder, "data") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const err = await new Response(child.stderr).text();
  return { code: await child.exited, err };
}

test
  .skipIf(!BASH)
  .each([
    "--help",
    "user export --help",
    "--version",
    "version",
    "completion bash",
    "completion fish",
    "user list",
    "user list --json",
    "key list --json",
    "account list --json",
    "search nothing --user ada@example.org --json",
  ])("%s into a reader that has gone ends quietly, and well", async (command) => {
  expect(await piped(command, "true")).toEqual({ code: 0, err: "" });
});

test.skipIf(!BASH)("a command does what it was asked to do though nobody reads either stream", async () => {
  const line = `user add bob@example.org 2> >(true)`;
  expect((await piped(line, "true")).code).toBe(0);
});

test.skipIf(!BASH)("a mistake keeps its exit code and its line", async () => {
  const { code, err } = await piped("user list --nonsense", "true");
  expect({ code, line: /^postroom: unknown option[^\n]*\n$/.test(err) }).toEqual({ code: 2, line: true });
});
