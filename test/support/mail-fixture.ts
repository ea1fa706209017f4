import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { mailPipeline } from "../../src/app/mail.ts";
import { STALL_MS } from "../../src/inbound/sync/connection-queue.ts";
import { SyncSupervisor } from "../../src/inbound/sync/supervisor.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { EventName } from "../../src/kernel/events.ts";
import type { Account, NewAccount } from "../../src/mailbox/accounts/accounts.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { openEnvelope } from "../../src/mailbox/store/envelope.ts";
import type { Folder } from "../../src/mailbox/store/folders.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadConfig, withValues } from "../../src/platform/config/load.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import type { User } from "../../src/platform/identity/users.ts";
import type { LoggedEvent } from "../../src/platform/ledger/events.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import type { ConnectOptions } from "../../src/wire/imap/connect.ts";
import { keywordToLabel } from "../../src/wire/imap/keywords.ts";
import type { Login } from "./dovecot.ts";
import { eventually } from "./eventually.ts";

export interface MailFixtureOptions {
  port: number;
  login: Login;
  /** Other settings of the account. */
  account?: Partial<NewAccount>;
  config?: Partial<ConfigValues>;
  /** Upper bound of every wait of the program, ms; absent: the real times. */
  longest_wait_ms?: number;
  connect?: Partial<ConnectOptions>;
  /** Lowest level that `log` holds; "warn" by default. */
  logLevel?: "info" | "warn";
}

/** A message as our tables store it. */
export interface StoredMessage {
  id: string;
  thread_id: string;
  message_id: string | null;
  subject: string;
  size: number;
  internal_date: number;
  unread: boolean;
  starred: boolean;
  answered: boolean;
  important: boolean;
  is_draft: boolean;
  labels: string[];
  /** Its locations, such as "INBOX:7", sorted. */
  locations: string[];
}

/**
 * The whole path of incoming mail, from a mail server to our tables, in its own data folder. Real sockets, so the real
 * clock.
 */
export interface MailFixture {
  readonly platform: Platform;
  readonly mailbox: Mailbox;
  readonly supervisor: SyncSupervisor;
  readonly user: User;
  /** The account in its current state. */
  readonly account: Account;
  /** Starts to watch the mailbox. */
  start(): void;
  /** Stops everything, as at the end of the program, and reopens the same data folder. The caller calls `start`. */
  reboot(): Promise<void>;
  events<N extends EventName>(name?: N): LoggedEvent<N>[];
  messages(): StoredMessage[];
  /** Describes the differences between our tables and the server; empty when they agree. */
  differences(client: ImapFlow): Promise<string[]>;
  /** Waits until the first sync is over and our tables agree with the server; requests further syncs until then. */
  agrees(client: ImapFlow, deadlineMs?: number): Promise<void>;
  /** Lines of the log, as JSON. */
  readonly log: string[];
  close(): Promise<void>;
}

export async function createMailFixture(options: MailFixtureOptions): Promise<MailFixture> {
  const data_dir = mkdtempSync(join(tmpdir(), "postroom-mail-"));
  const clock = options.longest_wait_ms === undefined ? systemClock : impatientClock(options.longest_wait_ms);
  const config = withValues(loadConfig({ data_dir, env: {} }), { "mail.poll_seconds": 1, ...options.config });
  const lines: string[] = [];
  const build = () => {
    const log = createLog({
      level: options.logLevel ?? "warn",
      format: "json",
      clock,
      write: (line) => lines.push(line),
    });
    const platform = openPlatform({ config, clock, log, durability: "normal" });
    const mailbox = createMailbox(platform);
    const supervisor = new SyncSupervisor(platform, mailbox, mailPipeline(platform, mailbox), {
      ca: null,
      ...options.connect,
    });
    return { platform, mailbox, supervisor };
  };
  let parts = build();
  const user = parts.platform.users.add({
    email: "owner@example.org",
    plan: "autopilot",
    role: "owner",
    timezone: "UTC",
  });
  const { id } = parts.mailbox.accounts.add({
    user_id: user.id,
    provider: "imap",
    email: options.login.username,
    connection: { imap: { host: "127.0.0.1", port: options.port, security: "none" }, smtp: null, ...options.login },
    ...options.account,
  });
  const account = () => parts.mailbox.accounts.get(id)!;
  const messages = () => storedMessages(parts.platform, parts.mailbox, account());
  // A server may close a connection whose open folder changes its UIDVALIDITY: then another connection reads.
  let other: ImapFlow | null = null;
  const usable = async (client: ImapFlow): Promise<ImapFlow> => {
    if (client.usable) return client;
    if (!other?.usable) {
      other = new ImapFlow({
        host: "127.0.0.1",
        port: options.port,
        secure: false,
        doSTARTTLS: false,
        auth: { user: options.login.username, pass: options.login.password },
        logger: false,
        disableAutoIdle: true,
      });
      other.on("error", () => {});
      await other.connect();
    }
    return other;
  };
  const differences = async (client: ImapFlow) => {
    const server = await serverView(await usable(client), account().exclude);
    const folders = parts.mailbox.folders.list(account());
    return [...compareFolders(server.folders, folders), ...compareCopies(server.copies, account(), messages())];
  };
  return {
    get platform() {
      return parts.platform;
    },
    get mailbox() {
      return parts.mailbox;
    },
    get supervisor() {
      return parts.supervisor;
    },
    get account() {
      return account();
    },
    user,
    log: lines,
    start: () => parts.supervisor.start(),
    async reboot() {
      await parts.supervisor.stop();
      parts.platform.close();
      parts = build();
    },
    events<N extends EventName>(name?: N) {
      const all = parts.platform.events.after(user.id, 0, 100_000);
      return all.filter(({ event }) => name === undefined || event === name) as LoggedEvent<N>[];
    },
    messages,
    differences,
    async agrees(client, deadlineMs = 10_000) {
      await eventually(async () => {
        const { sync } = account();
        if (sync.phase !== "live") throw new Error(`The first sync is not finished: ${JSON.stringify(sync)}.`);
        const found = await differences(client);
        if (found.length === 0) return true;
        parts.supervisor.syncNow(id);
        throw new Error(`Our tables differ from the server: ${found.slice(0, 12).join("; ")} (${found.length})`);
      }, deadlineMs);
    },
    async close() {
      other?.close();
      await parts.supervisor.stop();
      parts.platform.close();
      rmSync(data_dir, { recursive: true, force: true });
    },
  };
}

/**
 * The machine's time, with waits cut short so that tests do not take minutes. A server keeps its full time to answer.
 */
function impatientClock(longest_wait_ms: number): Clock {
  return {
    now: () => systemClock.now(),
    after: (delayMs, fn) => systemClock.after(delayMs === STALL_MS ? delayMs : Math.min(delayMs, longest_wait_ms), fn),
  };
}

interface MessageRow {
  id: string;
  thread_id: string;
  size: number;
  internal_date: number;
  unread: number;
  starred: number;
  answered: number;
  important: number;
  is_draft: number;
  head: Uint8Array;
}

function storedMessages(platform: Platform, mailbox: Mailbox, account: Account): StoredMessage[] {
  const paths = new Map(mailbox.folders.list(account).map((folder) => [folder.id, folder]));
  const locations = new Map<string, string[]>();
  const located = platform.db.sql.query<{ folder_id: string; uid: number; message_id: string }, []>(
    "SELECT folder_id, uid, message_id FROM locations",
  );
  for (const { folder_id, uid, message_id } of located.all()) {
    const folder = paths.get(folder_id);
    const location = folder ? `${folder.path}${folder.replaced_by ? " (void)" : ""}:${uid}` : `?${folder_id}:${uid}`;
    locations.set(message_id, [...(locations.get(message_id) ?? []), location]);
  }
  const sealer = platform.keyring.forUser(account.user_id);
  return platform.db.sql
    .query<MessageRow, [string]>(
      `SELECT id, thread_id, size, internal_date, unread, starred, answered, important, is_draft, head FROM messages
       WHERE account_id = ? ORDER BY n`,
    )
    .all(account.id)
    .map(({ head, unread, starred, answered, important, is_draft, ...row }) => {
      const { message_id, subject } = openEnvelope(sealer, row.id, head);
      return {
        ...row,
        message_id,
        subject,
        unread: unread === 1,
        starred: starred === 1,
        answered: answered === 1,
        important: important === 1,
        is_draft: is_draft === 1,
        labels: mailbox.labels.ofMessage(row.id),
        locations: (locations.get(row.id) ?? []).sort(),
      };
    });
}

interface ServerLocation {
  location: string;
  message_id: string | null;
  size: number;
  flags: Set<string>;
}

interface ServerView {
  /** UIDVALIDITY by path. */
  folders: Map<string, number>;
  copies: ServerLocation[];
}

async function serverView(client: ImapFlow, exclude: readonly string[]): Promise<ServerView> {
  const folders = new Map<string, number>();
  const copies: ServerLocation[] = [];
  for (const { path, flags } of await client.list()) {
    if (flags.has("\\Noselect") || flags.has("\\NonExistent") || exclude.includes(path)) continue;
    const box = await client.mailboxOpen(path, { readOnly: true });
    folders.set(path, Number(box.uidValidity));
    if (box.exists === 0) continue;
    const query = { uid: true, flags: true, size: true, headers: ["message-id"] };
    for (const { uid, size = 0, flags = new Set<string>(), headers } of await client.fetchAll("1:*", query)) {
      const message_id = /^message-id:\s*(\S+)/im.exec(String(headers))?.[1] ?? null;
      copies.push({ location: `${path}:${uid}`, message_id, size, flags });
    }
  }
  return { folders, copies };
}

function compareFolders(server: ReadonlyMap<string, number>, folders: readonly Folder[]): string[] {
  const here = new Map(folders.map((folder) => [folder.path, folder]));
  const found = folders
    .filter((folder) => folder.replaced_by !== null)
    .map(({ path }) => `${path} is void and still there`);
  for (const [path, uidvalidity] of server) {
    const folder = here.get(path);
    if (!folder) found.push(`folder ${path} is missing here`);
    else if (folder.uidvalidity !== uidvalidity)
      found.push(`${path} has UIDVALIDITY ${uidvalidity}, here ${folder.uidvalidity}`);
  }
  for (const path of here.keys()) if (!server.has(path)) found.push(`folder ${path} is not on the server`);
  return found;
}

function compareCopies(
  server: readonly ServerLocation[],
  account: Account,
  stored: readonly StoredMessage[],
): string[] {
  const found: string[] = [];
  const copies = new Map(server.map((copy) => [copy.location, copy]));
  const seen = new Set<string>();
  for (const message of stored) {
    const here = message.locations.flatMap((location) => copies.get(location) ?? []);
    const agreed = here.every((copy) => sameFlags(copy, here[0]!));
    if (message.locations.length === 0 && account.on_server_delete === "follow")
      found.push(`${message.subject} has no location`);
    for (const location of message.locations) {
      const copy = copies.get(location);
      if (seen.has(location)) found.push(`${location} is there twice`);
      seen.add(location);
      if (!copy) found.push(`${location} is not on the server`);
      else if (copy.message_id && !message.message_id?.startsWith(copy.message_id)) {
        found.push(`${location} is ${copy.message_id}, here ${message.message_id}`);
      } else if (agreed) found.push(...flagDifferences(message, copy));
    }
  }
  for (const { location } of copies.values()) if (!seen.has(location)) found.push(`${location} is missing here`);
  return found;
}

const sameFlags = (a: ServerLocation, b: ServerLocation) =>
  [...flagsOf(a)].sort().join() === [...flagsOf(b)].sort().join();
const flagsOf = (copy: ServerLocation) => [...copy.flags].filter((flag) => flag !== "\\Recent");
const labelsOf = (copy: ServerLocation) =>
  flagsOf(copy)
    .filter((flag) => !/^[\\$]|^(non)?junk$/i.test(flag))
    .map((flag) => keywordToLabel(flag, () => null) ?? flag);

function flagDifferences(message: StoredMessage, copy: ServerLocation): string[] {
  const differs = (what: string, here: unknown, there: unknown) =>
    here === there ? [] : [`${copy.location}: ${what} is ${there}, here ${here}`];
  return [
    ...differs("unread", message.unread, !copy.flags.has("\\Seen")),
    ...differs("starred", message.starred, copy.flags.has("\\Flagged")),
    ...differs("answered", message.answered, copy.flags.has("\\Answered")),
    ...differs("labels", message.labels.join(), labelsOf(copy).sort().join()),
  ];
}
