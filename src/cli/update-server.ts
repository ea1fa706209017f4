import { readlinkSync } from "node:fs";
import { systemClock } from "../platform/clock.ts";
import { askServer } from "../platform/control/client.ts";
import { directly } from "../platform/egress/directly.ts";
import type { RootRights } from "../platform/process/folder-owner.ts";
import { isServed } from "../platform/process/lock.ts";
import { givenCommand, type Supervisor, supervisorOf } from "../platform/update/supervisor.ts";
import { reachable } from "./health.ts";

const POLL_MS = 300;
const REQUEST_MS = 4_000;

/** The server that runs on a data folder. */
export interface RunningServer {
  pid: number;
  /** ms; distinguishes it from the server after it. */
  started_at: number;
  supervisor: Supervisor | null;
  /** Whether it runs the executable that is replaced, as far as this user can see. */
  same: boolean;
}

export interface Installed {
  data_dir: string;
  executable: string;
  rights: RootRights;
  /** The server before the update; null: none. */
  server: RunningServer | null;
  /** The person's command to restart the server. */
  restart: string | undefined;
}

/** Returns the server that runs on a data folder; null if none does. Call it before the executable is replaced. */
export async function runningServer(data_dir: string, executable: string): Promise<RunningServer | null> {
  const answer = await askServer(data_dir, "status", null);
  if (!answer.running) return null;
  const { pid, started_at } = answer.reply;
  return { pid, started_at, supervisor: supervisorOf(pid), same: (executableOf(pid) ?? executable) === executable };
}

function executableOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return null;
  }
}

/** Returns what restarts the server; null if no command is known, or if another executable serves. */
export function supervisorFor({ server, restart }: Installed): Supervisor | null {
  if (restart !== undefined) return givenCommand(restart);
  return server?.same ? server.supervisor : null;
}

/** Returns what a person has to do so that the installed version runs. */
export function nextStep({ data_dir, server }: Pick<Installed, "data_dir" | "server">): string {
  if (!server) {
    return isServed(data_dir)
      ? "A server is running but does not answer. Restart it to use this version."
      : "No server is running. The next start uses this version.";
  }
  if (!server.same)
    return `The running server (process ${server.pid}) uses another executable, which was not replaced.`;
  return `The server (process ${server.pid}) still runs the earlier version. Restart it: stop it with 'kill ${server.pid}', and start it as before.`;
}

/** Runs a command with the rights of the person. @returns why it failed, or null */
export function runCommand(rights: RootRights, command: readonly string[]): string | null {
  const shown = command.join(" ");
  try {
    const { exitCode, stderr } = rights.asRoot(() =>
      Bun.spawnSync([...command], { stdin: "ignore", stdout: "ignore", stderr: "pipe" }),
    );
    if (exitCode === 0) return null;
    const said = stderr.toString().trim().split("\n")[0];
    return `'${shown}' failed${said ? ` (${said})` : ` with exit code ${exitCode}`}`;
  } catch (error) {
    return `'${shown}' could not be run (${(error as Error).message})`;
  }
}

/** Returns whether the same server runs as before. */
export async function isStillRunning(data_dir: string, { started_at }: RunningServer): Promise<boolean> {
  const answer = await askServer(data_dir, "status", null).catch(() => null);
  return answer?.running === true && answer.reply.started_at === started_at;
}

/** Waits until a server of this version is ready. @param after the server before it @returns why not, or null */
export async function whenReady(
  data_dir: string,
  { version, after, waitMs }: { version: string; after: RunningServer | null; waitMs: number },
): Promise<string | null> {
  const end = systemClock.now() + waitMs;
  let why = "no server started";
  while (systemClock.now() < end) {
    const answer = await askServer(data_dir, "status", null).catch(() => null);
    if (answer?.running && answer.reply.started_at !== after?.started_at) {
      const { reply } = answer;
      if (reply.version !== version) why = `version ${reply.version} is running`;
      // A paused server is as well as its lease allows.
      else if (reply.paused || (await isReady(reply.url))) return null;
      else why = "it runs, but is not ready";
    }
    await Bun.sleep(POLL_MS);
  }
  return `${why} within ${Math.round(waitMs / 1000)} seconds`;
}

async function isReady(server: string): Promise<boolean> {
  const url = new URL("/readyz", server);
  url.hostname = reachable(url.hostname);
  const signal = AbortSignal.timeout(REQUEST_MS);
  const answer = await fetch(url, { signal, ...directly(url) }).catch(() => null);
  return answer?.ok === true;
}
