import { closeSync, existsSync, openSync, rmSync, writeSync } from "node:fs";
import type { Command } from "commander";
import { createMemberService, exportPerson, ownerWriter } from "../app/members.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { isPlan, PLANS } from "../kernel/plans.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { tellServer } from "./running.ts";
import { personByEmail } from "./user.ts";

/** Adds to the group `user` what the owner does with people who are here. */
export function withMembers(group: Command): Command {
  const one = (name: string, description: string) =>
    command(name, description).argument("<email>", "e-mail address of the person");
  const commands = [
    explained(
      one("plan", "Put a person on another plan.").argument("<plan>", PLANS.filter((p) => p !== "team").join(", ")),
      {
        notes: "While the person is in a team, the team's plan counts.",
        examples: ["postroom user plan bo@example.org pro"],
      },
    ).action(setPlan),
    explained(
      one("invite", "Print a link with which a person sets their first password, or a new one.").option(
        "--json",
        "print JSON",
      ),
      {
        notes:
          "It works once and for seven days, and makes an earlier one void. Set http.public_url, so that it begins with the right address.",
        examples: ["postroom user invite bo@example.org"],
      },
    ).action(invite),
    explained(
      one("export", "Write everything of a person into a zip archive.").argument(
        "<file>",
        "where to; it must not exist",
      ),
      {
        notes:
          "JSON files, mail sources and files that this machine keeps; no secrets. Only its owner may read the file.",
        examples: ["postroom user export bo@example.org bo.zip"],
      },
    ).action(exportTo),
    explained(one("remove", "Erase a person with all mail, keys and settings from this machine."), {
      notes: `There is no way back: rows are deleted and overwritten, files removed, and the keys that their data was sealed with destroyed.
Nothing changes on their mail servers. Backups made before still hold them. The owner stays.`,
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
    console.log(`${email} is on the ${plan} plan.`);
  });
}

function invite(email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform, mailbox) => {
    const { config } = platform;
    const { id } = personByEmail(platform, email);
    const { token, expires_at } = createMemberService(platform, mailbox).members.invite(ownerWriter(platform), id);
    const own = `http://127.0.0.1:${config.get("http.port")}${config.get("http.base_path")}`;
    const base = config.get("http.public_url").replace(/\/$/, "") || own;
    const url = `${base}/app/#invitation=${token}`;
    console.log(options.json ? JSON.stringify({ url, expires_at: isoTime(expires_at) }) : url);
  });
}

function exportTo(email: string, file: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform, mailbox) => {
    const { id } = personByEmail(platform, email);
    if (existsSync(file)) throw new UserError(`${file} is there already.`);
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
    // A server that runs has to let go of their mailboxes first.
    if (!(await tellServer(platform, "erase", { user_id: id }))) await erasure.run(id);
    console.log(`Removed ${email} and everything that belonged to them.`);
  });
}
