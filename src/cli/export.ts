import { type Command, Option } from "commander";
import { createExport, ownContent } from "../app/files.ts";
import { TargetFile } from "../backup/target-file.ts";
import { UserError } from "../kernel/errors.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { gibibytes, interruptible, progressLine } from "./progress.ts";

interface ExportOptions extends CommonOptions {
  format: "mbox" | "eml";
  offline?: true;
  force?: true;
}

export function exportCommand(): Command {
  return explained(
    command("export", "Write a mailbox into a file that other mail programs read.")
      .argument("<account>", "id of the account ('postroom account list')")
      .argument("<file>", "the file to make")
      .addOption(
        new Option("--format <format>", "mbox: one file; eml: a tar archive with a file for each message")
          .choices(["mbox", "eml"])
          .default("mbox"),
      )
      .option("--offline", "do not ask the mail server")
      .option("--force", "replace a file of this name")
      .option("--json", "print JSON"),
    {
      notes: `Sources that are not kept here are fetched from the mail server, over a connection of its own. Where that cannot be
(--offline, the server is away, or has the message no more), the message is made of what is stored: its addresses, subject,
date, text and HTML, without attachments; such a message says so in a header line, X-Postroom-Rebuilt, and is counted. The
file is not encrypted. Flags and labels: in an mbox as Status, X-Status and X-Keywords, in an archive in messages.jsonl.`,
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
    if (!account) throw new UserError(`There is no account ${id}. 'postroom account list' shows which there are.`);
    const { content, close } = ownContent(platform, mailbox, account, options.offline ?? false);
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
          `${counts.rebuilt} of them without attachments: their source could not be had (X-Postroom-Rebuilt).`,
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
