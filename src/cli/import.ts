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

/** Defines `postroom import`. */
export function importCommand(): Command {
  return explained(
    command("import", "Import mail from files into a separate mailbox.")
      .requiredOption("--user <email>", "person who gets the mail")
      .requiredOption("--name <name>", "name of the mailbox; repeat the name to add more mail to it")
      .addOption(new Option("--mbox <files...>", "mbox files, one folder each").conflicts("maildir"))
      .option("--maildir <folder>", "Maildir with its folders")
      .option("--folder <name>", "with --mbox: folder for the mail (default: named after the file)")
      .option("--json", "print JSON"),
    {
      notes: `An imported mailbox has no mail server. Its mail is threaded, searched and sorted like other mail, and is
never written to a server. An import emits no events and runs no rules. Flags are read from Status, X-Status
and X-Mozilla-Status, or from the Maildir. Labels are read from X-Keywords. A Gmail Takeout is sorted by its
X-Gmail-Labels. Messages that already exist are skipped, so you can run the same import again. Your files stay
unchanged, and Postroom keeps its own sealed copy of each message.`,
      examples: [
        "postroom import --user you@example.org --name old-mail --mbox Inbox.mbox Sent.mbox",
        "postroom import --user you@example.org --name takeout --mbox 'All mail Including Spam and Trash.mbox'",
        "postroom import --user you@example.org --name laptop --maildir ~/Maildir",
      ],
    },
  ).action(importMail);
}

const INTERRUPTED = "Interrupted. The messages imported so far are kept. Run the same import again to continue.";

async function importMail(options: ImportOptions): Promise<void> {
  const source = sourceOf(options);
  await withPlatform(options, async (platform, mailbox) => {
    const person = personByEmail(platform, options.user);
    const account = importedAccount(platform, mailbox, person.id, options.name);
    const line = progressLine("import");
    const counts = await interruptible(
      (signal) =>
        createImport(platform, mailbox, account).run(source, (done) => line.show(done, source.total_bytes), signal),
      INTERRUPTED,
    ).finally(() => line.end());
    if (options.json) return console.log(JSON.stringify({ id: account.id, email: account.email, ...counts }));
    const { taken, known, cut } = counts;
    const passed = known > 0 ? ` Skipped ${known} that already existed.` : "";
    console.log(
      `Imported ${taken} ${taken === 1 ? "message" : "messages"} into ${account.email} (${account.id}).${passed}`,
    );
    if (cut > 0) console.error(`${cut} exceeded 64 MiB and were truncated.`);
  });
}

function sourceOf({ mbox, maildir, folder }: ImportOptions) {
  for (const path of [...(mbox ?? []), ...(maildir === undefined ? [] : [maildir])]) {
    if (!existsSync(path)) throw new UserError(`${path} does not exist.`);
  }
  if (mbox) {
    const wrong = mbox.find((path) => statSync(path).isDirectory());
    if (wrong) throw new UserError(`${wrong} is a folder. Name the mbox files in it, or use --maildir.`);
    return importSource({ mbox, ...(folder === undefined ? {} : { folder }) });
  }
  if (maildir === undefined) throw new UserError("Specify what to import: --mbox FILES or --maildir FOLDER.");
  return importSource({ maildir });
}
