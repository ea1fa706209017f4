import type { Command } from "commander";
import { runBackup } from "../backup/run.ts";
import { VERSION } from "../version.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { gibibytes, interruptible, progressLine } from "./progress.ts";

interface BackupOptions extends CommonOptions {
  since?: string;
  force?: true;
}

/** Defines `postroom backup`. */
export function backupCommand(): Command {
  return explained(
    command("backup", "Back up all data to one encrypted file, even while a server is running.")
      .argument("<file>", "backup file to create, usually named *.age")
      .option("--since <file>", "back up only the changes since this earlier backup; a restore needs both files")
      .option("--force", "overwrite an existing file")
      .option("--json", "print JSON"),
    {
      notes: `The backup is a snapshot of the database, the stored files, the configuration and the keys. You can open it
with the recovery key, the passphrase or the master key; without one of them, no one can read it. The
file appears under its name only when it is complete and on disk. Verify it with 'postroom restore
--verify FILE'. To schedule backups, use the settings page or set backup.schedule.`,
      examples: [
        "postroom backup /mnt/usb/postroom.age",
        "postroom backup /mnt/usb/tuesday.age --since /mnt/usb/monday.age",
        "postroom backup /mnt/usb/postroom.age --data /srv/postroom --force --json",
      ],
    },
  ).action(backup);
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  await withPlatform(options, async (platform) => {
    const line = progressLine("backup");
    const made = await interruptible((signal) =>
      runBackup({
        platform,
        version: VERSION,
        file,
        ...(options.force ? { replace: true } : {}),
        ...(options.since === undefined ? {} : { since: options.since }),
        kept: false,
        progress: ({ done, total }) => line.show(done, total),
        signal,
      }),
    ).finally(() => line.end());
    const { kind, bytes, rows, files, sha256, reused_bytes } = made;
    if (options.json)
      return console.log(JSON.stringify({ file: made.file, kind, bytes, rows, files, sha256, reused_bytes }));
    console.log(`Wrote ${made.file}: ${kind}, ${gibibytes(bytes)}, ${rows} rows, ${files} files.`);
    console.error("Run 'postroom restore --verify' to check that it can be restored.");
  });
}
