import { Command, Option } from "commander";
import { ownerWriter } from "../app/members.ts";
import { revokeKey } from "../app/revoke-key.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import { KEY_PRESETS, presetNamed } from "../kernel/key-presets.ts";
import { nameFault } from "../kernel/names.ts";
import { isScope, SCOPES, type Scope } from "../kernel/scopes.ts";
import type { ApiKey } from "../platform/identity/keys.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { notifyServer } from "./running.ts";
import { printRows } from "./table.ts";
import { teamNamed } from "./team.ts";
import { personByEmail } from "./user.ts";

interface CreateOptions extends CommonOptions {
  user?: string;
  team?: string;
  name: string;
  scopes?: string;
  preset?: string;
  test?: boolean;
  expires?: string;
  account?: string;
  allowIp?: string[];
  toolsOnly?: boolean;
}

/** Names on the command line have hyphens. */
const optionOf = (name: string) => name.replaceAll("_", "-");
const PRESETS = KEY_PRESETS.map(({ name }) => optionOf(name));

/** Defines the commands that manage API keys. */
export function keyCommands(): Command {
  const group = new Command("key").description("Manage API keys.");
  group.addCommand(
    explained(
      command("create", "Create an API key and print it. The key is shown only once.")
        .option("--user <email>", "person who owns the key")
        .option("--team <team>", "create an organization key of this team instead")
        .requiredOption("--name <name>", "what the key is for")
        .addOption(new Option("--preset <preset>", "permissions by what the key is for").choices(PRESETS))
        .option("--scopes <list>", "instead of a preset: scopes separated by commas, or 'all'")
        .option("--test", "create a test key, which sees only the sandbox mailbox")
        .option("--expires <period>", "lifetime, such as 90d, 12h or 30m")
        .option("--account <id>", "account ID of the only mailbox that the key can access")
        .option("--allow-ip <networks...>", "addresses or networks (CIDR) that can use the key")
        .option("--tools-only", "accept the key only at the tool server for assistants, not at the API")
        .option("--json", "print JSON"),
      {
        notes: `A preset chooses the scopes:
${KEY_PRESETS.map(({ name, can, cannot }) => `\n  ${optionOf(name)}: ${can} ${cannot}`).join("")}

The key of the preset assistant works at the tool server only. Standard output contains only the key, so a
script can capture it. An organization key acts for one member of
its team at a time; each request names the member in the header X-On-Behalf-Of. The scopes are
${SCOPES.join(", ")}.`,
        examples: [
          "postroom key create --user you@example.org --name dashboard --preset read-only",
          "postroom key create --user you@example.org --name n8n --preset automation",
          "postroom key create --user you@example.org --name reader --scopes mail:read,search:read --expires 90d",
          "KEY=$(postroom key create --user you@example.org --name trial --scopes all --test)",
          "postroom key create --user you@example.org --name claude --preset assistant",
          "postroom key create --team Works --name crm --scopes mail:read,search:read",
        ],
      },
    ).action(create),
  );
  group.addCommand(
    explained(
      command("list", "List API keys.")
        .option("--user <email>", "only keys of this person")
        .option("--json", "print JSON"),
      {
        examples: ["postroom key list", "postroom key list --user you@example.org --json"],
      },
    ).action(list),
  );
  group.addCommand(
    explained(
      command("revoke", "Revoke an API key and end its open requests.").argument(
        "<id>",
        "key ID, from 'postroom key list'",
      ),
      {
        examples: ["postroom key revoke key_01jz4t9h2m8q5r7v3w6x0y1z2a"],
      },
    ).action(revoke),
  );
  return group;
}

async function create(options: CreateOptions): Promise<void> {
  const { scopes, tools_only } = grantOf(options);
  const fault = nameFault(options.name);
  if (fault) throw new UserError(`--name ${fault}. Give a name that says what the key is for.`);
  await withPlatform(options, (platform, mailbox) => {
    const { user_id, team_id } = holderOf(platform, options);
    if (options.account && team_id)
      throw new UserError("An organization key cannot be limited to one mailbox. Omit --account.");
    if (options.account && mailbox.accounts.get(options.account)?.user_id !== user_id) {
      throw new UserError(`This person has no account ${options.account}.`);
    }
    const lifetimeMs = options.expires === undefined ? null : parsePeriod(options.expires);
    const { key, secret } = platform.keys.create({
      user_id,
      name: options.name,
      scopes,
      test: options.test ?? false,
      expires_at: lifetimeMs === null ? null : platform.clock.now() + lifetimeMs,
      account_id: options.account ?? null,
      team_id,
      ip_allow: options.allowIp ?? [],
      tools_only,
    });
    console.log(options.json ? JSON.stringify({ id: key.id, key: secret }) : secret);
  });
}

/** Returns the scopes of the new key, and whether it works at the tool server only. @throws UserError */
function grantOf({ preset: name, scopes, toolsOnly = false }: CreateOptions): { scopes: Scope[]; tools_only: boolean } {
  if ((name === undefined) === (scopes === undefined))
    throw new UserError("Specify the permissions of the key with either --preset or --scopes.");
  if (name === undefined) return { scopes: parseScopes(scopes!), tools_only: toolsOnly };
  // The option has no other values.
  const preset = presetNamed(name)!;
  return { scopes: [...preset.scopes], tools_only: preset.tools_only || toolsOnly };
}

/** Returns the owner of the new key: a person, a person's sandbox, or a team. @throws UserError */
function holderOf(
  platform: Platform,
  { user, team, test }: CreateOptions,
): { user_id: string; team_id: string | null } {
  if ((user === undefined) === (team === undefined))
    throw new UserError("Specify the owner of the key with either --user or --team.");
  if (team !== undefined) {
    return { user_id: ownerWriter(platform).user_id, team_id: teamNamed(platform, team).id };
  }
  const person = personByEmail(platform, user!);
  return { user_id: test ? platform.users.sandboxOf(person.id).id : person.id, team_id: null };
}

async function list(options: CommonOptions & { user?: string }): Promise<void> {
  await withPlatform(options, (platform) => {
    const people = options.user ? [personByEmail(platform, options.user)] : platform.users.list();
    const rows = people.flatMap((person) => {
      const sandboxId = platform.users.sandboxOf(person.id).id;
      return platform.keys.list([person.id, sandboxId]).map((key) => rowOf(key, { user: person.email, team: null }));
    });
    if (!options.user) {
      for (const team of platform.teams.list()) {
        rows.push(...platform.keys.ofTeam(team.id).map((key) => rowOf(key, { user: null, team: team.name })));
      }
    }
    printRows(rows, options.json, "No API keys yet. Create one with 'postroom key create'.");
  });
}

function rowOf(key: ApiKey, whose: { user: string | null; team: string | null }) {
  return {
    id: key.id,
    ...whose,
    name: key.name,
    key: `${key.hint}…`,
    tools_only: key.tools_only,
    scopes: key.scopes.length === SCOPES.length ? "all" : key.scopes.join(","),
    created_at: isoTime(key.created_at),
    expires_at: key.expires_at && isoTime(key.expires_at),
    revoked_at: key.revoked_at && isoTime(key.revoked_at),
    last_used_at: key.last_used_at && isoTime(key.last_used_at),
  };
}

async function revoke(id: string, options: CommonOptions): Promise<void> {
  await withPlatform(options, async (platform) => {
    if (!revokeKey(platform, id))
      throw new UserError(`There is no active key ${id}. Run 'postroom key list' to see all keys.`);
    await notifyServer(platform, "keysChanged", null);
    console.log(`Revoked ${id}.`);
  });
}

function parseScopes(text: string): Scope[] {
  if (text === "all") return [...SCOPES];
  const scopes = text
    .split(",")
    .map((scope) => scope.trim())
    .filter((scope) => scope !== "");
  if (scopes.length === 0) throw new UserError("--scopes requires at least one scope, or 'all'.");
  return [
    ...new Set(
      scopes.map((scope) => {
        if (!isScope(scope)) throw new UserError(`${scope} is not a scope. The scopes are ${SCOPES.join(", ")}.`);
        return scope;
      }),
    ),
  ];
}

/** Parses "90d", "12h" or "30m" to ms. @throws UserError */
function parsePeriod(text: string): number {
  const match = /^(\d{1,6})([mhd])$/.exec(text);
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[2] ?? ""];
  if (!match || !unitMs || Number(match[1]) === 0)
    throw new UserError("--expires must be a period such as 90d, 12h or 30m.");
  return Number(match[1]) * unitMs;
}
