import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

setDefaultTimeout(120_000);

/** Commands whose output is read by a process that has ended: `postroom … | head -1`. */

const MAIN = join(import.meta.dir, "../src/main.ts");
const BASH = Bun.which("bash");
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "postroom-readers-"));
  await piped("user add ada@example.org", "cat > /dev/null");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a command into a reader; returns its own exit code and standard error. */
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
  ])("%s into a reader that has ended exits quietly with code 0", async (command) => {
  expect(await piped(command, "true")).toEqual({ code: 0, err: "" });
});

test.skipIf(!BASH)("a command completes when no one reads its output or its errors", async () => {
  const line = `user add bob@example.org 2> >(true)`;
  expect((await piped(line, "true")).code).toBe(0);
});

test.skipIf(!BASH)("an error keeps its exit code and its message", async () => {
  const { code, err } = await piped("user list --nonsense", "true");
  expect({ code, line: /^postroom: unknown option[^\n]*\n$/.test(err) }).toEqual({ code: 2, line: true });
});

const FULL = "/dev/full";
test
  .skipIf(!BASH || !existsSync(FULL))
  .each([
    "--help",
    "version",
    "completion bash",
    "user list",
    "key list --json",
    "key create --user ada@example.org --name k --scopes all",
  ])("%s into a file on a full disk reports it and fails", async (command) => {
  const child = Bun.spawn([BASH!, "-c", `exec ${process.execPath} ${MAIN} ${command} > ${FULL}`], {
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH ?? "", POSTROOM_DATA: join(folder, "data") },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const err = await new Response(child.stderr).text();
  expect([await child.exited, err]).toEqual([1, "postroom: The output could not be written: the disk is full.\n"]);
});

test.skipIf(!BASH)("a slow reader gets the whole output of a command that fails", async () => {
  const output = join(import.meta.dir, "../src/cli/closed-output.ts");
  const script = `import { ignoreClosedOutput } from ${JSON.stringify(output)};
    ignoreClosedOutput();
    for (let line = 0; line < 2_000; line++) console.log("x".repeat(499));
    process.exit(3);`;
  const line = `${process.execPath} -e '${script}' | (sleep 0.2; wc -c); echo \${PIPESTATUS[0]}`;
  const child = Bun.spawn([BASH!, "-c", line], { cwd: folder, stdout: "pipe" });
  expect((await new Response(child.stdout).text()).trim().split(/\s+/)).toEqual(["1000000", "3"]);
});
