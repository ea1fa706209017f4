import { Command } from "commander";
import { createPeople, type PeopleServices } from "../app/people.ts";
import { isoTime } from "../kernel/clock.ts";
import { UserError } from "../kernel/errors.ts";
import type { Platform } from "../platform/platform.ts";
import { discoverCalendars, type FoundCalendar } from "../wire/ical/caldav-discover.ts";
import { CalDavFailure, type CalDavLogin } from "../wire/ical/caldav-fetch.ts";
import { type CommonOptions, command, explained, furtherAuthorities, withPlatform } from "./context.ts";
import { readPassword } from "./password.ts";
import { printRows, terminalSafe } from "./table.ts";
import { personByEmail } from "./user.ts";

const EXAMPLE_ID = "cal_01jz4t9h2m8q5r7v3w6x0y1z2a";

interface AddOptions extends CommonOptions {
  user: string;
  url: string;
  username: string;
  name?: string;
  passwordStdin?: true;
}

/** Defines the commands that manage calendars. */
export function calendarCommands(): Command {
  const group = new Command("calendar").description("Manage CalDAV calendars, and the calendar feed for phones.");
  group.addCommand(
    explained(
      command("add", "Connect a CalDAV calendar after testing its login.")
        .requiredOption("--user <email>", "person who owns the calendar")
        .requiredOption("--url <url>", "address of the calendar or of its server")
        .requiredOption("--username <name>", "username on the server")
        .option("--name <name>", "name of the calendar, if the login has several")
        .option("--password-stdin", "read the password from standard input (default: prompt for it)")
        .option("--json", "print JSON"),
      {
        notes: `Changes are synced in both directions. If both sides changed an event, the server's version wins. New
events are created in the calendar that was connected first. If the server's certificate is from your own
certificate authority, set mail.ca_file. iCloud and Fastmail require an app password, and so does Nextcloud
with two-factor authentication.`,
        examples: [
          "postroom calendar add --user you@example.org --url https://cloud.example.org/remote.php/dav --username you --name Personal",
          "postroom calendar add --user you@example.org --url http://127.0.0.1:5232/you/home/ --username you --password-stdin < password.txt",
        ],
      },
    ).action(add),
  );
  group.addCommand(
    explained(
      command("list", "List connected calendars.")
        .option("--user <email>", "only calendars of this person")
        .option("--json", "print JSON"),
      { examples: ["postroom calendar list", "postroom calendar list --json"] },
    ).action(list),
  );
  const one = (name: string, description: string, notes?: string) =>
    explained(command(name, description).argument("<id>", "calendar ID, from 'postroom calendar list'"), {
      notes,
      examples: [`postroom calendar ${name} ${EXAMPLE_ID}`],
    });
  group.addCommand(
    one("remove", "Disconnect a calendar and delete its local copy.", "Nothing changes on the calendar server.").action(
      remove,
    ),
  );
  group.addCommand(one("sync", "Sync a calendar now.").action(sync));
  group.addCommand(
    explained(
      command("feed", "Print the private address of a person's calendar feed, for example for a phone.")
        .requiredOption("--user <email>", "person who owns the calendar")
        .option("--renew", "create a new address and disable the old one")
        .option("--close", "close the feed, so that its address stops working"),
      {
        notes: `Anyone with the address can read the calendar, so treat it like a password. To print a complete address,
set http.public_url to the public address of this server.`,
        examples: [
          "postroom calendar feed --user you@example.org",
          "postroom calendar feed --user you@example.org --renew",
        ],
      },
    ).action(feed),
  );
  return group;
}

function withPeople<T>(
  options: CommonOptions,
  work: (people: PeopleServices, platform: Platform) => T | Promise<T>,
): Promise<T> {
  return withPlatform(options, (platform, mailbox) => work(createPeople(platform, mailbox), platform));
}

async function add(options: AddOptions): Promise<void> {
  if (!/^https?:\/\//i.test(options.url) || !URL.canParse(options.url)) {
    throw new UserError("--url must be a valid address that starts with https:// or http://.");
  }
  const { protocol, hostname } = new URL(options.url);
  if (protocol === "http:" && !/^(?:localhost|127\.|\[::1\])/.test(hostname)) {
    console.error("postroom: the password is sent to this server unencrypted. Use https:// if the server supports it.");
  }
  await withPeople(options, async ({ calendars }, platform) => {
    const user = personByEmail(platform, options.user);
    const password = await readPassword(options.passwordStdin ?? false);
    const login = { url: options.url, username: options.username, password, ca: furtherAuthorities(platform.config) };
    const { url, name } = choose(await discover(login), options);
    const settings = { url, name, username: options.username, password };
    const { id } = calendars.add(user.id, settings, { kind: "user", id: user.id });
    if (options.json) console.log(JSON.stringify({ id, url, name }));
    else console.log(`Connected ${terminalSafe(name)} (${id}).`);
  });
}

async function discover(login: CalDavLogin): Promise<FoundCalendar[]> {
  try {
    return await discoverCalendars(login);
  } catch (error) {
    if (error instanceof CalDavFailure) throw new UserError(error.message);
    throw error;
  }
}

function choose(found: readonly FoundCalendar[], { name, url }: AddOptions): FoundCalendar {
  const named = name === undefined ? found : found.filter((calendar) => calendar.name === name);
  const [first, ...others] = named;
  if (first && others.length === 0) return first;
  if (found.length === 0) throw new UserError(`There is no calendar for events at ${url}.`);
  const names = found.map((calendar) => calendar.name).join(", ");
  throw new UserError(
    `${first ? "The login has several calendars" : `There is no calendar ${name}`}. Choose one with --name: ${names}.`,
  );
}

async function list(options: CommonOptions & { user?: string }): Promise<void> {
  await withPeople(options, ({ calendars }, platform) => {
    const people = options.user ? [personByEmail(platform, options.user)] : platform.users.list();
    const rows = people.flatMap((person) =>
      calendars.list(person.id).map((calendar) => ({
        id: calendar.id,
        user: person.email,
        name: calendar.name,
        url: calendar.url,
        status: calendar.status,
        default: calendar.is_default,
        last_sync_at: calendar.last_sync_at && isoTime(calendar.last_sync_at),
        last_error: calendar.last_error,
      })),
    );
    printRows(rows, options.json, "No calendars yet. Connect one with 'postroom calendar add'.");
  });
}

function calendarById({ calendars }: PeopleServices, id: string) {
  const calendar = calendars.get(id);
  if (!calendar) throw new UserError(`There is no calendar ${id}. Run 'postroom calendar list' to see all calendars.`);
  return calendar;
}

function remove(id: string, options: CommonOptions): Promise<void> {
  return withPeople(options, (people) => {
    const calendar = calendarById(people, id);
    people.calendars.remove(calendar, { kind: "user", id: calendar.user_id });
    console.log(`Disconnected ${terminalSafe(calendar.name)}. Nothing was changed on its server.`);
  });
}

function sync(id: string, options: CommonOptions): Promise<void> {
  return withPeople(options, (people) => {
    const calendar = calendarById(people, id);
    people.calendars.syncSoon(calendar.id, calendar.user_id);
    console.log(`Requested a sync of ${terminalSafe(calendar.name)}. A running server starts it within a second.`);
  });
}

function feed(options: CommonOptions & { user: string; renew?: boolean; close?: boolean }): Promise<void> {
  return withPeople(options, ({ calendarFeed }, platform) => {
    const { id } = personByEmail(platform, options.user);
    const actor = { kind: "user" as const, id };
    if (options.close) {
      calendarFeed.close(id, actor);
      console.log("The calendar feed is closed.");
      return;
    }
    const base = platform.config.get("http.public_url").replace(/\/$/, "");
    console.log(`${base}${calendarFeed.path(id, options.renew ?? false, actor)}`);
  });
}
