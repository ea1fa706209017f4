import { createInterface } from "node:readline/promises";
import { Command, Option } from "commander";
import { createDiscovery } from "../app/connect.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { type Account, reasonWithoutServer, SYNC_JOB } from "../mailbox/accounts/accounts.ts";
import { CompletenessStore, completenessSentence } from "../mailbox/accounts/completeness.ts";
import type { Connection, Provider, Security, ServerAddress } from "../mailbox/accounts/tables.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { systemClock } from "../platform/clock.ts";
import { hostPort } from "../platform/networks.ts";
import type { Platform } from "../platform/platform.ts";
import { isServed } from "../platform/process/lock.ts";
import type { Found } from "../wire/autoconfig/found.ts";
import type { LoginResult } from "../wire/login-test.ts";
import { testLogins } from "../wire/logins.ts";
import { formatProblem } from "../wire/problems.ts";
import { normalizeEmail, sameAddress } from "../wire/smtp/addresses.ts";
import { type CommonOptions, command, explained, furtherAuthorities, settingsOf, withPlatform } from "./context.ts";
import { readPassword } from "./password.ts";
import { notifyServer } from "./running.ts";
import { shellWord } from "./shell-word.ts";
import { printRows } from "./table.ts";
import { personByEmail } from "./user.ts";

const SECURITY = ["tls", "starttls", "none"];
const EXAMPLE_ID = "acc_01jz4t9h2m8q5r7v3w6x0y1z2a";

interface AddOptions extends CommonOptions {
  user: string;
  email: string;
  imap: string;
  smtp?: string;
  imapSecurity: Security;
  smtpSecurity: Security;
  username: string;
  passwordStdin?: true;
  readOnly?: boolean;
  exclude?: string[];
  onServerDelete: "follow" | "keep";
}

/** Defines the commands that manage mailboxes. */
export function accountCommands(): Command {
  const group = new Command("account").description("Manage mailboxes.");
  const security = (name: string) =>
    new Option(`--${name}-security <kind>`, `encryption of the ${name.toUpperCase()} connection`)
      .choices(SECURITY)
      .default("tls");
  group.addCommand(
    explained(
      command("add", "Connect a mailbox after testing its logins.")
        .requiredOption("--user <email>", "person who owns the mailbox")
        .requiredOption("--email <address>", "email address of the mailbox")
        .requiredOption("--imap <host:port>", "IMAP server")
        .option("--smtp <host:port>", "SMTP server for sending")
        .addOption(security("imap"))
        .addOption(security("smtp"))
        .requiredOption("--username <name>", "username for the servers")
        .option("--password-stdin", "read the password from standard input (default: prompt for it)")
        .option("--read-only", "never change anything on the mail server")
        .option("--exclude <folders...>", "folders not to sync")
        .addOption(
          new Option(
            "--on-server-delete <what>",
            "when mail is deleted on the server: delete the local copy (follow), or keep it",
          )
            .choices(["follow", "keep"])
            .default("follow"),
        )
        .option("--json", "print JSON"),
      {
        notes: `Without --smtp, you can read and sort mail but not send it. If a server's certificate is from your own
certificate authority, set mail.ca_file. Gmail, Outlook and iCloud require an app password. A running
server starts to fetch mail within seconds; 'postroom account list' shows the progress.`,
        examples: [
          "postroom account add --user you@example.org --email you@example.org --imap mail.example.org:993 --smtp mail.example.org:465 --username you",
          "postroom account add --user you@example.org --email you@example.org --imap mail.example.org:143 --imap-security starttls --username you --password-stdin --read-only < password.txt",
        ],
      },
    ).action(add),
  );
  group.addCommand(
    explained(
      command("discover", "Find the mail servers of an email address. Requires no password and connects nothing.")
        .argument("<address>", "email address of the mailbox")
        .option("--json", "print JSON"),
      {
        notes: `Postroom looks for settings that the provider publishes over HTTPS, then in DNS, and then tries servers
under common names. docs/mail.md describes the order and what each party learns. The output includes the
command that connects the mailbox. Exit code 1 when nothing is found.`,
        examples: ["postroom account discover you@example.org"],
      },
    ).action(find),
  );
  group.addCommand(
    explained(
      command("list", "List mailboxes and their sync progress.")
        .option("--user <email>", "only mailboxes of this person")
        .option("--json", "print JSON"),
      { examples: ["postroom account list", "postroom account list --user you@example.org --json"] },
    ).action(list),
  );
  const one = (name: string, description: string, example: string, notes?: string) =>
    explained(command(name, description).argument("<id>", "account ID, from 'postroom account list'"), {
      notes,
      examples: [`postroom account ${name} ${EXAMPLE_ID}${example}`],
    });
  group.addCommand(
    one(
      "remove",
      "Disconnect a mailbox and delete its local copy.",
      "",
      `Nothing changes on the mail server. A mailbox created by 'postroom import' has no server, so its mail is
deleted permanently: export it first with 'postroom export'. For such a mailbox, the command asks for
confirmation in a terminal and requires --yes elsewhere.`,
    )
      .option("--yes", "delete an imported mailbox, the only copy of its mail, without confirmation")
      .action(remove),
  );
  group.addCommand(one("sync", "Sync a mailbox now.", "").action(sync));
  group.addCommand(
    one(
      "check",
      "Compare every folder with the mail server and fetch missing mail.",
      " --json",
      `Requires a running server, which checks over its existing connection. It fetches missing messages at once
and compares the folders again. Exit code 1 when messages are missing or surplus.`,
    )
      .option("--json", "print JSON")
      .action(check),
  );
  group.addCommand(
    one("update", "Change the password of a mailbox after testing its logins.", " --password-stdin < password.txt")
      .option("--password-stdin", "read the password from standard input (default: prompt for it)")
      .action(update),
  );
  group.addCommand(
    one("pause", "Pause or resume sync. A paused mailbox does not read or change its mail server.", " --resume")
      .option("--resume", "resume sync")
      .action(pause),
  );
  group.addCommand(one("primary", "Set the mailbox that mail is sent from by default.", "").action(primary));
  group.addCommand(
    one(
      "alias",
      "Add an alias address to a mailbox, or remove one.",
      " sales@example.org",
      `You can send mail from an alias (\`from\` of a draft), and mail to an alias counts as mail to you.
Whether you can send from an alias depends on your provider.`,
    )
      .argument("<address>", "alias address")
      .option("--remove", "remove the alias")
      .action(alias),
  );
  return group;
}

async function add(options: AddOptions): Promise<void> {
  if (!/^[^\s@]+@[^\s@]+$/.test(options.email)) throw new UserError(`${options.email} is not an email address.`);
  const imap = parseServer("--imap", options.imap, options.imapSecurity);
  const smtp = options.smtp === undefined ? null : parseServer("--smtp", options.smtp, options.smtpSecurity);
  await withPlatform(options, async (platform, { accounts }) => {
    const user = personByEmail(platform, options.user);
    const password = await readPassword(options.passwordStdin ?? false);
    const connection: Connection = { imap, smtp, username: options.username, password };
    const provider = await tryLogin(platform, connection);
    const account = accounts.add({
      user_id: user.id,
      provider,
      email: options.email,
      connection,
      read_only: options.readOnly ?? false,
      exclude: options.exclude ?? [],
      on_server_delete: options.onServerDelete,
      actor: { kind: "user", id: user.id },
    });
    if (options.json) console.log(JSON.stringify({ id: account.id, email: account.email, provider }));
    else console.log(`Connected ${account.email} (${account.id}).`);
  });
}

async function find(address: string, options: CommonOptions): Promise<void> {
  const found = await createDiscovery({ config: await settingsOf(options), clock: systemClock })(address);
  if (!found) throw new UserError(`${address} is not an email address.`);
  if (!found.imap) process.exitCode = 1;
  if (options.json) return console.log(JSON.stringify(found));
  const { name, source, imap, smtp, username, methods, advice } = found;
  if (imap) {
    console.log(`${name ?? address} (${SOURCES[source]})`);
    console.log(`  IMAP  ${hostPort(imap)} ${imap.security}`);
    if (smtp) console.log(`  SMTP  ${hostPort(smtp)} ${smtp.security}`);
  }
  if (advice) console.log(advice);
  if (!imap || !methods.includes("password")) return;
  const sending = smtp ? ` --smtp ${hostPort(smtp)} --smtp-security ${smtp.security}` : "";
  const reading = `--imap ${hostPort(imap)} --imap-security ${imap.security}`;
  // The provider chooses the user name, and people paste this line into a shell.
  const [email, user] = [shellWord(address), shellWord(username)];
  console.log(`postroom account add --user YOU --email ${email} ${reading}${sending} --username ${user}`);
}

const SOURCES: Record<Found["source"], string> = {
  autoconfig: "settings published by the provider",
  srv: "DNS records of the domain",
  provider: "built into Postroom",
  ispdb: "Thunderbird's directory",
  guess: "found by trying common names",
  none: "nothing found",
};

/** Logs in once to each server. @returns the recognized provider @throws UserError with the reasons */
async function tryLogin(platform: Platform, connection: Connection): Promise<Provider> {
  const { imap, smtp, username, password } = connection;
  const tested = await testLogins({ imap, smtp, username, password }, furtherAuthorities(platform.config));
  const faults = [...faultOf("IMAP", imap, tested.imap), ...(smtp ? faultOf("SMTP", smtp, tested.smtp) : [])];
  if (faults.length > 0) throw new UserError(faults.join(" "));
  return tested.provider;
}

function faultOf(kind: string, server: ServerAddress, result: LoginResult | null): string[] {
  return result?.problem ? [`${hostPort(server)} (${kind}): ${formatProblem(result.problem)}`] : [];
}

async function list(options: CommonOptions & { user?: string }): Promise<void> {
  await withPlatform(options, (platform, { accounts }) => {
    const people = options.user ? [personByEmail(platform, options.user)] : platform.users.list();
    const rows = people.flatMap((person) =>
      accounts.list(person.id).map((account) => ({
        id: account.id,
        user: person.email,
        email: account.email,
        provider: account.provider,
        status: account.status,
        phase: account.sync.phase,
        progress: `${account.sync.done}/${account.sync.total}`,
        primary: account.is_primary,
        aliases: account.aliases.join(" "),
        read_only: account.read_only,
        last_sync_at: account.last_sync_at && isoTime(account.last_sync_at),
        last_error: account.last_error,
      })),
    );
    printRows(rows, options.json, "No mailboxes yet. Connect one with 'postroom account add'.");
  });
}

/** Runs `work` on one account. @throws UserError when there is no account with this ID */
function onAccount(
  id: string,
  options: CommonOptions,
  work: (account: Account, mailbox: Mailbox, platform: Platform) => void | Promise<void>,
): Promise<void> {
  return withPlatform(options, (platform, mailbox) => {
    const account = mailbox.accounts.get(id);
    if (!account) throw new UserError(`There is no account ${id}. Run 'postroom account list' to see all accounts.`);
    return work(account, mailbox, platform);
  });
}

/** Requires a mailbox with a mail server. @throws UserError for the sandbox and for an imported mailbox */
function requireServer(account: Account): void {
  const why = reasonWithoutServer(account);
  if (why !== null) throw new UserError(`${account.email}: ${why}`);
}

function remove(id: string, options: CommonOptions & { yes?: true }): Promise<void> {
  return onAccount(id, options, async (account, { accounts }) => {
    if (account.provider === "imported" && !options.yes) await confirmOnlyCopy(account);
    accounts.remove(account);
    console.log(REMOVED[account.provider]?.(account.email) ?? `Disconnected ${account.email}. ${SERVER_UNCHANGED}`);
  });
}

const SERVER_UNCHANGED = "Nothing was changed on its server.";
const REMOVED: Partial<Record<Provider, (email: string) => string>> = {
  imported: (email) => `Deleted ${email}, which was imported from files.`,
  sandbox: (email) => `Deleted ${email}, the sample mailbox. The next start of the server creates it again.`,
};

/** Requires the mailbox's address before its only copy is deleted. @throws UserError if it is not confirmed */
async function confirmOnlyCopy({ id, email }: Account): Promise<void> {
  const warning = `${email} was imported from files, and this is the only copy of its mail. Export it first: postroom export ${id} mail.mbox`;
  if (!process.stdin.isTTY) throw new UserError(`${warning}. To delete it anyway, add --yes.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const typed = await terminal.question(`${warning}\nType ${email} to delete it: `).finally(() => terminal.close());
  if (typed.trim().toLowerCase() !== email.toLowerCase())
    throw new UserError("The address does not match. Nothing was deleted.");
}

function sync(id: string, options: CommonOptions): Promise<void> {
  return onAccount(id, options, async (account, _mailbox, platform) => {
    requireServer(account);
    if (await notifyServer(platform, "sync", { account_id: account.id })) {
      console.log(`Syncing ${account.email} now.`);
      return;
    }
    platform.jobs.enqueue({ kind: SYNC_JOB, dedupe_key: account.id, payload: { account_id: account.id } });
    console.log(`No server is running. ${account.email} is synced first when one starts.`);
  });
}

const CHECK_WAIT_MS = 10 * 60_000;
const CHECK_POLL_MS = 250;

function check(id: string, options: CommonOptions): Promise<void> {
  return onAccount(id, options, async (account, { folders }, platform) => {
    requireServer(account);
    if (!isServed(platform.config.data_dir))
      throw new UserError("This command requires a running server: start 'postroom serve' first.");
    const store = new CompletenessStore(platform, folders);
    const began = platform.clock.now();
    store.request(account);
    while (store.triedAt(id) < began) {
      if (platform.clock.now() > began + CHECK_WAIT_MS)
        throw new UserError("The server did not finish the check within ten minutes. Try again later.");
      await Bun.sleep(CHECK_POLL_MS);
    }
    const { complete, error, folders: checks } = store.of(account);
    if (error !== null) throw new UserError(error);
    const rows = checks.map(({ path, server, here, missing, extra, refused }) => ({
      folder: path,
      server,
      here,
      missing,
      extra,
      refused,
    }));
    printRows(rows, options.json, "There are no folders to compare.");
    if (!options.json) console.log(completenessSentence(store.of(account), platform.clock.now()));
    if (!complete) process.exitCode = 1;
  });
}

function update(id: string, options: CommonOptions & { passwordStdin?: true }): Promise<void> {
  return onAccount(id, options, async (account, { accounts }, platform) => {
    requireServer(account);
    const connection = accounts.connection(account);
    if (!connection) throw new UserError(`${account.email} has no stored mail server settings.`);
    if (connection.oauth) {
      throw new UserError(
        `${account.email} signs in at its provider and has no password here. Reconnect it on the settings page.`,
      );
    }
    const password = await readPassword(options.passwordStdin ?? false);
    await tryLogin(platform, { ...connection, password });
    accounts.setConnection(account, { ...connection, password });
    console.log(`Updated ${account.email}.`);
  });
}

function pause(id: string, options: CommonOptions & { resume?: boolean }): Promise<void> {
  return onAccount(id, options, (account, { accounts }) => {
    if (account.provider === "imported" && !options.resume) requireServer(account);
    accounts.setPaused(account, !options.resume);
    console.log(`${options.resume ? "Resumed" : "Paused"} ${account.email}.`);
  });
}

function primary(id: string, options: CommonOptions): Promise<void> {
  return onAccount(id, options, (account, { accounts }) => {
    if (account.provider === "imported") requireServer(account);
    accounts.setPrimary(account);
    console.log(`${account.email} is now the primary mailbox.`);
  });
}

function alias(id: string, address: string, options: CommonOptions & { remove?: boolean }): Promise<void> {
  const wanted = normalizeEmail(address);
  if (wanted === null) throw new UserError(`${address} is not an email address.`);
  return onAccount(id, options, (account, { accounts }) => {
    const { email, exclude, aliases } = account;
    const others = aliases.filter((known) => !sameAddress(known, wanted));
    if (options.remove && others.length === aliases.length)
      throw new UserError(`${wanted} is not an alias of ${email}.`);
    if (!options.remove && sameAddress(email, wanted))
      throw new UserError(`${wanted} is already the mailbox's own address.`);
    accounts.setProfile(account, { email, exclude, aliases: options.remove ? others : [...others, wanted] });
    console.log(`${email}: ${options.remove ? "removed" : "added"} ${wanted}.`);
  });
}

/** Parses "mail.example.org:993" or "[::1]:993". @throws UserError */
function parseServer(option: string, text: string, security: Security): ServerAddress {
  const match = /^(?:\[([0-9a-f:]+)\]|([^:\s/]+)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  if (!match || port < 1 || port > 65_535)
    throw new UserError(`${option} must be HOST:PORT, for example mail.example.org:993.`);
  return { host: (match[1] ?? match[2])!, port, security };
}
