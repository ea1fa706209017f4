import { AgentStore } from "../../src/features/agent/store.ts";
import { ItemStore } from "../../src/features/notifications/items-store.ts";
import { SettingsStore } from "../../src/features/notifications/settings-store.ts";
import { TargetStore } from "../../src/features/notifications/targets-store.ts";
import type { Route } from "../../src/http/route.ts";
import { ID_PREFIXES, type IdKind, isId } from "../../src/kernel/ids.ts";
import { ImportStore } from "../../src/mailbox/imports/store.ts";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { idleWebhooks } from "../support/all-routes.ts";
import { approvalFixture } from "../support/approval-fixture.ts";
import type { Harness } from "../support/http-harness.ts";
import { seedMailbox } from "../support/seed-mail.ts";
import { fill, ownParams } from "./own-paths.ts";
import type { Person, TwoPeople } from "./two-people.ts";

/**
 * Gives a person something of every kind: over the API as far as possible, the rest as the program itself would store
 * it.
 */
export async function createObjects(
  h: Harness,
  routes: readonly Route[],
  call: TwoPeople["call"],
  person: Person,
): Promise<void> {
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
  store(h, person, seeded.account.id);
  const client = { id: canary, name: canary, uri: null, redirect_host: "localhost", verified: false };
  const granted = { user_id: person.user_id, client, scopes: [], asked: [], account_id: null };
  h.platform.connections.grant(granted, { actor: SYSTEM_ACTOR });
  const assistant = approvalFixture(h.platform, person.user_id, { id: h.platform.newId("key"), name: canary });
  assistant.ask({ subject: canary, body: canary, to: [`stranger-${canary}@example.net`] });
  const file = { file_name: canary, file_modified_at: 0, bytes: 1_000, mailbox: canary };
  new ImportStore(h.platform).add({ user_id: person.user_id, account_id: null, ...file });
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

/** Ids that no list returns. */
const ROWS: Partial<Record<IdKind, string>> = {
  account: "SELECT id FROM accounts WHERE user_id = ?",
  thread: "SELECT id FROM threads WHERE user_id = ?",
  message: "SELECT id FROM messages WHERE user_id = ?",
  attachment: "SELECT a.id FROM attachments a JOIN messages m ON m.id = a.message_id WHERE m.user_id = ?",
  folder: "SELECT f.id FROM folders f JOIN accounts a ON a.id = f.account_id WHERE a.user_id = ?",
  label: "SELECT api_id AS id FROM labels WHERE user_id = ?",
  key: "SELECT id FROM api_keys WHERE user_id = ?",
  connection: "SELECT id FROM assistant_connections WHERE user_id = ?",
  approval: "SELECT id FROM send_approvals WHERE user_id = ?",
  import: "SELECT id FROM imports WHERE user_id = ?",
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
  const file = (more: Record<string, string> = {}) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(more)) form.append(name, value);
    form.append("file", new Blob([`${canary} in a file`], { type: "text/plain" }), `${canary}.txt`);
    return form;
  };
  const to = [`${canary}@example.net`];
  await make("POST", "/drafts", { to, subject: canary, body: canary });
  const draft = await make("POST", "/drafts", { reply_to_thread_id: thread_id, to, subject: canary, body: canary });
  remember(person, "draft", [draft.id]);
  const attached = await make("POST", `/drafts/${draft.id}/attachments`, file());
  remember(person, "attachment", [attached.id]);
  for (let i = 0; i < 3; i++) {
    const sent = await make("POST", "/messages/send", {
      to,
      subject: `${canary} ${i}`,
      body: canary,
      undo_window_s: 30,
    });
    remember(person, "send", [sent.send_id]);
  }
  const rule = { conditions: [{ field: "subject", op: "contains", value: canary }], actions: [{ type: "star" }] };
  await make("POST", "/rules", { kind: "inbox", ...rule });
  await make("POST", "/labels", { name: `${canary} without threads` });
  await make("PUT", `/context/variables/${canary}`, { type: "string", value: canary });
  // Two of everything that is listed in pages, so that there is a cursor.
  for (const n of [1, 2]) {
    const domain = `${n}.${canary}.example`;
    const profile = await make("POST", "/context/profiles", { domain, name: canary, summary: canary });
    await make("POST", "/context/files", file({ profile_id: profile.id }));
    await make("POST", "/webhooks", { url: `https://hooks.example/${canary}`, events: ["draft.created"] });
  }
  const book = new FormData();
  // Two contacts that no suggestion would merge.
  const cards = ["Ann", "Bob"].map((first) => vcard(`${first} ${canary}`, `${first}@${first}.${canary}.example`));
  book.append("file", new Blob(cards, { type: "text/vcard" }), "book.vcf");
  await make("POST", "/contacts/import", book);
  const times = { start: "2026-03-05T09:00:00Z", end: "2026-03-05T10:00:00Z" };
  await make("POST", "/calendar/events", { title: canary, ...times });
}

const vcard = (name: string, email: string): string =>
  `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:${name}\r\nEMAIL:${email}\r\nEND:VCARD\r\n`;

/** Creates what no request creates: the program's own work, and what only an owner or an authenticator can create. */
function store({ platform, newKey }: Harness, person: Person, account_id: string): void {
  const { user_id, canary, name } = person;
  const endpoint = platform.db.sql
    .query<{ id: string; user_id: string }, [string]>("SELECT id, user_id FROM webhook_endpoints WHERE user_id = ?")
    .get(user_id)!;
  // The first of their endpoints, so that its list of deliveries is the one requested.
  remember(person, "webhook", [endpoint.id]);
  const { id: message_id, thread_id } = platform.db.sql
    .query<{ id: string; thread_id: string }, [string]>("SELECT id, thread_id FROM messages WHERE user_id = ?")
    .get(user_id)!;
  const { deliveries } = idleWebhooks(platform);
  const actions = new AgentStore(platform);
  const at = platform.clock.now();
  for (let i = 0; i < 2; i++) {
    const event = { id: platform.newId("event"), event: "webhook.test", at };
    const response = { response_status: 500, response_headers: {}, response_body: canary, error: canary };
    const result = { outcome: "failed", at, ended_at: at, askedWaitMs: null, ...response } as const;
    remember(person, "delivery", [deliveries.record(endpoint, event, result).id]);
    const changes = { labels: [], category: null, archived: false };
    const about = { user_id, account_id, thread_id, message_id, draft_id: null };
    const done = { action: "triaged", mode: "autopilot", state: "done", engine: null, reason: canary } as const;
    remember(person, "agentAction", [actions.add({ ...about, ...done, changes, evidence: null }).id]);
    const call = { user_id, purpose: "ask", host: `${canary}.example`, model: canary, bytes_out: 9 } as const;
    platform.modelCalls.begin({ ...call, message_ids: [message_id] })({ result: "ok", bytes_in: 9 });
  }
  remember(person, "notificationTarget", [notified(platform, person)]);
  const passkey = platform.signIn.passkeys.add({
    user_id,
    name: canary,
    credential_id: Buffer.from(canary).toString("base64url"),
    public_key: new Uint8Array(32),
    transports: ["internal"],
    rp_id: "localhost",
    counter: 0,
  });
  remember(person, "passkey", [passkey!.id]);
  // An owner sees every team: team names are not known to one person only.
  const [joined, asking] = [platform.teams.create(`Team of ${name}`), platform.teams.create(`Team that asks ${name}`)];
  for (const team of [joined, asking]) platform.teams.invite(team.id, user_id);
  platform.teams.accept(joined.id, user_id);
  remember(person, "team", [joined.id, asking.id]);
  // Keys of teams are created by owners, and belong to them.
  if (platform.users.get(user_id)?.role === "owner") newKey({ user_id, team_id: joined.id });
}

/** Reads every list whose path has only the person's own ids, and collects its ids and cursors. */
export async function gather(routes: readonly Route[], call: TwoPeople["call"], person: Person): Promise<void> {
  for (const route of routes) {
    if (route.method !== "GET" || route.path === "/events" || route.produces) continue;
    if (route.path.includes(":") && !isPaged(route)) continue;
    const path = fill(route, ownParams(person, route));
    const answer = await call(person, "GET", `${path}?limit=1`);
    for (const id of idsIn(answer.text)) remember(person, kindOf(id)!, [id]);
    const cursor: unknown = answer.json?.next_cursor;
    if (typeof cursor === "string") person.cursors.push({ route, cursor });
    const all = await call(person, "GET", path);
    for (const id of idsIn(all.text)) remember(person, kindOf(id)!, [id]);
  }
}

/** A list in pages; a cursor opens the next one. */
export const isPaged = ({ method, query }: Route): boolean => method === "GET" && "cursor" in (query?.properties ?? {});

function remember(person: Person, kind: IdKind, ids: readonly (string | undefined)[]): void {
  const known = person.ids.get(kind) ?? [];
  for (const id of ids) if (id && isId(kind, id) && !known.includes(id)) known.push(id);
  person.ids.set(kind, known);
}

/** Returns every id in a text, except those of requests. */
export function idsIn(text: string): string[] {
  const found = text.match(/\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g) ?? [];
  return found.filter((id) => kindOf(id) !== null && kindOf(id) !== "request");
}

/** Returns the kind of an id. */
export function kindOf(id: string): IdKind | null {
  const found = Object.entries(ID_PREFIXES).find(([, prefix]) => id.startsWith(prefix));
  return (found?.[0] as IdKind | undefined) ?? null;
}

/** Creates a target of notifications that has failed, with a notification that waits for it. @returns its id */
function notified(platform: Harness["platform"], { user_id, canary }: Person): string {
  const targets = new TargetStore(platform);
  const credentials = { auth: "token", token: canary } as const;
  const url = "https://hooks.example";
  const address = { name: canary, service: "ntfy", url, topic: canary, urls: "", tag: "", credentials } as const;
  const kinds = { mail: "on", approval: "on", send: "on", brief: "on", health: "on" } as const;
  const wishes = { kinds, detail: "subject", digest: "off", digest_hours: 4, digest_at: "18:00" } as const;
  const target = targets.insert(user_id, { ...wishes, address });
  const failure = { response_status: 500, error: canary, response_body: canary };
  targets.noteOutcome(target, { at: platform.clock.now(), ok: false, test: false, ...failure });
  const content = {
    kind: "mail",
    name: canary,
    email: `${canary}@example.net`,
    subject: canary,
    thread_id: "",
  } as const;
  new ItemStore(platform).add(target, [{ source: platform.newId("event"), content }]);
  const settings = new SettingsStore(platform);
  settings.save(user_id, { ...settings.get(user_id), senders: [`${canary}@example.net`] });
  return target.id;
}
