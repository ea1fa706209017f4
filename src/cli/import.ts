import { existsSync, statSync } from "node:fs";
import { type Command, Option } from "commander";
import { createImport, importedAccount, importSource } from "../app/files.ts";
import { UserError } from "../kernel/errors.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { interruptible, progressLine } from "./progress.ts";
import { personByEmail } from "./user.ts";

interface ImportOptions extends CommonOptions {
  user: string;
  name: string;
  mbox?: string[];
  maildir?: string;
  folder?: string;
}

export function importCommand(): Command {
  return explained(
    command("import", "Read old mail out of files into a mailbox of its own.")
      .requiredOption("--user <email>", "whose mail it is")
      .requiredOption("--name <name>", "what the mailbox is called; the same name again adds to it")
      .addOption(new Option("--mbox <files...>", "mbox files, each a folder").conflicts("maildir"))
      .option("--maildir <folder>", "a Maildir, with its folders")
      .option("--folder <name>", "for --mbox: the folder that the mail goes to (default: by the name of the file)")
      .option("--json", "print JSON"),
    {
      notes: `Such a mailbox has no server: its mail is threaded, searched and sorted like any other, and nothing of it ever
leaves. Nothing is announced, and no rule acts on it. Flags come from Status, X-Status and X-Mozilla-Status, or from the
Maildir; labels from X-Keywords; a Takeout of Gmail is sorted by its X-Gmail-Labels. What is there already is passed
over: the same import twice takes nothing twice. The files are kept unchanged, and sources are kept here, sealed.`,
      examples: [
        "postroom import --user you@example.org --name old-mail --mbox Inbox.mbox Sent.mbox",
        "postroom import --user you@example.org --name takeout --mbox 'All mail Including Spam and Trash.mbox'",
        "postroom import --user you@example.org --name laptop --maildir ~/Maildir",
      ],
    },
  ).action(importMail);
}

async function importMail(options: ImportOptions): Promise<void> {
  const source = sourceOf(options);
  await withPlatform(options, async (platform, mailbox) => {
    const person = personByEmail(platform, options.user);
    const account = importedAccount(platform, mailbox, person.id, options.name);
    const line = progressLine("import");
    const counts = await interruptible((signal) =>
      createImport(platform, mailbox, account).run(source, (done) => line.show(done, source.total_bytes), signal),
    ).finally(() => line.end());
    if (options.json) return console.log(JSON.stringify({ id: account.id, email: account.email, ...counts }));
    const { taken, known, cut } = counts;
    const passed = known > 0 ? ` ${known} were there already.` : "";
    console.log(`Imported ${taken} messages into ${account.email} (${account.id}).${passed}`);
    if (cut > 0) console.error(`${cut} were longer than 64 MiB: what is beyond that was left out.`);
  });
}

function sourceOf({ mbox, maildir, folder }: ImportOptions) {
  for (const path of [...(mbox ?? []), ...(maildir === undefined ? [] : [maildir])]) {
    if (!existsSync(path)) throw new UserError(`There is no ${path}.`);
  }
  if (mbox) {
    const wrong = mbox.find((path) => statSync(path).isDirectory());
    if (wrong) throw new UserError(`${wrong} is a folder: name the mbox files in it, or say --maildir.`);
    return importSource({ mbox, ...(folder === undefined ? {} : { folder }) });
  }
  if (maildir === undefined) throw new UserError("Say what to import: --mbox FILES or --maildir FOLDER.");
  return importSource({ maildir });
}
