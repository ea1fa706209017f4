import type { Route } from "../../src/http/route.ts";
import { ID_PREFIXES, type IdKind } from "../../src/kernel/ids.ts";
import { between, type Campaign, type CampaignOptions } from "../faults/campaign.ts";
import type { Answer } from "../http-harness.ts";
import { createTwoPeople, type Person, type TwoPeople } from "./two-people.ts";

/** Pairs of a foreign and an unknown id that are timed for one route. */
const PAIRS = { short: 40, full: 600 };
/** A difference of the medians below this is nothing that anybody could measure over a network, ms. */
const LEAST_DIFFERENCE_MS = 0.05;
/** Chance alone gives a sign test this far off once in some ten thousand times. */
const MOST_SIGMAS = 4;

/**
 * Two people, every route and every kind of id, under /v1 and on the settings page's own paths: what belongs to the other answers
 * exactly like what is nobody's, in status and words, in fields of the body and of the query, with their cursors, and in the time
 * that it takes.
 */
export const authorityCampaign: Campaign = async (options) => {
  const misses: string[] = [];
  const figures = { routes: 0, foreign_ids: 0, fields: 0, cursors: 0, timed_routes: 0, largest_difference_us: 0 };
  for (const audience of ["api", "app"] as const) {
    const people = await createTwoPeople(audience);
    try {
      await tellApart(people, options, figures, misses);
    } finally {
      people.close();
    }
  }
  return { figures, misses };
};

async function tellApart(
  people: TwoPeople,
  options: CampaignOptions,
  figures: Record<"routes" | "foreign_ids" | "fields" | "cursors" | "timed_routes" | "largest_difference_us", number>,
  misses: string[],
): Promise<void> {
  // What the owner does to others is what those paths are for; test/app-routes.test.ts keeps everybody else out of them.
  const routes = people.routes.filter(({ role, audience }) => role === null && audience !== "public");
  for (const route of routes) {
    figures.routes++;
    figures.foreign_ids += await pathIds(people, route, misses);
    figures.fields += await fields(people, route, misses);
  }
  figures.cursors += await cursors(people, misses);
  for (const route of routes.filter(({ params }) => idParams(params).length > 0)) {
    const difference = await timing(people, route, options, misses);
    if (difference === null) continue;
    figures.timed_routes++;
    figures.largest_difference_us = Math.max(figures.largest_difference_us, Math.round(Math.abs(difference) * 1_000));
  }
  misses.push(...(await untouched(people)));
}

const idParams = (params: Route["params"]): [string, IdKind][] =>
  Object.entries(params).filter((entry): entry is [string, IdKind] => entry[1] !== "text");

/** An id of a kind that nobody has. */
const nobodys = (kind: IdKind): string => `${ID_PREFIXES[kind]}01jz4t9h2m8q5r7v3w6x0y1z2a`;

/** Every foreign id at every place of the path, the other places being one's own. */
export async function pathIds(people: TwoPeople, route: Route, misses: string[]): Promise<number> {
  let asked = 0;
  const params = idParams(route.params);
  for (const [name, kind] of params) {
    const expected = plain(await ask(people, people.ada, route, { ...own(people.ada, route), [name]: nobodys(kind) }));
    for (const foreign of all(people.eve, kind)) {
      asked++;
      const answer = await ask(people, people.ada, route, { ...own(people.ada, route), [name]: foreign });
      if (plain(answer) !== expected) {
        misses.push(
          `${route.method} ${route.path}: ${kind} of another person: ${plain(answer)}, of nobody: ${expected}`,
        );
      }
      if (answer.text.includes(people.eve.canary)) misses.push(`${route.path} shows what is another person's`);
    }
    // A whole path of the other's ids, as somebody would copy it.
    const copied = await ask(people, people.ada, route, own(people.eve, route));
    if (copied.status < 400)
      misses.push(`${route.method} ${route.path}: another person's path answers ${copied.status}`);
  }
  return asked;
}

/** Fields named like ids, in the body and in the query. */
async function fields(people: TwoPeople, route: Route, misses: string[]): Promise<number> {
  let asked = 0;
  const places = [
    ...Object.keys(route.query?.properties ?? {}).map((name) => ["query", name] as const),
    ...Object.keys((route.body as { properties?: object } | null)?.properties ?? {}).map(
      (name) => ["body", name] as const,
    ),
  ];
  for (const [place, name] of places) {
    const kind = kindOfField(name);
    if (!kind) continue;
    const expected = plain(await withField(people, route, place, name, nobodys(kind)));
    for (const foreign of all(people.eve, kind).slice(0, 5)) {
      asked++;
      const answer = await withField(people, route, place, name, foreign);
      if (plain(answer) !== expected) {
        misses.push(`${route.method} ${route.path}: ${place} ${name}: ${plain(answer)}, of nobody: ${expected}`);
      }
    }
  }
  return asked;
}

function kindOfField(name: string): IdKind | null {
  const named = /^(.*)_ids?$/.exec(name)?.[1];
  if (!named) return null;
  const kinds: Record<string, IdKind> = {
    profile: "contextProfile",
    reply_to_message: "message",
    in_reply_to: "message",
  };
  return kinds[named] ?? (named in ID_PREFIXES ? (named as IdKind) : null);
}

function withField(
  people: TwoPeople,
  route: Route,
  place: "query" | "body",
  name: string,
  id: string,
): Promise<Answer> {
  const path = fill(route, own(people.ada, route));
  if (place === "query") return people.call(people.ada, route.method, `${path}?${name}=${id}`);
  const body = { ...(route.examples.body as object), [name]: name.endsWith("s") ? [id] : id };
  return people.call(people.ada, route.method, path, body);
}

/** Cursors of the other's lists open none of one's own. */
async function cursors({ ada, eve, call }: TwoPeople, misses: string[]): Promise<number> {
  for (const { path, cursor } of eve.cursors) {
    const answer = await call(ada, "GET", `${path}?limit=1&cursor=${cursor}`);
    if (answer.status !== 400 || answer.json?.error?.param !== "cursor") {
      misses.push(`GET ${path}: another person's cursor answers ${answer.status}`);
    }
  }
  return eve.cursors.length;
}

/**
 * Times a foreign id against one that is nobody's, in pairs whose order chance decides. Only a difference that is both
 * large enough to be seen and not explained by chance counts. @returns the difference of the medians, ms
 */
async function timing(
  people: TwoPeople,
  route: Route,
  { short, random }: CampaignOptions,
  misses: string[],
): Promise<number | null> {
  const [name, kind] = idParams(route.params)[0]!;
  const theirs = all(people.eve, kind);
  if (theirs.length === 0) return null;
  const mine = own(people.ada, route);
  const pairs = short ? PAIRS.short : PAIRS.full;
  const [foreign, unknown]: [number[], number[]] = [[], []];
  let slower = 0;
  const time = async (id: string) => {
    const began = performance.now();
    await ask(people, people.ada, route, { ...mine, [name]: id });
    return performance.now() - began;
  };
  for (let i = -5; i < pairs; i++) {
    const id = theirs[between(random, 0, theirs.length)]!;
    const first = random() < 0.5;
    const a = await time(first ? id : nobodys(kind));
    const b = await time(first ? nobodys(kind) : id);
    // The first few are the compiler's.
    if (i < 0) continue;
    const [theirs_ms, nobodys_ms] = first ? [a, b] : [b, a];
    foreign.push(theirs_ms);
    unknown.push(nobodys_ms);
    if (theirs_ms > nobodys_ms) slower++;
  }
  const difference = middle(foreign) - middle(unknown);
  const sigmas = Math.abs(slower - pairs / 2) / Math.sqrt(pairs / 4);
  if (sigmas > MOST_SIGMAS && Math.abs(difference) > LEAST_DIFFERENCE_MS) {
    const words = `${(difference * 1_000).toFixed(0)} µs (${sigmas.toFixed(1)} sigma)`;
    misses.push(`${route.method} ${route.path}: another person's id takes ${words} longer than nobody's`);
  }
  return difference;
}

const middle = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** What the other has is as it was before anybody asked for it. */
async function untouched({ h, eve }: TwoPeople): Promise<string[]> {
  const misses: string[] = [];
  for (const [kind, table] of Object.entries(TABLES) as [IdKind, string][]) {
    for (const id of all(eve, kind)) {
      if (!h.platform.db.sql.query(`SELECT 1 FROM ${table} WHERE id = ?`).get(id)) misses.push(`${id} is gone`);
    }
  }
  const rows = h.platform.db.sql
    .query<{ actor_id: string; action: string }, [string]>("SELECT actor_id, action FROM audit WHERE user_id = ?")
    .all(eve.user_id);
  const keys = new Set(all(eve, "key"));
  for (const { actor_id, action } of rows) {
    if (actor_id?.startsWith("key_") && !keys.has(actor_id)) misses.push(`${action} was done by a foreign key`);
  }
  return misses;
}

const TABLES: Partial<Record<IdKind, string>> = {
  thread: "threads",
  message: "messages",
  draft: "drafts",
  send: "sends",
  rule: "rules",
  contact: "contacts",
  contextProfile: "context_profiles",
  contextFile: "context_files",
  webhook: "webhook_endpoints",
  calendarEvent: "calendar_events",
};

const all = (person: Person, kind: IdKind): string[] => person.ids.get(kind) ?? [];

/** Ids of one person for every parameter of a route; nobody's where they have none. */
function own(person: Person, route: Route): Record<string, string> {
  return Object.fromEntries(
    Object.entries(route.params).map(([name, kind]) => [
      name,
      kind === "text" ? person.canary : (all(person, kind)[0] ?? nobodys(kind)),
    ]),
  );
}

const fill = (route: Route, params: Record<string, string>): string =>
  route.path.replace(/:(\w+)/g, (_, name: string) => params[name]!);

function ask(people: TwoPeople, person: Person, route: Route, params: Record<string, string>): Promise<Answer> {
  const body = route.body ? (route.examples.body ?? {}) : route.form ? new FormData() : undefined;
  return people.call(person, route.method, fill(route, params), body);
}

/** An answer without what differs each time. */
function plain({ status, text }: Answer): string {
  return `${status} ${text.replace(/req_[0-9a-z]{26}/g, "req").slice(0, 300)}`;
}
