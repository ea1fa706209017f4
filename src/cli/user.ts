import type { Command } from "commander";
import { Command as Group } from "commander";
import { seed } from "../app.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { isPlan, PLANS } from "../kernel/plans.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { PartCache } from "../platform/blobs/cache.ts";
import { isTimeZone } from "../platform/config/table.ts";
import type { User } from "../platform/identity/users.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { printRows } from "./table.ts";

interface AddOptions extends CommonOptions {
  plan?: string;
  timezone?: string;
}

export function userCommands(): Command {
  const group = new Group("user").description("People who use this installation.");
  group.addCommand(
    explained(
      command("add", "Add a person, with a sandbox mailbox to try things in.")
        .argument("<email>", "e-mail address")
        .option("--plan <plan>", `one of ${PLANS.join(", ")} (default: owner.plan of the configuration)`)
        .option("--timezone <zone>", "IANA time zone (default: owner.timezone of the configuration)")
        .option("--json", "print JSON"),
      {
        notes: "The first person of an installation becomes its owner.",
        examples: [
          "postroom user add ada@example.org",
          "postroom user add bo@example.org --plan pro --timezone Europe/Lisbon",
        ],
      },
    ).action(add),
  );
  group.addCommand(
    explained(command("list", "List people.").option("--json", "print JSON"), {
      examples: ["postroom user list", "postroom user list --json"],
    }).action(list),
  );
  group.addCommand(
    explained(
      command("remove", "Remove a person with all mail, keys and settings from this machine.").argument(
        "<email>",
        "e-mail address",
      ),
      {
        notes: `There is no way back: the keys that their data was sealed with are destroyed. Nothing changes on their mail
servers. The owner stays.`,
        examples: ["postroom user remove bo@example.org"],
      },
    ).action(remove),
  );
  return group;
}

/** The person with this address. @throws UserError */
export function personByEmail(platform: Platform, email: string): User {
  const user = platform.users.findByEmail(email);
  if (!user) throw new UserError(`There is no user ${email}. 'postroom user list' shows who there is.`);
  return user;
}

async function add(email: string, options: AddOptions): Promise<void> {
  const work = async (platform: Platform, mailbox: Mailbox) => {
    const plan = options.plan ?? platform.config.get("owner.plan");
    if (!isPlan(plan)) throw new UserError(`--plan must be one of ${PLANS.join(", ")}.`);
    const timezone = options.timezone ?? platform.config.get("owner.timezone");
    if (!isTimeZone(timezone)) throw new UserError(`${timezone} is not an IANA time zone such as Europe/Lisbon.`);
    const role = platform.users.list().length === 0 ? "owner" : "member";
    const user = platform.users.add({ email, plan, role, timezone });
    await seed(platform, mailbox, platform.users.sandboxOf(user.id).id);
    if (options.json) console.log(JSON.stringify({ id: user.id, email, plan }));
    else console.log(`Added ${email} (${user.id}) on the ${plan} plan.`);
  };
  await withPlatform(options, work, "make");
}

async function list(options: CommonOptions): Promise<void> {
  await withPlatform(options, (platform) => {
    const rows = platform.users.list().map((user) => ({
      id: user.id,
      email: user.email,
      role: user.role,
      plan: user.plan,
      timezone: user.timezone,
      created_at: isoTime(user.created_at),
    }));
    printRows(rows, options.json, "There is nobody yet. 'postroom serve' or 'postroom user add' makes the owner.");
  });
}

async function remove(email: string, options: CommonOptions): Promise<void> {
  await withPlatform(options, (platform) => {
    const user = personByEmail(platform, email);
    const ids = [platform.users.sandboxOf(user.id).id, user.id];
    platform.users.remove(user.id);
    const parts = new PartCache(platform);
    for (const id of ids) parts.removeUser(id);
    console.log(`Removed ${email} and everything that belonged to them.`);
  });
}
