import type { ImapFlow } from "imapflow";
import { createDispatcher } from "../../src/app/sending.ts";
import { PRIORITY } from "../../src/inbound/sync/connection-queue.ts";
import { createDraftSync } from "../../src/outbound/draft-sync.ts";
import { DRAFTS_JOB } from "../../src/outbound/drafts/store.ts";
import type { DraftSync } from "../../src/outbound/drafts/sync.ts";
import { createOutbound, type Outbound } from "../../src/outbound/outbound.ts";
import { COPY_JOB } from "../../src/outbound/sends/dispatch.ts";
import { SentCopies } from "../../src/outbound/sends/sent-copy.ts";
import { DISPATCH_JOB, SendStore } from "../../src/outbound/sends/store.ts";
import { BlobFiles } from "../../src/platform/blobs/files.ts";
import type { JobHandler } from "../../src/platform/jobs/runner.ts";
import { SYSTEM_ACTOR } from "../../src/platform/ledger/audit.ts";
import { labelToKeyword } from "../../src/wire/imap/keywords.ts";
import type { Dovecot } from "../support/dovecot.ts";
import { eventually } from "../support/eventually.ts";
import type { MailFixture, StoredMessage } from "../support/mail-fixture.ts";
import { mailText } from "../support/mail-text.ts";
import { mirrorOf, runMirror } from "../support/mirror-fixture.ts";
import { acceptsAll } from "../support/send-fixture.ts";
import { pick } from "./campaign.ts";

const SETTLE_MS = 30_000;
const WEEK_MS = 7 * 24 * 3_600_000;
const SNOOZED = "Snoozed";
/** A short label, one that cannot be a keyword, and one whose keyword is only a hash. */
const LABELS = ["Work", "Größe ✓", "Everything that has to do with the house in the country"] as const;
/** Set by another program besides our labels: a keyword of that program is a label here. */
const MARKS = ["\\Seen", "\\Flagged", "Todo"] as const;
const REBUILT = "Rebuilt";
/** One change in ten of the archived mail, made elsewhere. */
const REBUILD_ABOVE = 0.9;

/** Changes made here that are sent to the server. */
export const ACTS = ["mark", "label", "move", "snooze", "draft", "redraft", "send"] as const;
export type Act = (typeof ACTS)[number];

/**
 * Incoming mail, and every change that a user can make here and that is sent to the server: marks, moves, new folders
 * for them, drafts, and copies of sent mail. The jobs are run here, one after the other, as often as necessary.
 */
export class Traffic {
  readonly #mirror;
  readonly #outbound: Outbound;
  readonly #dispatch: JobHandler;
  readonly #copies: SentCopies;
  readonly #drafts: DraftSync;
  readonly #delivered: string[] = [];
  /** Subjects and newest texts of drafts, by id. */
  readonly #written = new Map<string, { subject: string; text: string }>();
  readonly #sent = new Map<string, string>();
  /** Message-IDs that another program deleted. */
  readonly #thrownAway = new Set<string>();
  readonly #history: string[];
  #texts = 0;
  /** How many folders another program rebuilt. */
  rebuilt = 0;

  /** @param draft_words length of a draft: some servers handle longer ones differently */
  constructor(
    private readonly dovecot: Dovecot,
    private readonly fixture: MailFixture,
    private readonly other: ImapFlow,
    private readonly random: () => number,
    private readonly draft_words: number,
  ) {
    const { platform, mailbox, supervisor } = fixture;
    const withMailbox = <T>(id: string, task: (client: ImapFlow) => Promise<T>) =>
      supervisor.withMailbox(id, PRIORITY.mirror, task);
    const syncNow = (id: string) => supervisor.syncNow(id);
    const { accounts, folders } = mailbox;
    this.#mirror = mirrorOf(fixture);
    this.#outbound = createOutbound(platform, mailbox);
    this.#dispatch = createDispatcher(platform, mailbox, this.#outbound, { submit: acceptsAll() }).handler;
    const [sends, files] = [new SendStore(platform), new BlobFiles(platform)];
    this.#copies = new SentCopies({ platform, accounts, folders, sends, files, withMailbox, syncNow });
    this.#drafts = createDraftSync(platform, mailbox, { withMailbox, syncNow });
    this.#history = this.#received().map(({ message_id }) => message_id!);
  }

  /** Delivers a message. */
  async deliver(): Promise<void> {
    const subject = `Live ${this.#delivered.length}`;
    await this.dovecot.deliver("alice", mailText({ id: subject.replace(" ", "-"), subject }));
    this.#delivered.push(subject);
  }

  /** Makes a change here; `work` sends it to the server. */
  async act(act: Act): Promise<void> {
    const { fixture, random } = this;
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    if (act === "snooze") await this.#withoutSnoozed();
    // A message that the other program has just moved or removed has no location until it is found again, and cannot be
    // snoozed then.
    const somewhere = this.#received().filter(({ locations }) => locations.length > 0);
    const { thread_id, unread, starred, labels, locations } = pick(random, somewhere);
    const change = (what: Parameters<typeof fixture.mailbox.changes.update>[2]) =>
      void fixture.mailbox.changes.update(by, thread_id, what);
    switch (act) {
      case "mark":
        return change(random() < 0.5 ? { read: unread } : { starred: !starred });
      case "label": {
        const label = pick(random, LABELS);
        return change(labels.includes(label) ? { remove_labels: [label] } : { add_labels: [label] });
      }
      case "move":
        return change({ state: locations[0]?.startsWith("INBOX:") ? pick(random, ["archived", "trash"]) : "inbox" });
      case "snooze":
        return change({ snooze_until: fixture.platform.clock.now() + WEEK_MS });
      case "draft":
      case "redraft":
        return this.#write(by, act === "draft");
      case "send":
        return this.#send();
    }
  }

  /**
   * Acts as another program that the faults do not affect: it marks, files, trashes, restores, and rebuilds a folder.
   */
  async elsewhere(): Promise<void> {
    const { other, random } = this;
    const received = this.#received().filter(({ locations }) => /^(INBOX|Archive):/.test(locations[0] ?? ""));
    const { message_id, locations } = pick(random, received);
    const [path, uid] = locations[0]!.split(":") as [string, string];
    const by = { uid: true };
    const roll = random();
    if (path === "Archive" && roll > REBUILD_ABOVE) return this.#rebuild(path);
    await other.mailboxOpen(path);
    if (roll < 0.4) {
      const flag = [pick(random, [...MARKS, ...this.#keywords()])];
      if (random() < 0.5) await other.messageFlagsAdd(uid, flag, by);
      else await other.messageFlagsRemove(uid, flag, by);
    } else if (roll < 0.75) await other.messageMove(uid, path === "INBOX" ? "Archive" : "INBOX", by);
    else {
      const found = (await other.fetchOne(uid, { source: true, internalDate: true }, by)) || null;
      await other.messageDelete(uid, by);
      // A restored message may be announced again if it is new mail; history may not.
      const isHistory = !message_id?.includes("Live-");
      if (found?.source && isHistory && roll < 0.9) await other.append(path, found.source, [], found.internalDate);
      else this.#thrownAway.add(message_id!);
    }
    await other.mailboxClose();
  }

  /** Creates the same mail in a folder of the same name, under another UIDVALIDITY and other UIDs. */
  async #rebuild(path: string): Promise<void> {
    const { other } = this;
    await other.mailboxRename(path, REBUILT);
    await other.mailboxCreate(path);
    await other.mailboxOpen(REBUILT);
    await other.messageMove("1:*", path);
    await other.mailboxClose();
    await other.mailboxDelete(REBUILT);
    this.rebuilt++;
  }

  /** Does pending work once; after a fault on the way, the next run does it. */
  async work(): Promise<void> {
    const { fixture } = this;
    fixture.supervisor.syncNow(fixture.account.id);
    await runMirror(fixture, this.#mirror).catch(() => {});
    if (this.#draftsPending()) await this.#run(this.#drafts.handler, DRAFTS_JOB, { account_id: fixture.account.id });
    for (const send_id of this.#uncopied()) await this.#run(this.#copies.copyHandler, COPY_JOB, { send_id });
  }

  /** Works until the server has everything. */
  settled(): Promise<boolean> {
    const pending = this.fixture.platform.db.sql.query<{ c: number }, []>("SELECT count(*) AS c FROM pending_changes");
    return eventually(async () => {
      const { c } = pending.get()!;
      const [drafts, sends] = [this.#draftsPending(), this.#uncopied().length];
      if (c === 0 && !drafts && sends === 0) return true;
      await this.work();
      throw new Error(`waiting: ${c} changes, ${drafts ? "a" : "no"} draft, ${sends} copies of sent messages`);
    }, SETTLE_MS);
  }

  /** Returns what was announced more or less than once, or should not have been. */
  announcements(): string[] {
    const times = countOf(this.fixture.events("message.received").map(({ data }) => data.subject));
    const wrong = this.#delivered
      .filter((subject) => times.get(subject) !== 1)
      .map((subject) => `${subject} was announced ${times.get(subject) ?? 0} times`);
    for (const subject of times.keys()) {
      if (!this.#delivered.includes(subject)) wrong.push(`${subject}, which was there before, was announced`);
    }
    return wrong;
  }

  /** Returns received mail that the other program did not trash and the server no longer has. */
  async lost(): Promise<string[]> {
    const client = await this.dovecot.connect("alice");
    const there = new Set<string>();
    for (const { path } of await client.list()) {
      const box = await client.mailboxOpen(path, { readOnly: true });
      const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { headers: ["message-id"] });
      for (const { headers } of found) there.add(/<[^>]+>/.exec(String(headers))?.[0] ?? "");
    }
    client.close();
    const arrived = [...there].filter((id) => /<Live-/.test(id)).length;
    const gone = this.#history.filter((id) => !there.has(id) && !this.#thrownAway.has(id));
    const liveGone = [...this.#thrownAway].filter((id) => /<Live-/.test(id) && !there.has(id)).length;
    const missing = this.#delivered.length - arrived - liveGone;
    return [
      ...gone.map((id) => `${id} is lost`),
      ...(missing === 0 ? [] : [`${missing} of ${this.#delivered.length} messages that came in meanwhile are lost`]),
    ];
  }

  /** Returns what Drafts and Sent of the server hold more or less than once, or in an outdated version. */
  async misfiled(): Promise<string[]> {
    const client = await this.dovecot.connect("alice");
    const sources = async (path: string) => {
      const box = await client.mailboxOpen(path, { readOnly: true });
      const found = box.exists === 0 ? [] : await client.fetchAll("1:*", { source: true, flags: true });
      return found.filter(({ flags }) => !flags?.has("\\Deleted")).map(({ source }) => String(source));
    };
    const [drafts, sent] = [await sources("Drafts"), await sources("Sent")];
    client.close();
    const holding = (list: string[], subject: string) => list.filter((raw) => raw.includes(`Subject: ${subject}\r\n`));
    const wrong: string[] = [];
    for (const { subject, text } of this.#written.values()) {
      const found = holding(drafts, subject);
      if (found.length !== 1) wrong.push(`${subject} is ${found.length} times in Drafts`);
      else if (!found[0]!.includes(text)) wrong.push(`${subject} is an old one in Drafts`);
    }
    for (const subject of this.#sent.values()) {
      const found = holding(sent, subject);
      if (found.length !== 1) wrong.push(`${subject} is ${found.length} times in Sent`);
    }
    return wrong;
  }

  /** The labels used here: a keyword that is only a hash reveals its label only to those who have seen it. */
  #keywords(): string[] {
    const { mailbox, user } = this.fixture;
    return LABELS.filter((label) => mailbox.labels.find(user.id, label) !== null).map(labelToKeyword);
  }

  #received(): StoredMessage[] {
    return this.fixture.messages().filter(wasReceived);
  }

  /** Snoozed mail returns, and another program removes the folder, so that it has to be created again. */
  async #withoutSnoozed(): Promise<void> {
    const { fixture, other } = this;
    const by = { user_id: fixture.user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    for (const { thread_id, locations } of fixture.messages()) {
      if (!locations.some((place) => place.startsWith(`${SNOOZED}:`))) continue;
      fixture.mailbox.changes.update(by, thread_id, { snooze_until: null });
    }
    await this.settled();
    if (!(await other.list()).some(({ path }) => path === SNOOZED)) return;
    await other.mailboxOpen("INBOX", { readOnly: true });
    await other.mailboxDelete(SNOOZED);
  }

  /** Writes a new draft, or another text of an existing one. */
  #write(by: Parameters<Outbound["drafts"]["create"]>[0], again: boolean): void {
    const text = `This is text number ${this.#texts++}.`;
    const body = `${text}\n${"word ".repeat(this.draft_words)}`;
    const known = [...this.#written.keys()];
    if (known.length > 0 && !again) {
      const id = pick(this.random, known);
      this.#outbound.drafts.update(by, id, { body });
      this.#written.get(id)!.text = text;
      return;
    }
    const subject = `Draft ${known.length}`;
    const { id } = this.#outbound.drafts.create(by, { to: ["bob@example.net"], subject, body });
    this.#written.set(id, { subject, text });
  }

  async #send(): Promise<void> {
    const { user } = this.fixture;
    const actor = { user_id: user.id, account_id: null, actor: SYSTEM_ACTOR, request_id: null };
    const subject = `Sent ${this.#sent.size}`;
    const message = { to: ["bob@example.net"], subject, body: "word ".repeat(this.draft_words) };
    const sender = { ...actor, key: { id: "key_campaign", created_at: 0 }, user };
    const { id } = this.#outbound.scheduler.sendNow(sender, message, { undo_window_s: 0 });
    this.#sent.set(id, subject);
    await this.#run(this.#dispatch, DISPATCH_JOB, { send_id: id });
  }

  #uncopied(): string[] {
    return [...this.#sent.keys()].filter((id) => this.#outbound.sends.get(id)?.copy === "wanted");
  }

  #draftsPending(): boolean {
    const { sql } = this.fixture.platform.db;
    const open =
      "SELECT 1 FROM drafts WHERE hidden = 0 AND send_id IS NULL AND (placed < revision OR missing_at IS NOT NULL)";
    return sql.query(`${open} UNION ALL SELECT 1 FROM draft_remains LIMIT 1`).get() !== null;
  }

  async #run(handler: JobHandler, kind: string, payload: object): Promise<void> {
    const job = { id: "job_1", kind, dedupe_key: null, user_id: this.fixture.user.id, payload, attempt: 1 };
    await handler.run(job).catch(() => {});
  }
}

/** Returns mail that is neither a draft nor sent from here. */
export const wasReceived = ({ message_id }: StoredMessage) => /<(?:INBOX|Archive|Live)-/.test(message_id ?? "");

function countOf(names: readonly string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return times;
}
