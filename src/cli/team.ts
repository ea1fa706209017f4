import { Command } from "commander";
import { createTeams, ownerWriter } from "../app/members.ts";
import { UserError } from "../kernel/errors.ts";
import type { Team } from "../platform/identity/teams.ts";
import type { Platform } from "../platform/platform.ts";
import { type CommonOptions, command, explained, withPlatform } from "./context.ts";
import { tellServer } from "./running.ts";
import { printRows, type Row } from "./table.ts";
import { personByEmail } from "./user.ts";

export function teamCommands(): Command {
  const group = new Command("team").description("People who share the amounts of the team plan.");
  const withTeam = (name: string, description: string) =>
    command(name, description).argument("<team>", "name or id of the team");
  const withPerson = (name: string, description: string) =>
    withTeam(name, description).argument("<email>", "e-mail address of the person");
  group.addCommand(
    explained(command("create", "Make a team.").argument("<name>", "its name").option("--json", "print JSON"), {
      notes: `A team has seats times the plan's requests and sends a day, and AI credits a month, all in one. Its organisation keys
('postroom key create --team') act for one member at a time, whom each request names in the header X-On-Behalf-Of.`,
      examples: ["postroom team create Works"],
    }).action(create),
  );
  group.addCommand(
    explained(withPerson("add", "Ask a person to join."), {
      notes: "Nobody is in a team before they accept: on the settings page, or with 'postroom team accept'.",
      examples: ["postroom team add Works bo@example.org"],
    }).action(add),
  );
  group.addCommand(
    explained(withPerson("accept", "Accept for a person who agrees, and has no browser at hand."), {
      notes:
        "From then on the team's organisation keys reach that person's mail. Their audit log says that it was done here.",
      examples: ["postroom team accept Works bo@example.org"],
    }).action(accept),
  );
  group.addCommand(
    explained(command("list", "List teams with their members.").option("--json", "print JSON"), {
      examples: ["postroom team list", "postroom team list --json"],
    }).action(list),
  );
  group.addCommand(
    explained(withPerson("leave", "Take a person out of a team, or an invitation back."), {
      notes: "The team's keys do not reach them from that moment on; what the keys have open ends at once.",
      examples: ["postroom team leave Works bo@example.org"],
    }).action(leave),
  );
  group.addCommand(
    explained(withTeam("remove", "Remove a team with its organisation keys."), {
      notes: "Its members stay, on their own plans.",
      examples: ["postroom team remove Works"],
    }).action(remove),
  );
  return group;
}

/** The team of this name or id. @throws UserError */
export function teamNamed(platform: Platform, name: string): Team {
  const team = platform.teams.get(name) ?? platform.teams.findByName(name);
  if (!team) throw new UserError(`There is no team ${name}. 'postroom team list' shows which there are.`);
  return team;
}

function create(name: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = createTeams(platform).create(ownerWriter(platform), name);
    if (options.json) console.log(JSON.stringify({ id: team.id, name: team.name }));
    else console.log(`Made the team ${team.name} (${team.id}).`);
  });
}

function add(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = teamNamed(platform, name);
    createTeams(platform).invite(ownerWriter(platform), team.id, email);
    console.log(`Asked ${email} to join ${team.name}. They accept on the settings page.`);
  });
}

function accept(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, (platform) => {
    const team = teamNamed(platform, name);
    const { id } = personByEmail(platform, email);
    const asked = platform.teams.invitationsOf(id).some((other) => other.id === team.id);
    if (!asked) throw new UserError(`${email} was not asked to join ${team.name}. 'postroom team add' asks.`);
    createTeams(platform).accept({ ...ownerWriter(platform), user_id: id }, team.id);
    console.log(`${email} is in ${team.name}.`);
  });
}

function leave(name: string, email: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform) => {
    const team = teamNamed(platform, name);
    const { id } = personByEmail(platform, email);
    const there = platform.teams.members(team.id).some(({ user_id }) => user_id === id);
    if (!there) throw new UserError(`${email} is not in ${team.name}.`);
    createTeams(platform).expel(ownerWriter(platform), team.id, id);
    await tellServer(platform, "keysChanged", null);
    console.log(`${email} is not in ${team.name} any more.`);
  });
}

function remove(name: string, options: CommonOptions): Promise<void> {
  return withPlatform(options, async (platform) => {
    const team = teamNamed(platform, name);
    createTeams(platform).remove(ownerWriter(platform), team.id);
    await tellServer(platform, "keysChanged", null);
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
    printRows(rows, options.json, "There are no teams. 'postroom team create' makes one.");
  });
}

const shown = ({ used, limit }: { used: number; limit: number }): string => `${used}/${limit}`;
