import { type Command, Option } from "commander";
import { createExport, openMailboxContent } from "../app/files.ts";
import { TargetFile } from "../backup/target-file.ts";
import { UserError } from "../kernel/errors.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { gibibytes, interruptible, progressLine } from "./progress.ts";

interface ExportOptions extends CommonOptions {
  format: "mbox" | "eml";
  offline?: true;
  force?: true;
}

/** Defines `postroom export`. */
export function exportCommand(): Command {
  return explained(
    command("export", "Export a mailbox to a file that other mail programs can read.")
      .argument("<account>", "account ID, from 'postroom account list'")
      .argument("<file>", "file to create")
      .addOption(
        new Option("--format <format>", "mbox: one file; eml: a tar archive with one file per message")
          .choices(["mbox", "eml"])
          .default("mbox"),
      )
      .option("--offline", "do not connect to the mail server")
      .option("--force", "overwrite an existing file")
      .option("--json", "print JSON"),
    {
      notes: `Message sources that are not stored locally are fetched from the mail server over a separate connection.
If a source is unavailable (--offline, the server is unreachable, or it no longer has the message), the
message is rebuilt from stored data: addresses, subject, date, text and HTML, without attachments. Rebuilt
messages have the header X-Postroom-Rebuilt and are counted in the output. The file is not encrypted. Flags
and labels are stored as Status, X-Status and X-Keywords in an mbox, and in messages.jsonl in an archive.`,
      examples: [
        "postroom export acc_01jz4t9h2m8q5r7v3w6x0y1z2a mail.mbox",
        "postroom export acc_01jz4t9h2m8q5r7v3w6x0y1z2a mail.tar --format eml",
        "postroom export acc_01jz4t9h2m8q5r7v3w6x0y1z2a mail.mbox --offline --json",
      ],
    },
  ).action(exportMail);
}

async function exportMail(id: string, path: string, options: ExportOptions): Promise<void> {
  await withPlatform(options, async (platform, mailbox) => {
    const account = mailbox.accounts.get(id);
    if (!account) throw new UserError(`There is no account ${id}. Run 'postroom account list' to see all accounts.`);
    const { content, close } = openMailboxContent(platform, mailbox, account, options.offline ?? false);
    const target = await TargetFile.create(path, options.force);
    const line = progressLine("export");
    try {
      const made = createExport(platform, mailbox, account, content);
      await interruptible(async (signal) => {
        for await (const chunk of made.stream(options.format)) {
          signal.throwIfAborted();
          await target.write(chunk);
          line.show(made.counts.whole + made.counts.rebuilt, made.counts.total, "messages");
        }
      });
      await target.finish();
      line.end();
      const { total: _, ...counts } = made.counts;
      if (options.json) return console.log(JSON.stringify({ file: path, bytes: target.bytes, ...counts }));
      console.log(`Wrote ${counts.whole + counts.rebuilt} messages (${gibibytes(target.bytes)}) to ${path}.`);
      if (counts.rebuilt > 0) {
        console.error(
          `${counts.rebuilt} of them have no attachments, because their source was unavailable (see the header X-Postroom-Rebuilt).`,
        );
      }
    } catch (error) {
      line.end();
      await target.abandon();
      throw error;
    } finally {
      close();
    }
  });
}
