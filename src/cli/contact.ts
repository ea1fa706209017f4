import { readFileSync } from "node:fs";
import { Command } from "commander";
import { createPeople } from "../app/people.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { personByEmail } from "./user.ts";

/** Defines the commands that manage contacts. */
export function contactCommands(): Command {
  const group = new Command("contact").description("Manage contacts.");
  group.addCommand(
    explained(
      command("import", "Import contacts from a vCard file.")
        .argument("<file>", "vCard file (.vcf), or - for standard input")
        .requiredOption("--user <email>", "person who gets the contacts")
        .option("--json", "print JSON"),
      {
        notes: `Phones and address books export .vcf files with one contact or all of them. Names from the file take
precedence over names from mail. Several addresses on one card become one contact. Importing the same
file again changes nothing.`,
        examples: ["postroom contact import contacts.vcf --user you@example.org"],
      },
    ).action(importFile),
  );
  return group;
}

async function importFile(file: string, options: CommonOptions & { user: string }): Promise<void> {
  const text = file === "-" ? await Bun.stdin.text() : readFileSync(file, "utf8");
  await withPlatform(options, (platform, mailbox) => {
    const { id } = personByEmail(platform, options.user);
    const { contacts } = createPeople(platform, mailbox);
    const writer = { user_id: id, account_id: null, actor: { kind: "user" as const, id }, request_id: null };
    const { imported, skipped } = contacts.importVcards(writer, text);
    if (options.json) console.log(JSON.stringify({ imported, skipped }));
    else {
      const cards = imported === 1 ? "1 card" : `${imported} cards`;
      console.log(`Imported ${cards}${skipped === 0 ? "" : `, skipped ${skipped} without an address`}.`);
    }
  });
}
