import type { Command } from "commander";
import { Command as Group } from "commander";
import { seed } from "../app.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { isPlan, PLANS } from "../kernel/plans.ts";
import type { User } from "../platform/identity/users.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, printRows, withPlatform } from "./context.ts";

interface AddOptions extends CommonOptions {
  plan?: string;
  timezone?: string;
}

export function userCommands(): Command {
  const group = new Group("user").description("People who use this installation.");
  group.addCommand(
    command("add", "Add a person.")
      .argument("<email>", "e-mail address")
      .option("--plan <plan>", `one of ${PLANS.join(", ")} (default: owner.plan of the configuration)`)
      .option("--timezone <zone>", "IANA time zone (default: owner.timezone of the configuration)")
      .option("--json", "print JSON")
      .action(add),
  );
  group.addCommand(command("list", "List people.").option("--json", "print JSON").action(list));
  group.addCommand(
    command("remove", "Remove a person with all mail, keys and settings from this machine.")
      .argument("<email>", "e-mail address")
      .action(remove),
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
  await withPlatform(options, async (platform, mailbox) => {
    const plan = options.plan ?? platform.config.get("owner.plan");
    if (!isPlan(plan)) throw new UserError(`--plan must be one of ${PLANS.join(", ")}.`);
    const timezone = options.timezone ?? platform.config.get("owner.timezone");
    if (!Intl.supportedValuesOf("timeZone").includes(timezone) && timezone !== "UTC") {
      throw new UserError(`${timezone} is not an IANA time zone such as Europe/Lisbon.`);
    }
    const role = platform.users.list().length === 0 ? "owner" : "member";
    const user = platform.users.add({ email, plan, role, timezone });
    await seed(platform, mailbox, platform.users.sandboxOf(user.id).id);
    if (options.json) console.log(JSON.stringify({ id: user.id, email, plan }));
    else console.log(`Added ${email} (${user.id}) on the ${plan} plan.`);
  });
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
    printRows(rows, options.json);
  });
}

async function remove(email: string, options: CommonOptions): Promise<void> {
  await withPlatform(options, (platform) => {
    const user = personByEmail(platform, email);
    platform.users.remove(user.id);
    console.log(`Removed ${email} and everything that belonged to them.`);
  });
}
