import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import type { Command } from "commander";
import { createMemberService, exportPerson, ownerWriter } from "../app/members.ts";
import { browserUrl } from "../app/own-address.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { isPlan, PLANS } from "../kernel/plans.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { notifyServer } from "./running.ts";
import { personByEmail } from "./user.ts";

/** Adds the commands that the owner uses to manage existing people to the group `user`. */
export function withMembers(group: Command): Command {
  const one = (name: string, description: string) =>
    command(name, description).argument("<email>", "email address of the person");
  const commands = [
    explained(
      one("plan", "Change the plan of a person.").argument(
        "<plan>",
        `one of ${PLANS.filter((p) => p !== "team").join(", ")}`,
      ),
      {
        notes: "While the person is in a team, the team plan applies instead.",
        examples: ["postroom user plan bo@example.org pro"],
      },
    ).action(setPlan),
    explained(
      one("invite", "Print a link that lets a person set their first password, or a new one.").option(
        "--json",
        "print JSON",
      ),
      {
        notes: `The link works once and expires after seven days. It invalidates any earlier link. Set http.public_url, so
that the link starts with the right address.`,
        examples: ["postroom user invite bo@example.org"],
      },
    ).action(invite),
    explained(
      one("export", "Export all data of a person to a zip archive.").argument(
        "<file>",
        "archive to create; it must not exist yet",
      ),
      {
        notes: `The archive contains JSON files, message sources and other files that this machine stores, and no secrets.
Only the user who runs this command can read the archive.`,
        examples: ["postroom user export bo@example.org bo.zip"],
      },
    ).action(exportTo),
    explained(one("remove", "Erase a person and all their mail, keys and settings from this machine."), {
      notes: `You cannot undo this: rows are deleted and overwritten, files are removed, and the keys that sealed the person's
data are destroyed. Nothing changes on the person's mail servers. Earlier backups still contain the data. The
owner cannot be removed.`,
      examples: ["postroom user remove bo@example.org"],
    }).action(remove),
  ];
  for (const each of commands) group.addCommand(each);
  return group;
}

function setPlan(email: string, plan: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform, mailbox) => {
    if (!isPlan(plan) || plan === "team") throw new UserError("The plan must be one of free, pro, autopilot.");
    const { id } = personByEmail(platform, email);
    createMemberService(platform, mailbox).members.setPlan(ownerWriter(platform), id, plan);
    console.log(`${email} is now on the ${plan} plan.`);
  });
}

function invite(email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform, mailbox) => {
    const { config } = platform;
    const { id } = personByEmail(platform, email);
    const { token, expires_at } = createMemberService(platform, mailbox).members.invite(ownerWriter(platform), id);
    const url = `${await browserUrl(config, config.get("http.port"))}/app/#invitation=${token}`;
    console.log(options.json ? JSON.stringify({ url, expires_at: isoTime(expires_at) }) : url);
  });
}

function exportTo(email: string, file: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform, mailbox) => {
    const { id } = personByEmail(platform, email);
    if (existsSync(file)) throw new UserError(`${file} already exists. Choose another name.`);
    const person = createMemberService(platform, mailbox).members.noteExport(ownerWriter(platform), id);
    const out = openSync(file, "wx", 0o600);
    let bytes = 0;
    try {
      for await (const piece of exportPerson(platform, mailbox, person)) {
        for (let at = 0; at < piece.length; ) at += writeSync(out, piece, at);
        bytes += piece.length;
      }
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    } finally {
      closeSync(out);
    }
    console.log(`Wrote ${file}, ${Math.ceil(bytes / 1_000)} kB.`);
  });
}

function remove(email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform, mailbox) => {
    const { id } = personByEmail(platform, email);
    const { members, erasure } = createMemberService(platform, mailbox);
    members.remove(ownerWriter(platform), id, email);
    // A running server must close the person's mailboxes first.
    if (!(await notifyServer(platform, "erase", { user_id: id }))) await erasure.run(id);
    console.log(`Removed ${email} and all their data.`);
  });
}
