import { Command } from "commander";
import { createTeams, ownerWriter } from "../app/members.ts";
import { UserError } from "../kernel/errors.ts";
import type { Team } from "../platform/identity/teams.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { notifyServer } from "./running.ts";
import { printRows, type Row } from "./table.ts";
import { personByEmail } from "./user.ts";

/** Defines the commands that manage teams. */
export function teamCommands(): Command {
  const group = new Command("team").description("Manage teams, whose members share the limits of the team plan.");
  const withTeam = (name: string, description: string) =>
    command(name, description).argument("<team>", "name or id of the team");
  const withPerson = (name: string, description: string) =>
    withTeam(name, description).argument("<email>", "email address of the person");
  group.addCommand(
    explained(
      command("create", "Create a team.").argument("<name>", "name of the team").option("--json", "print JSON"),
      {
        notes: `Members share one pool of daily requests, daily sends and monthly AI credits: the limits of the team plan,
multiplied by the number of seats. The team's organization keys ('postroom key create --team') act for one
member at a time; each request names the member in the header X-On-Behalf-Of.`,
        examples: ["postroom team create Works"],
      },
    ).action(create),
  );
  group.addCommand(
    explained(withPerson("add", "Invite a person to a team."), {
      notes: "The person joins by accepting the invitation, on the settings page or with 'postroom team accept'.",
      examples: ["postroom team add Works bo@example.org"],
    }).action(add),
  );
  group.addCommand(
    explained(withPerson("accept", "Accept an invitation for a person who has agreed but has no browser available."), {
      notes: `From then on, the team's organization keys can access the person's mail. The person's audit log records that
the invitation was accepted here.`,
      examples: ["postroom team accept Works bo@example.org"],
    }).action(accept),
  );
  group.addCommand(
    explained(command("list", "List teams and their members.").option("--json", "print JSON"), {
      examples: ["postroom team list", "postroom team list --json"],
    }).action(list),
  );
  group.addCommand(
    explained(withPerson("leave", "Remove a person from a team, or withdraw an invitation."), {
      notes: "The team's keys lose access to the person's mail at once, and their open requests end.",
      examples: ["postroom team leave Works bo@example.org"],
    }).action(leave),
  );
  group.addCommand(
    explained(withTeam("remove", "Remove a team and its organization keys."), {
      notes: "The members stay and return to their individual plans.",
      examples: ["postroom team remove Works"],
    }).action(remove),
  );
  return group;
}

/** Returns the team with this name or id. @throws UserError if there is none */
export function teamNamed(platform: Platform, name: string): Team {
  const team = platform.teams.get(name) ?? platform.teams.findByName(name);
  if (!team) throw new UserError(`There is no team ${name}. Run 'postroom team list' to see all teams.`);
  return team;
}

function create(name: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = createTeams(platform).create(ownerWriter(platform), name);
    if (options.json) console.log(JSON.stringify({ id: team.id, name: team.name }));
    else console.log(`Created the team ${team.name} (${team.id}).`);
  });
}

function add(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = teamNamed(platform, name);
    createTeams(platform).invite(ownerWriter(platform), team.id, email);
    console.log(`Invited ${email} to ${team.name}. They can accept on the settings page.`);
  });
}

function accept(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = teamNamed(platform, name);
    const { id } = personByEmail(platform, email);
    const asked = platform.teams.invitationsOf(id).some((other) => other.id === team.id);
    if (!asked) throw new UserError(`${email} has no invitation to ${team.name}. Send one with 'postroom team add'.`);
    createTeams(platform).accept({ ...ownerWriter(platform), user_id: id }, team.id);
    console.log(`${email} is now in ${team.name}.`);
  });
}

function leave(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform) => {
    const team = teamNamed(platform, name);
    const { id } = personByEmail(platform, email);
    const isMember = platform.teams.members(team.id).some(({ user_id }) => user_id === id);
    if (!isMember) throw new UserError(`${email} is not in ${team.name}.`);
    createTeams(platform).expel(ownerWriter(platform), team.id, id);
    await notifyServer(platform, "keysChanged", null);
    console.log(`${email} is no longer in ${team.name}.`);
  });
}

function remove(name: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform) => {
    const team = teamNamed(platform, name);
    createTeams(platform).remove(ownerWriter(platform), team.id);
    await notifyServer(platform, "keysChanged", null);
    console.log(`Removed the team ${team.name}.`);
  });
}

function list(options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const rows = createTeams(platform)
      .list()
      .flatMap(({ id, name, seats, requests, sends, members }): Row[] => {
        const team = { id, team: name, seats, requests: shown(requests), sends: shown(sends) };
        if (members.length === 0) return [{ ...team, member: null, state: null, since: null }];
        return members.map(({ email, state, since }) => ({ ...team, member: email, state, since }));
      });
    printRows(rows, options.json, "No teams yet. Create one with 'postroom team create'.");
  });
}

const shown = ({ used, limit }: { used: number; limit: number }): string => `${used}/${limit}`;
