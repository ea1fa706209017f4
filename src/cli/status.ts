import type { Command } from "commander";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { loadConfig } from "../platform/config/load.ts";
import { askServer } from "../platform/control/client.ts";
import { type CommonOptions, command, explained, requireData, sourcesOf } from "./context.ts";

export function statusCommand(): Command {
  return explained(
    command("status", "Say what the running server is: its version, address, and how far a backup is.").option(
      "--json",
      "print JSON",
    ),
    {
      notes: `It asks the server that runs on the data folder, over the socket in its run/ folder, which only the server's user can reach.
Exit code 1 when none runs there.`,
      examples: ["postroom status", "postroom status --data /srv/postroom --json"],
    },
  ).action(status);
}

async function status(options: CommonOptions): Promise<void> {
  requireData(options);
  const { data_dir } = loadConfig(sourcesOf(options));
  const answer = await askServer(data_dir, "status", null);
  if (!answer.running) throw new UserError(`No server runs on ${data_dir}, or it cannot be asked.`);
  const { version, commit, pid, started_at, url } = answer.reply;
  const backup = await askServer(data_dir, "backupProgress", null);
  const progress = backup.running ? backup.reply : null;
  const row = { version, commit, pid, started_at: isoTime(started_at), url, backup: progress };
  if (options.json) console.log(JSON.stringify(row));
  else {
    console.log(`postroom ${version} (${commit}) at ${url}, process ${pid}, since ${row.started_at}`);
    if (progress) console.log(`A backup is being made: ${percent(progress)}.`);
  }
}

function percent({ done, total }: { done: number; total: number }): string {
  return total === 0 ? "it has just begun" : `${Math.min(100, Math.floor((100 * done) / total))} %`;
}
