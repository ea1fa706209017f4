import type { Command } from "commander";
import { runBackup } from "../backup/run.ts";
import { VERSION } from "../version.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { gibibytes, interruptible, progressLine } from "./progress.ts";

interface BackupOptions extends CommonOptions {
  since?: string;
  force?: true;
}

export function backupCommand(): Command {
  return explained(
    command("backup", "Write everything into one encrypted file, also while a server runs.")
      .argument("<file>", "the file to make; its usual ending is .age")
      .option("--since <file>", "only what changed since this earlier backup, which a restore needs, too")
      .option("--force", "replace a file of this name")
      .option("--json", "print JSON"),
    {
      notes: `The file holds the database, the kept files, the configuration and the keys, of one moment. It opens with the
recovery key, with the passphrase, or with the master key, and is of no use to anybody without one of them. It appears
under its name when it is complete and on the disk. 'postroom restore --verify FILE' proves it. Backups by the clock:
backup.schedule in docs/configuration.md.`,
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
    console.error("'postroom restore --verify' proves that it can be restored.");
  });
}
