import { AgentStore } from "../features/agent/store.ts";
import { BriefStore } from "../features/brief/store.ts";
import { type ExportEntry, type ExportSource, entryName } from "../features/members/export.ts";
import { SettingsStore } from "../features/notifications/settings-store.ts";
import { TargetStore } from "../features/notifications/targets-store.ts";
import { EndpointStore } from "../features/webhooks/endpoints-store.ts";
import { ApiError } from "../kernel/errors.ts";
import { ImportStore } from "../mailbox/imports/store.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import type { Position } from "../mailbox/queries/scope.ts";
import { SendingPolicies } from "../outbound/approvals/policies.ts";
import { ApprovalStore } from "../outbound/approvals/store.ts";
import { BounceStore } from "../outbound/bounces/store.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { BlobFiles, type BlobName } from "../platform/blobs/files.ts";
import type { Platform } from "../platform/platform.ts";
import type { PeopleServices } from "./people.ts";

const PAGE = 200;
const THREAD_STATES = ["inbox", "archived", "snoozed", "trash", "spam", "sent"] as const;
const CONTACT_KINDS = ["person", "role", "automated"] as const;
const ALL_TIME = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

interface Parts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
}

/** Reads everything that belongs to a user, table by table, for the export. */
export function exportSource(parts: Parts): ExportSource {
  return async function* (user_id) {
    yield* identity(parts.platform, user_id);
    yield* mail(parts, user_id);
    yield* outgoing(parts, user_id);
    yield* knowledge(parts, user_id);
    yield* ledgers(parts.platform, user_id);
  };
}

function* identity(
  { users, keys, connections, sessions, teams, meters }: Platform,
  user_id: string,
): Generator<ExportEntry> {
  const { pool_id: _, ...user } = users.get(user_id)!;
  const team = teams.of(user_id);
  const used = { sends: meters.used("sends", user_id), ai_credits: meters.used("ai_credits", user_id) };
  yield { name: "user.json", rows: [{ ...user, team: team?.name ?? null, used }] };
  yield { name: "api-keys.json", rows: keys.list([user_id]) };
  yield { name: "connections.json", rows: connections.list([user_id]) };
  yield { name: "sessions.json", rows: sessions.list(user_id) };
}

async function* mail({ platform, mailbox }: Parts, user_id: string): AsyncGenerator<ExportEntry> {
  const { accounts, threadQueries, messageQueries } = mailbox;
  const scope = { user_id, account_id: null };
  yield { name: "mailboxes.json", rows: accounts.list(user_id) };
  yield { name: "imports.json", rows: new ImportStore(platform).list(user_id, Number.MAX_SAFE_INTEGER) };
  const threads = THREAD_STATES.map((state) =>
    paged(
      (after) => threadQueries.list(scope, { state }, after, PAGE),
      (row) => [row.last_at, row.id],
    ),
  );
  yield { name: "mail/threads.json", rows: onceEach(chained(threads)) };
  // Collected in one go: an open cursor would block checkpoints of the write-ahead log.
  const ids = [...messageQueries.idsOf(user_id)];
  yield { name: "mail/messages.json", rows: messages(mailbox, user_id, ids) };
  const files = new BlobFiles(platform);
  for (const message_id of ids) {
    const source = await kept(files, { user_id, message_id, part: "raw" });
    if (source) yield { name: `mail/source/${message_id}.eml`, bytes: source };
    const message = unlessDeleted(() => messageQueries.get(scope, message_id));
    for (const { id, name } of message?.attachments ?? []) {
      const bytes = await kept(files, { user_id, message_id, part: id });
      if (bytes) yield { name: entryName("files/attachments", id, name), bytes };
    }
  }
}

function* messages({ messageQueries }: Mailbox, user_id: string, ids: readonly string[]): Generator<unknown> {
  const scope = { user_id, account_id: null };
  for (const id of ids) {
    const message = unlessDeleted(() => ({
      ...messageQueries.get(scope, id),
      html: messageQueries.html(scope, id).html,
    }));
    if (!message) continue;
    const { body_text: _, new_text: __, ...whole } = message;
    yield whole;
  }
}

async function* outgoing({ platform, outbound }: Parts, user_id: string): AsyncGenerator<ExportEntry> {
  const { draftStore, sends } = outbound;
  const bounces = new BounceStore(platform);
  const scope = { user_id, account_id: null };
  const drafts = [
    ...paged(
      (after) => draftStore.list(scope, after, PAGE),
      (row) => [row.updated_at, row.id],
    ),
  ];
  yield { name: "drafts.json", rows: drafts };
  const files = new BlobFiles(platform);
  for (const draft of drafts) {
    for (const { id, name } of draftStore.attachments(draft)) {
      const bytes = await kept(files, { user_id, message_id: draft.id, part: id });
      if (bytes) yield { name: entryName("files/drafts", id, name), bytes };
    }
  }
  const sent = paged(
    (after) => sends.list(scope, undefined, after, PAGE),
    (row) => [row.id],
  );
  yield { name: "approvals.json", rows: new ApprovalStore(platform).all(user_id) };
  yield { name: "sending-policies.json", rows: new SendingPolicies(platform).list(user_id) };
  yield { name: "sends.json", rows: mapped(sent, (send) => ({ ...send, bounces: bounces.of(send) })) };
}

async function* knowledge({ platform, people }: Parts, user_id: string): AsyncGenerator<ExportEntry> {
  const scope = { user_id, account_id: null };
  const { contacts, rules, context, contextFiles, events, calendars } = people;
  const known = CONTACT_KINDS.map((kind) =>
    paged(
      (after) => contacts.queries.list(scope, { kind }, after, PAGE),
      (row) => [row.last_at, row.id],
    ),
  );
  yield { name: "contacts.json", rows: chained(known) };
  yield { name: "rules.json", rows: rules.list(scope) };
  const profiles = (after: Position | null) => context.profiles(user_id, after, PAGE);
  yield { name: "context/profiles.json", rows: paged(profiles, (row) => [row.updated_at, row.id]) };
  yield { name: "context/variables.json", rows: context.variables(user_id) };
  const listed = [
    ...paged(
      (after) => contextFiles.list(user_id, null, after, PAGE),
      (row) => [row.id],
    ),
  ];
  yield { name: "context/files.json", rows: listed };
  for (const { id, name } of listed) {
    const bytes = async () => (await contextFiles.content(user_id, id)).body;
    yield { name: entryName("files/context", id, name), bytes };
  }
  yield { name: "calendars.json", rows: calendars.list(user_id) };
  yield { name: "calendar-events.json", rows: events.within(user_id, ...ALL_TIME) };
  const briefs = new BriefStore(platform);
  yield { name: "brief.json", rows: [{ settings: briefs.settings(user_id), latest: briefs.latest(user_id) }] };
  const agent = new AgentStore(platform);
  const actions = (after: Position | null) => agent.list(scope, after, PAGE);
  yield { name: "agent-actions.json", rows: paged(actions, (row) => [row.id]) };
}

function* ledgers(platform: Platform, user_id: string): Generator<ExportEntry> {
  const { events, audit, modelCalls } = platform;
  const endpoints = new EndpointStore(platform);
  const hooks = paged(
    (after) => endpoints.list(user_id, { beforeId: idOf(after), limit: PAGE }),
    (row) => [row.id],
  );
  yield { name: "webhooks.json", rows: hooks };
  yield { name: "notification-settings.json", rows: [new SettingsStore(platform).get(user_id)] };
  yield { name: "notification-targets.json", rows: notificationTargets(platform, user_id) };
  const happened = paged(
    (after) => events.after(user_id, Number(after?.[0] ?? 0), PAGE),
    (row) => [row.position],
  );
  yield { name: "events.json", rows: happened };
  const changes = paged(
    (after) => audit.list(user_id, { limit: PAGE, beforeId: idOf(after) }),
    (row) => [row.id],
  );
  yield { name: "audit.json", rows: changes };
  const calls = paged(
    (after) => modelCalls.list(user_id, after === null ? null : Number(after[0]), PAGE),
    (row) => [row.id],
  );
  yield { name: "language-model-calls.json", rows: calls };
}

/** Returns the targets of notifications without their secrets. */
function notificationTargets(platform: Platform, user_id: string): unknown[] {
  return new TargetStore(platform).list(user_id).map(({ address, ...target }) => {
    const { credentials, urls: _, ...where } = address;
    return { ...target, ...where, auth: credentials.auth };
  });
}

const idOf = (after: Position | null): string | undefined => (after === null ? undefined : String(after[0]));

/** Yields every row of a paged list. */
function* paged<T>(page: (after: Position | null) => T[], position: (row: T) => Position): Generator<T> {
  let after: Position | null = null;
  for (;;) {
    const rows: T[] = page(after);
    yield* rows;
    if (rows.length < PAGE) return;
    after = position(rows.at(-1)!);
  }
}

/** Yields each row once. A list of `sent` threads repeats threads that are also in other states. */
function* onceEach<T extends { id: string }>(rows: Iterable<T>): Generator<T> {
  const seen = new Set<string>();
  for (const row of rows) {
    if (seen.has(row.id)) continue;
    seen.add(row.id);
    yield row;
  }
}

function* mapped<T, V>(rows: Iterable<T>, view: (row: T) => V): Generator<V> {
  for (const row of rows) yield view(row);
}

function* chained<T>(lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list;
}

/** Returns null for what was deleted while the archive is being written. */
function unlessDeleted<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError && error.code === "not_found") return null;
    throw error;
  }
}

/** Returns a function that opens a stored file, or null if this machine has no file of that name. */
async function kept(files: BlobFiles, name: BlobName): Promise<(() => Promise<ReadableStream<Uint8Array>>) | null> {
  const found = await files.find(name);
  return found && (async () => files.readFound(name, found));
}
