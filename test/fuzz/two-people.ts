import { APP_HEADER } from "../../src/http/app-guard.ts";
import type { Route } from "../../src/http/route.ts";
import { SESSION_COOKIE } from "../../src/http/session-cookie.ts";
import { APP_PREFIX } from "../../src/http/table.ts";
import { ID_PREFIXES, type IdKind, isId } from "../../src/kernel/ids.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { allRoutes } from "../all-routes.ts";
import { type Answer, createHarness, type Harness } from "../http-harness.ts";
import { seedMailbox } from "../seed-mail.ts";
import { offlineAppRoutes } from "./offline-app-routes.ts";

const FREE_OF_LIMITS = {
  "limits.requests_per_minute_session": 1_000_000_000,
  "limits.requests_per_minute_key": 1_000_000_000,
  "limits.requests_per_minute_user": 1_000_000_000,
  "limits.requests_per_minute_ip": 1_000_000_000,
  "limits.autopilot.requests_per_day": 1_000_000_000,
  "limits.autopilot.sends_per_day": 1_000_000_000,
  "limits.new_key_sends_per_day": 1_000_000_000,
  "limits.autopilot.webhook_endpoints": 1_000,
  "webhooks.allow": ["hooks.example"],
};

/** Shorter than what counts as signed in just now. */
const SIGNED_IN_MS = 10 * 60_000;
const BETWEEN_MS = 3_000;
const PASSWORD = "a quiet morning in May";

/** One of two people who know nothing of each other. */
export interface Person {
  name: string;
  user_id: string;
  key: string;
  /** Words that only they know: their password and address. */
  words: string[];
  /** A word that stands in everything that is theirs, and nowhere else. */
  canary: string;
  /** What they have, by kind. */
  ids: Map<IdKind, string[]>;
  /** Cursors of their lists: path and cursor. */
  cursors: { path: string; cursor: string }[];
}

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TwoPeople {
  h: Harness;
  routes: Route[];
  ada: Person;
  eve: Person;
  /** Ada asks as the owner of the installation. */
  ada_owns: boolean;
  /** Asks as this person: with their key under /v1, with their session under /app/api. */
  send(person: Person, method: string, path: string, request: Sent): Promise<Answer>;
  /** The same with an Idempotency-Key of its own. */
  call(person: Person, method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): void;
}

/**
 * Two people with something of every kind each, made over the API as far as it can be.
 * @param audience "api": they ask under /v1; "app": the settings page's own paths, Ada being the owner
 */
export async function createTwoPeople(audience: "api" | "app" = "api"): Promise<TwoPeople> {
  const h = createHarness({
    routes: allRoutes,
    app_routes: audience === "app" ? offlineAppRoutes : undefined,
    config: FREE_OF_LIMITS,
  });
  const api_routes = allRoutes(h.platform);
  const people = ["ada", "eve"].map((name): Person => {
    const role = name === "ada" && audience === "app" ? "owner" : "member";
    const user = h.platform.users.add({ email: `${name}@fuzz.example`, plan: "autopilot", role, timezone: "UTC" });
    const canary = `${name}canary${crypto.randomUUID().slice(0, 8)}`;
    const { secret: key } = h.newKey({ user_id: user.id });
    return { name, user_id: user.id, key, words: [user.email, PASSWORD], canary, ids: new Map(), cursors: [] };
  }) as [Person, Person];
  const withKey: TwoPeople["send"] = ({ key }, method, path, sent) => h.call(method, path, { key, ...sent });
  for (const person of people) await furnish(h, api_routes, idempotent(withKey), person);
  const [ada, eve] = people;
  const common = { h, ada, eve, ada_owns: audience === "app", close: () => h.close() };
  if (audience === "api") return { ...common, routes: api_routes, send: withKey, call: idempotent(withKey) };
  const routes = offlineAppRoutes(h.platform);
  const { passwords } = h.platform.sign_in;
  for (const { user_id } of people) passwords.store(user_id, await passwords.hash(PASSWORD));
  const send = browsers(h);
  for (const person of people) {
    person.cursors = [];
    await gather(routes, idempotent(send), person);
  }
  return { ...common, routes, send, call: idempotent(send) };
}

/** People at their browsers, who sign in again when they have been for some minutes, or were signed out. Time passes while they ask. */
function browsers({ platform, clock, call }: Harness): TwoPeople["send"] {
  const open = new Map<string, { token: string; since: number }>();
  const tokenOf = ({ user_id }: Person): string => {
    const known = open.get(user_id);
    if (known && platform.sessions.find(known.token) && clock.now() - known.since < SIGNED_IN_MS) return known.token;
    const about = { user_id, method: "password", address: "127.0.0.1", user_agent: "fuzz" } as const;
    const { token } = platform.sessions.create(about);
    open.set(user_id, { token, since: clock.now() });
    return token;
  };
  return (person, method, path, { body, headers }) => {
    clock.advance(BETWEEN_MS);
    const cookie = `${SESSION_COOKIE}=${tokenOf(person)}`;
    const sent = { Cookie: cookie, [APP_HEADER]: "1", ...headers };
    return call(method, `/${APP_PREFIX}${path}`, { key: null, body, headers: sent });
  };
}

const idempotent =
  (send: TwoPeople["send"]): TwoPeople["call"] =>
  (person, method, path, body, headers = {}) =>
    send(person, method, path, { body, headers: { "Idempotency-Key": crypto.randomUUID(), ...headers } });

async function furnish(h: Harness, routes: readonly Route[], call: TwoPeople["call"], person: Person): Promise<void> {
  const { canary } = person;
  const seeded = seedMailbox(h.platform, person.user_id, {
    mailbox: createMailbox(h.platform),
    email: `${canary}@example.org`,
    connection: {
      imap: { host: "127.0.0.1", port: 1, security: "none" },
      smtp: { host: "127.0.0.1", port: 1, security: "none" },
      username: canary,
      password: canary,
    },
  });
  const attachment = {
    index: 0,
    part: "2",
    encoding: "base64",
    size: 10,
    name: `${canary}.pdf`,
    mime: "application/pdf",
    contentId: null,
    disposition: "attachment",
  };
  for (let i = 0; i < 6; i++) {
    seeded.converse(
      { subject: `${canary} ${i}`, text: `${canary} says hello`, labels: [canary], attachments: [attachment as never] },
      { text: `${canary} answers`, from: { name: canary, email: `friend-${canary}@example.net` } },
    );
  }
  const [thread] = h.platform.db.sql
    .query<{ id: string }, [string]>("SELECT id FROM threads WHERE user_id = ?")
    .all(person.user_id);
  await create(call, person, thread!.id);
  await gather(routes, call, person);
  for (const [kind, query] of Object.entries(ROWS) as [IdKind, string][]) {
    const rows = h.platform.db.sql.query<{ id: string }, [string]>(query).all(person.user_id);
    remember(
      person,
      kind,
      rows.map(({ id }) => id),
    );
  }
}

/** Ids that no list gives away. */
const ROWS: Partial<Record<IdKind, string>> = {
  account: "SELECT id FROM accounts WHERE user_id = ?",
  thread: "SELECT id FROM threads WHERE user_id = ?",
  message: "SELECT id FROM messages WHERE user_id = ?",
  attachment: "SELECT a.id FROM attachments a JOIN messages m ON m.id = a.message_id WHERE m.user_id = ?",
  folder: "SELECT f.id FROM folders f JOIN accounts a ON a.id = f.account_id WHERE a.user_id = ?",
  label: "SELECT id FROM labels WHERE user_id = ?",
  key: "SELECT id FROM api_keys WHERE user_id = ?",
  user: "SELECT id FROM users WHERE id = ?",
  contact: "SELECT id FROM contacts WHERE user_id = ?",
  job: "SELECT id FROM jobs WHERE user_id = ?",
};

async function create(call: TwoPeople["call"], person: Person, thread_id: string): Promise<void> {
  const { canary } = person;
  const make = async (method: string, path: string, body: unknown) => {
    const answer = await call(person, method, path, body);
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };
  const file = () => {
    const form = new FormData();
    form.append("file", new Blob([`${canary} in a file`], { type: "text/plain" }), `${canary}.txt`);
    return form;
  };
  const to = [`${canary}@example.net`];
  const draft = await make("POST", "/drafts", { to, subject: canary, body: canary, thread_id });
  const draft_id = draft.draft_id ?? draft.id;
  remember(person, "draft", [draft_id]);
  const attached = await make("POST", `/drafts/${draft_id}/attachments`, file());
  remember(person, "attachment", [attached.id ?? attached.data?.id]);
  for (let i = 0; i < 3; i++) {
    const sent = await make("POST", "/messages/send", {
      to,
      subject: `${canary} ${i}`,
      body: canary,
      undo_window_s: 30,
    });
    remember(person, "send", [sent.send_id ?? sent.id]);
  }
  const rule = { conditions: [{ field: "subject", op: "contains", value: canary }], actions: [{ type: "star" }] };
  await make("POST", "/rules", { kind: "inbox", ...rule });
  await make("POST", "/context/profiles", { domain: `${canary}.example`, name: canary, summary: canary });
  await make("PUT", `/context/variables/${canary}`, { type: "string", value: canary });
  await make("POST", "/context/files", file());
  await make("POST", "/webhooks", { url: `https://hooks.example/${canary}`, events: ["draft.created"] });
  const vcard = `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${canary}\r\nEMAIL:${canary}@example.com\r\nEND:VCARD\r\n`;
  const book = new FormData();
  book.append("file", new Blob([vcard], { type: "text/vcard" }), "book.vcf");
  await make("POST", "/contacts/import", book);
  const times = { start: "2026-03-05T09:00:00Z", end: "2026-03-05T10:00:00Z" };
  await make("POST", "/calendar/events", { title: canary, ...times });
}

/** Walks every list that needs no parameter, and takes the ids and cursors that it shows. */
async function gather(routes: readonly Route[], call: TwoPeople["call"], person: Person): Promise<void> {
  for (const route of routes) {
    if (route.method !== "GET" || route.path.includes(":") || route.path === "/events" || route.produces) continue;
    const answer = await call(person, "GET", `${route.path}?limit=1`);
    for (const id of idsIn(answer.text)) remember(person, kindOf(id)!, [id]);
    const cursor: unknown = answer.json?.next_cursor;
    if (typeof cursor === "string") person.cursors.push({ path: route.path, cursor });
    const all = await call(person, "GET", route.path);
    for (const id of idsIn(all.text)) remember(person, kindOf(id)!, [id]);
  }
}

function remember(person: Person, kind: IdKind, ids: readonly (string | undefined)[]): void {
  const known = person.ids.get(kind) ?? [];
  for (const id of ids) if (id && isId(kind, id) && !known.includes(id)) known.push(id);
  person.ids.set(kind, known);
}

/** Every id that a text shows, but those of requests. */
export function idsIn(text: string): string[] {
  const found = text.match(/\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g) ?? [];
  return found.filter((id) => kindOf(id) !== null && kindOf(id) !== "request");
}

export function kindOf(id: string): IdKind | null {
  const found = Object.entries(ID_PREFIXES).find(([, prefix]) => id.startsWith(prefix));
  return (found?.[0] as IdKind | undefined) ?? null;
}
