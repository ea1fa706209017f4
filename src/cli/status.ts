import type { Command } from "commander";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { askServer } from "../platform/control/client.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf } from "./context.ts";

/** Defines `postroom status`. */
export function statusCommand(): Command {
  return explained(
    command("status", "Show the version and address of the running server, and the progress of a backup.").option(
      "--json",
      "print JSON",
    ),
    {
      notes: `The command asks the server over a socket in the run/ folder of the data folder. Only the server's user can
access the socket. Exit code 1 when no server is running.`,
      examples: ["postroom status", "postroom status --data /srv/postroom --json"],
    },
  ).action(status);
}

async function status(options: CommonOptions): Promise<void> {
  requireData(options);
  const { data_dir } = loadConfig(sourcesOf(options));
  const answer = await askServer(data_dir, "status", null);
  if (!answer.running) throw new UserError(`No server is running on ${data_dir}, or this user cannot access it.`);
  const { version, commit, pid, started_at, url } = answer.reply;
  const backup = await askServer(data_dir, "backupProgress", null);
  const progress = backup.running ? backup.reply : null;
  const row = { version, commit, pid, started_at: isoTime(started_at), url, backup: progress };
  if (options.json) console.log(JSON.stringify(row));
  else {
    console.log(`postroom ${version} (${commit}) at ${url}, process ${pid}, since ${row.started_at}`);
    if (progress) console.log(`Backup in progress: ${percent(progress)}.`);
  }
}

function percent({ done, total }: { done: number; total: number }): string {
  return total === 0 ? "just started" : `${Math.min(100, Math.floor((100 * done) / total))}%`;
}
