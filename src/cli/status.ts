import type { Command } from "commander";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { askServer } from "../platform/control/client.ts";
import { readStandbyMarker } from "../platform/process/standby-folder.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf } from "./context.ts";

/** Defines `postroom status`. */
export function statusCommand(): Command {
  return explained(
    command("status", "Show the version and address of the running server or the state of a standby.").option(
      "--json",
      "print JSON",
    ),
    {
      notes: `The command asks the server over a socket in the run/ folder of the data folder. Only the server's user can
access the socket. Exit code 1 when no server is running. For a standby, the command shows how far it follows
the primary.`,
      examples: ["postroom status", "postroom status --data /srv/postroom --json"],
    },
  ).action(status);
}

async function status(options: CommonOptions): Promise<void> {
  if (readStandbyMarker(options.data)) return standbyStatus(options);
  requireData(options);
  const { data_dir } = loadConfig(sourcesOf(options));
  const answer = await askServer(data_dir, "status", null);
  if (!answer.running) throw new UserError(`No server is running on ${data_dir}, or this user cannot access it.`);
  const { version, commit, pid, started_at, url, paused = null } = answer.reply;
  const backup = await askServer(data_dir, "backupProgress", null);
  const progress = backup.running ? backup.reply : null;
  const pause = paused && { ...paused, since: isoTime(paused.since) };
  const row = { version, commit, pid, started_at: isoTime(started_at), url, backup: progress, paused: pause };
  if (options.json) console.log(JSON.stringify(row));
  else {
    console.log(`postroom ${version} (${commit}) at ${url}, process ${pid}, since ${row.started_at}`);
    if (paused) console.log(paused.message);
    if (progress) console.log(`Backup in progress: ${percent(progress)}.`);
  }
}

async function standbyStatus({ data, json }: CommonOptions): Promise<void> {
  const answer = await askServer(data, "standby", null);
  if (!answer.running) throw new UserError(`No standby is running on ${data}, or this user cannot access it.`);
  const { pid, started_at, from, state_at, primary_at, checked_at, progress, failing_since, error } = answer.reply;
  const time = (ms: number | null) => (ms === null ? null : isoTime(ms));
  const times = { state_at: time(state_at), primary_at: time(primary_at), checked_at: time(checked_at) };
  if (json) {
    const row = { standby: true, pid, started_at: isoTime(started_at), from, ...times, progress };
    return console.log(JSON.stringify({ ...row, failing_since: time(failing_since), error }));
  }
  console.log(`A standby of ${from}, process ${pid}, since ${isoTime(started_at)}.`);
  console.log(
    state_at === null
      ? "It has no state yet."
      : `It has the state of ${times.state_at}, compared at ${times.checked_at}. Last sign of the primary: ${times.primary_at}.`,
  );
  if (progress) console.log(`Reading: ${percent(progress)}.`);
  if (failing_since !== null) console.log(`It cannot follow since ${time(failing_since)}: ${error}`);
}

function percent({ done, total }: { done: number; total: number }): string {
  return total === 0 ? "just started" : `${Math.min(100, Math.floor((100 * done) / total))}%`;
}
