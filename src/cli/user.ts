import type { Command } from "commander";
import { Command as Group } from "commander";
import { seed } from "../app/sandbox.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { isPlan, PLANS } from "../kernel/plans.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { isTimeZone } from "../platform/config/table.ts";
import { requireGoodPassword } from "../platform/identity/passwords.ts";
import type { User } from "../platform/identity/users.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { readPassword } from "./password.ts";
import { printRows } from "./table.ts";

interface AddOptions extends CommonOptions {
  plan?: string;
  timezone?: string;
}

/** Defines the commands that manage people. */
export function userCommands(): Command {
  const group = new Group("user").description("Manage the people who use this installation.");
  group.addCommand(
    explained(
      command("add", "Add a person and their sandbox mailbox.")
        .argument("<email>", "email address of the person")
        .option("--plan <plan>", `one of ${PLANS.join(", ")} (default: owner.plan in the configuration)`)
        .option("--timezone <zone>", "IANA time zone (default: owner.timezone in the configuration)")
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
      command("passwd", "Set a person's password for the settings page and end all their sessions.")
        .argument("<email>", "email address of the person")
        .option("--password-stdin", "read the password from standard input (default: prompt for it)")
        .option("--remove-totp", "turn off the authenticator app, for someone who has lost it"),
      {
        notes: `Use this command when a person has forgotten their password. Anyone who can run it on this machine can set
any person's password.`,
        examples: [
          "postroom user passwd ada@example.org",
          "postroom user passwd ada@example.org --remove-totp --password-stdin < ./password.txt",
        ],
      },
    ).action(passwd),
  );
  return group;
}

/** Returns the person with this address. @throws UserError when there is none */
export function personByEmail(platform: Platform, email: string): User {
  const user = platform.users.findByEmail(email);
  if (!user) throw new UserError(`There is no user ${email}. Run 'postroom user list' to see all users.`);
  return user;
}

async function add(email: string, options: AddOptions): Promise<void> {
  const work = async (platform: Platform, mailbox: Mailbox) => {
    const plan = options.plan ?? platform.config.get("owner.plan");
    if (!isPlan(plan)) throw new UserError(`--plan must be one of ${PLANS.join(", ")}.`);
    const timezone = options.timezone ?? platform.config.get("owner.timezone");
    if (!isTimeZone(timezone)) throw new UserError(`${timezone} is not an IANA time zone such as Europe/Lisbon.`);
    const role = !platform.users.exist() ? "owner" : "member";
    const user = platform.users.add({ email, plan, role, timezone });
    await seed(platform, mailbox, platform.users.sandboxOf(user.id).id);
    if (options.json) console.log(JSON.stringify({ id: user.id, email, plan }));
    else console.log(`Added ${email} (${user.id}) on the ${plan} plan.`);
  };
  await withPlatform(options, work, "make");
}

interface PasswdOptions extends CommonOptions {
  passwordStdin?: boolean;
  removeTotp?: boolean;
}

async function passwd(email: string, options: PasswdOptions): Promise<void> {
  await withPlatform(options, async (platform) => {
    const { db, signIn, sessions, invitations, audit } = platform;
    const user = personByEmail(platform, email);
    const password = await readPassword(options.passwordStdin ?? false);
    requireGoodPassword(password, user.email);
    const hash = await signIn.passwords.hash(password);
    const ended = db.write(() => {
      signIn.passwords.store(user.id, hash);
      if (options.removeTotp) signIn.totp.remove(user.id);
      if (user.role === "owner") signIn.claim.claim();
      invitations.withdraw(user.id);
      const after = { by: "command line", totp_removed: options.removeTotp ?? false };
      audit.record({ user_id: user.id, actor: SYSTEM_ACTOR, action: "password.change", target: user.id, after });
      return sessions.revokeOthers(user.id, null);
    });
    console.log(`Set the password of ${user.email}. Sessions ended: ${ended}.`);
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
    printRows(rows, options.json, "No users yet. Create the owner with 'postroom serve' or 'postroom user add'.");
  });
}
