import { existsSync, readFileSync } from "node:fs";

/**
 * Kills a process that was started by `unshare --pid --fork`, and all others in its namespace. Killing unshare itself
 * leaves them running, because a change of the user cancels the signal of --kill-child.
 * @param unshare process id of unshare, which may have ended
 */
export function killInside(unshare: number): void {
  const children = `/proc/${unshare}/task/${unshare}/children`;
  if (!existsSync(children)) return;
  const first = readFileSync(children, "utf8").trim();
  process.kill(first === "" ? unshare : Number(first), "SIGKILL");
}
