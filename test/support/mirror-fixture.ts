import type { ImapFlow } from "imapflow";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import type { Clock } from "../../src/kernel/clock.ts";
import type { ThreadChange } from "../../src/mailbox/changes/changes.ts";
import { MIRROR_JOB } from "../../src/mailbox/changes/edits.ts";
import { Mirror } from "../../src/outbound/mirror/mirror.ts";
import type { AttemptOutcome } from "../../src/platform/jobs/queue.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import type { Dovecot } from "./dovecot.ts";
import { eventually } from "./eventually.ts";
import { type Proxy as CuttingProxy, startProxy } from "./imap-proxy.ts";
import { createMailFixture, type MailFixture } from "./mail-fixture.ts";

/** A Dovecot, a synced mailbox, another mail client of the same person, and the mirror between them. */
export interface Fixture {
  dovecot: Dovecot;
  proxy: CuttingProxy;
  fixture: MailFixture;
  other: ImapFlow;
  mirror: Mirror;
  /** Runs the mirror's job once, as the job runner would. */
  replay(attempt?: number): Promise<AttemptOutcome>;
  /** Changes the thread of the message with this subject. */
  change(subject: string, change: ThreadChange): void;
  message(subject: string): ReturnType<MailFixture["messages"]>[number];
  thread(subject: string): { state: string; unread: boolean; starred: boolean; labels: string[] };
  /** Returns subjects in a folder of the server, with their flags. */
  onServer(folder: string): Promise<Map<string, Set<string>>>;
  pending(): number;
  /** Replays until nothing is pending, while sync checks the folders as usual. */
  replayed(): Promise<boolean>;
  /** Creates a mirror whose connection a test can intercept. */
  mirrorWith(prepare: (client: ImapFlow) => void, clock?: Clock): Mirror;
  run(mirror: Mirror, attempt?: number): Promise<AttemptOutcome>;
  close(): Promise<void>;
}

export interface MirrorFixtureOptions {
  read_only?: boolean;
  exclude?: string[];
  /** Leaves the existing messages in the mailbox. */
  keep?: boolean;
}

export const mail = (subject: string, extra = "") =>
  `From: Bob <bob@example.net>\r\nTo: alice@mail.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject.replaceAll(" ", ".")}@mirror.example>\r\n` +
  `Date: Mon, 02 Mar 2026 09:00:00 +0000\r\n${extra}\r\nText of ${subject}.\r\n`;

/** Puts messages with these subjects into alice's inbox, which is emptied first, and syncs our tables with it. */
export async function openFixture(
  dovecot: Dovecot,
  subjects: string[],
  options: MirrorFixtureOptions = {},
): Promise<Fixture> {
  const other = await dovecot.connect("alice");
  if (!options.keep) {
    for (const { path } of await other.list())
      dovecot.doveadm("expunge", "-u", "alice@mail.test", "mailbox", path, "all");
  }
  for (const subject of subjects) await other.append("INBOX", mail(subject));
  const proxy = await startProxy(dovecot.imapPort);
  const fixture = await createMailFixture({
    port: proxy.port,
    login: dovecot.logins.alice,
    account: { read_only: options.read_only ?? false, exclude: options.exclude ?? [] },
    longest_wait_ms: 200,
    config: { "mail.poll_seconds": 3600 },
  });
  fixture.start();
  await fixture.agrees(other);
  const mirror = mirrorOf(fixture);
  const threads = new Map<string, string>();
  const message = (subject: string) => fixture.messages().find((found) => found.subject === subject)!;
  const pending = () =>
    fixture.platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM pending_changes").get()!.n;
  return {
    dovecot,
    proxy,
    fixture,
    other,
    mirror,
    replay: (attempt) => runMirror(fixture, mirror, attempt),
    run: (otherMirror, attempt) => runMirror(fixture, otherMirror, attempt),
    mirrorWith: (prepare, clock) => mirrorOf(fixture, prepare, clock),
    change: (subject, change) => {
      const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: "req_test" };
      if (!threads.has(subject)) for (const found of fixture.messages()) threads.set(found.subject, found.thread_id);
      fixture.mailbox.changes.update(by, threads.get(subject)!, change);
    },
    message,
    thread: (subject) => {
      const { thread_id } = message(subject);
      const row = fixture.platform.db.sql
        .query<{ state: string; unread: number; starred: number }, [string]>(
          "SELECT state, unread, starred FROM threads WHERE id = ?",
        )
        .get(thread_id)!;
      return {
        state: row.state,
        unread: row.unread === 1,
        starred: row.starred === 1,
        labels: fixture.mailbox.labels.ofThread(thread_id),
      };
    },
    async onServer(folder) {
      const client = await dovecot.connect("alice");
      const box = await client.mailboxOpen(folder, { readOnly: true });
      const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { envelope: true, flags: true });
      client.close();
      return new Map(found.map(({ envelope, flags }) => [envelope?.subject ?? "", flags ?? new Set<string>()]));
    },
    pending,
    replayed: () =>
      eventually(async () => {
        await runMirror(fixture, mirror);
        fixture.supervisor.syncNow(fixture.account.id);
        return pending() === 0;
      }),
    async close() {
      await fixture.close();
      await proxy.close();
      other.close();
    },
  };
}

/** Creates the mirror of a fixture; `prepare` can intercept each connection first. */
export function mirrorOf(
  fixture: MailFixture,
  prepare: (client: ImapFlow) => void = () => {},
  clock: Clock = fixture.platform.clock,
): Mirror {
  const { accounts, folders, labels, locationSync, locations, pending } = fixture.mailbox;
  return new Mirror({
    platform: { ...fixture.platform, clock },
    accounts,
    folders,
    labels,
    locationSync,
    locations,
    pending,
    withMailbox: (account_id, task) =>
      fixture.supervisor.withMailbox(account_id, PRIORITY.mirror, (client) => {
        prepare(client);
        return task(client);
      }),
  });
}

/** Runs a mirror's job once, as the job runner would. */
export function runMirror(fixture: MailFixture, mirror: Mirror, attempt = 1): Promise<AttemptOutcome> {
  const payload = { account_id: fixture.account.id };
  return mirror.handler.run({
    id: "job_1",
    kind: MIRROR_JOB,
    dedupe_key: fixture.account.id,
    user_id: fixture.user.id,
    payload,
    attempt,
  });
}
