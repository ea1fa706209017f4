import type { Route } from "../../src/http/route.ts";
import { ID_PREFIXES, type IdKind } from "../../src/kernel/ids.ts";
import type { Answer } from "../support/http-harness.ts";
import { fill, idParams, idsOf, ownParams, unassignedId } from "./own-paths.ts";
import type { Person, TwoPeople } from "./two-people.ts";

/** A place for an id in the requests of one route. */
export interface IdSlot {
  route: Route;
  /** "id in the path", "account_id in the body" */
  name: string;
  kind: IdKind;
  asker: Person;
  other: Person;
  /** Makes the request with this id there; everything else belongs to the requester. */
  ask(id: string): Promise<Answer>;
}

export const nameOf = ({ route, name }: IdSlot): string => `${route.method} ${route.path}, ${name}`;

/**
 * The requester, and the person whose ids are foreign to them. Requests reserved for the owner are made by someone
 * else, about the owner's objects.
 */
const sides = ({ ada, eve }: TwoPeople, { role }: Route): { asker: Person; other: Person } =>
  role === "owner" ? { asker: eve, other: ada } : { asker: ada, other: eve };

/** Returns every place of a route's path. */
export function pathIdSlots(people: TwoPeople, route: Route): IdSlot[] {
  const { asker, other } = sides(people, route);
  return idParams(route.params).map(([name, kind]) => ({
    route,
    name: `${name} in the path`,
    kind,
    asker,
    other,
    ask: (id) => ask(people, asker, route, { ...ownParams(asker, route), [name]: id }),
  }));
}

/**
 * Tries every foreign id at every place of the path, with the requester's own ids at the others. @returns how many were
 * tried
 */
export async function pathIds(people: TwoPeople, route: Route, misses: string[]): Promise<number> {
  let asked = 0;
  for (const place of pathIdSlots(people, route)) {
    asked += await compare(place, idsOf(place.other, place.kind), misses);
    // A malformed request would get the same answer for every id.
    const { status } = await place.ask(unassignedId(place.kind));
    if (status !== 404 && status !== 403) misses.push(`${nameOf(place)}: an unknown id answers ${status}`);
    // A whole path of the other person's ids, as someone might copy it.
    const copied = await ask(people, place.asker, route, ownParams(place.other, route));
    if (copied.status < 400) {
      misses.push(`${route.method} ${route.path}: another person's path answers ${copied.status}`);
    }
  }
  asked += await filePaths(people, route, misses);
  return asked;
}

/**
 * Tries each of the other person's files under the message that it belongs to, and under one's own. @returns how many
 * were tried
 */
async function filePaths(people: TwoPeople, route: Route, misses: string[]): Promise<number> {
  if (route.params.id !== "message" || route.params.att_id !== "attachment") return 0;
  const { asker, other } = sides(people, route);
  const files = ({ user_id }: Person) =>
    people.h.platform.db.sql
      .query<{ id: string; att_id: string }, [string]>(
        "SELECT m.id, a.id AS att_id FROM attachments a JOIN messages m ON m.id = a.message_id WHERE m.user_id = ?",
      )
      .all(user_id);
  const [own] = files(asker);
  const foreign = new Set(idsOf(other, "attachment"));
  const theirs = files(other).filter(({ att_id }) => foreign.has(att_id));
  if (!own || theirs.length === 0) misses.push(`${route.method} ${route.path}: there are no files to try`);
  else if ((await ask(people, asker, route, { ...own })).status >= 400) {
    misses.push(`${route.method} ${route.path}: one's own file is refused`);
  }
  const expected = plain(
    await ask(people, asker, route, { id: unassignedId("message"), att_id: unassignedId("attachment") }),
  );
  for (const file of theirs) {
    const answer = await ask(people, asker, route, { ...file });
    const name = `${route.method} ${route.path}: another person's file`;
    if (plain(answer) !== expected) misses.push(`${name}: ${plain(answer)}, an unknown id: ${expected}`);
  }
  return theirs.length;
}

/** Most foreign ids that are tried in one field. */
const MAX_IN_FIELD = 5;

/** Tries fields that are named like ids, in the body, the form and the query. @returns how many ids were tried */
export async function fieldIds(people: TwoPeople, route: Route, misses: string[]): Promise<number> {
  let asked = 0;
  for (const place of fieldIdSlots(people, route, misses)) {
    asked += await compare(place, idsOf(place.other, place.kind).slice(0, MAX_IN_FIELD), misses);
    // The requester's own id must get another answer than an unknown one; otherwise something else in the request
    // decides.
    const [own, unknown] = [
      await place.ask(idsOf(place.asker, place.kind)[0]!),
      await place.ask(unassignedId(place.kind)),
    ];
    if (plain(own) === plain(unknown))
      misses.push(`${nameOf(place)}: one's own id is answered like an unknown one: ${plain(own)}`);
  }
  return asked;
}

export function fieldIdSlots(people: TwoPeople, route: Route, misses: string[]): IdSlot[] {
  const { asker, other } = sides(people, route);
  const found: IdSlot[] = [];
  for (const [place, schema] of [
    ["query", route.query],
    ["body", route.body],
    ["form", route.form],
  ] as const) {
    for (const name of propertiesOf(schema)) {
      if (!/_ids?$/.test(name) || NO_ID.has(name)) continue;
      const kind = kindOfField(name);
      if (!kind) misses.push(`${route.method} ${route.path}: of what kind is ${name}?`);
      else found.push({ route, name: `${name} in the ${place}`, kind, asker, other, ask: asking(place, name) });
    }
  }
  return found;

  function asking(place: "query" | "body" | "form", name: string): IdSlot["ask"] {
    const path = fill(route, ownParams(asker, route));
    return (id) => {
      if (place === "query") return people.call(asker, route.method, `${path}?${name}=${id}`);
      const body = place === "form" ? fileForm() : { ...bodyOf(route), [name]: name.endsWith("s") ? [id] : id };
      if (body instanceof FormData) body.append(name, id);
      return people.call(asker, route.method, path, body);
    };
  }
}

/** Named like ids, but not ids of ours: a store's and a provider's names for clients, and HTML's reference to an image. */
const NO_ID = new Set(["access_key_id", "client_id", "content_id"]);
const KINDS: Record<string, IdKind> = { profile: "contextProfile", reply_to_thread: "thread" };

function kindOfField(name: string): IdKind | null {
  const named = name.replace(/_ids?$/, "");
  return KINDS[named] ?? (named in ID_PREFIXES ? (named as IdKind) : null);
}

/** Returns the fields of an object, or of all of several. */
function propertiesOf(schema: unknown): string[] {
  const { properties = {}, anyOf = [] } = (schema ?? {}) as { properties?: object; anyOf?: unknown[] };
  return [...new Set([...Object.keys(properties), ...anyOf.flatMap(propertiesOf)])];
}

/**
 * Checks that each foreign id is answered like an unknown one. A kind of which the other person has nothing is a miss.
 */
async function compare(place: IdSlot, foreign: readonly string[], misses: string[]): Promise<number> {
  if (foreign.length === 0) misses.push(`${nameOf(place)}: ${place.other.name} has no ${place.kind} to try`);
  const expected = plain(await place.ask(unassignedId(place.kind)));
  for (const id of foreign) {
    const answer = await place.ask(id);
    if (plain(answer) !== expected) {
      misses.push(`${nameOf(place)}: ${place.kind} of another person: ${plain(answer)}, an unknown id: ${expected}`);
    }
    if (answer.text.includes(place.other.canary)) misses.push(`${nameOf(place)} shows what is another person's`);
  }
  return foreign.length;
}

/** Bodies of paths without an example, because they are not published. */
const BODIES: Record<string, object> = {
  "POST /assistants/consents/:uid/approve": { scopes: ["mail:read"] },
  "POST /keys": { name: "a key", scopes: ["mail:read"] },
  "POST /exports": { format: "mbox" },
  "POST /imports": { file_name: "mail.zip", file_modified_at: 0, bytes: 1_000 },
  "POST /mailboxes/oauth/start": { provider: "google", email: "somebody@example.org" },
};

const bodyOf = ({ method, path, examples }: Route): object =>
  (examples.body as object) ?? BODIES[`${method} ${path}`] ?? {};

function fileForm(): FormData {
  const form = new FormData();
  form.append("file", new Blob(["some text"], { type: "text/plain" }), "file.txt");
  return form;
}

function ask(people: TwoPeople, person: Person, route: Route, params: Record<string, string>): Promise<Answer> {
  const body = route.body ? bodyOf(route) : route.form ? fileForm() : undefined;
  return people.call(person, route.method, fill(route, params), body);
}

/** Returns an answer without its varying parts. */
function plain({ status, text }: Answer): string {
  return `${status} ${text.replace(/req_[0-9a-z]{26}/g, "req").slice(0, 300)}`;
}
