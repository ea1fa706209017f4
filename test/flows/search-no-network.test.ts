import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Semantic search contacts no other host: in a network namespace without a single route, the kernel counts every
 * attempt to send anything, including name lookups (Ip.OutNoRoutes of /proc/net/snmp).
 */

const MAIN = join(import.meta.dir, "../../src/main.ts");
const folder = mkdtempSync(join(tmpdir(), "postroom-no-network-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ALONE = ["unshare", "--map-root-user", "--net"];
const canUnshare =
  process.platform === "linux" &&
  Bun.which("unshare") !== null &&
  Bun.spawnSync([...ALONE, "true"], { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
if (!canUnshare) console.info("skipped: this system does not allow network namespaces (unshare --net)");

/** Runs a command in a separate network namespace. @returns its output, and how many attempts to send it made */
function alone(command: string[]): { out: string; attempts: number } {
  const { stdout, stderr } = Bun.spawnSync(
    [...ALONE, "sh", "-c", 'HOME="$1"; export HOME; shift; "$@"; echo; cat /proc/net/snmp', "sh", folder, ...command],
    { cwd: folder, env: { PATH: process.env.PATH ?? "" }, timeout: 60_000 },
  );
  const [names, values] = stdout
    .toString()
    .split("\n")
    .filter((line) => line.startsWith("Ip: "))
    .map((line) => line.split(" "));
  if (!names || !values) throw new Error(`no counters: ${stderr.toString()}`);
  const attempts = ["OutNoRoutes", "OutRequests"].map((name) => Number(values[names.indexOf(name)]));
  return { out: stdout.toString(), attempts: attempts.reduce((sum, count) => sum + count, 0) };
}

test.skipIf(!canUnshare)("the model contacts no host and leaves nothing in the home folder", () => {
  const data = join(folder, "data");
  const postroom = (...args: string[]) => [process.execPath, MAIN, ...args, "--data", data];
  const added = Bun.spawnSync(postroom("user", "add", "ada@example.org"), {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", HOME: folder },
    timeout: 60_000,
  });
  expect(added.stderr.toString()).not.toContain("rror");

  const { out, attempts } = alone(
    postroom("search", "when does my flight leave", "--user", "ada@example.org", "--test", "--mode", "semantic"),
  );
  // Nothing of the sandbox is embedded yet, so full-text search answers; the model has read the question nevertheless.
  expect(out).toContain("Ip: ");
  expect(attempts).toBe(0);
  // What Bun itself keeps when it runs from source is no trace of the model.
  expect(readdirSync(folder).filter((name) => name !== ".bun")).toEqual(["data"]);

  // Proves that an attempt would have been counted.
  expect(alone([process.execPath, "-e", 'await fetch("http://192.0.2.1/").catch(() => 0)']).attempts).toBeGreaterThan(
    0,
  );
});
