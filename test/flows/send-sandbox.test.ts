import { expect, test } from "bun:test";
import { join } from "node:path";

/**
 * An empty network namespace, without even loopback; where the system does not allow one, the child's own guards
 * remain.
 */
const ALONE = ["unshare", "--map-root-user", "--net"];

test("a send with a test key returns as received mail, without any network", () => {
  const isolated = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, "true"]).exitCode === 0;
  if (!isolated) console.info("the system allows no network namespace: every connect throws in the process instead");
  const command = [...(isolated ? ALONE : []), process.execPath, join(import.meta.dir, "send-sandbox-child.ts")];
  const { stdout, stderr, exitCode } = Bun.spawnSync(command, { stdout: "pipe", stderr: "pipe" });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  expect(JSON.parse(stdout.toString())).toEqual({
    attempts: 0,
    status: "sent",
    state: "inbox",
    newest: "Round and back",
    // The message was in Sent for a moment before it arrived in the inbox.
    events: ["thread.updated", "message.received", "send.completed"],
  });
}, 30_000);
