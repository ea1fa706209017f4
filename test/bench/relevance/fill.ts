import { mailPipeline } from "../../../src/app/mail.ts";
import { seed } from "../../../src/app/sandbox.ts";
import { readContents } from "../../../src/inbound/message/parsed-message.ts";
import type { Pipeline } from "../../../src/inbound/message/pipeline.ts";
import { toIncoming } from "../../../src/inbound/message/pipeline.ts";
import type { Mailbox } from "../../../src/mailbox/mailbox.ts";
import type { IncomingMessage } from "../../../src/mailbox/store/incoming.ts";
import type { Platform } from "../../../src/platform/platform.ts";
import { type NamedMessage, namedSandbox } from "../known-items/known-items.ts";
import type { Fts5Document } from "./fts5.ts";
import { LIBRARIAN } from "./plain-message.ts";
import type { QuerySet } from "./sets.ts";

/** A set in a data folder. */
export interface FilledSet {
  name: string;
  userId: string;
  /** When its mailbox was made. */
  madeAt: Date;
  /** The threads that queries name. */
  threads: Map<string, string[]>;
  messages: FilledMessage[];
}

/** A message as stored. */
export interface FilledMessage {
  n: number;
  threadId: string;
  contents: IncomingMessage;
}

const BATCH = 100;
const FLAGS = { seen: true, flagged: false, answered: false, draft: false, important: false };

/** The address of the person whose mail a set is. */
export const personOf = (name: string) => `${name}@example.org`;

/** Stores a set as the mail of a new person, through the usual steps of mail. */
export async function fillSet(platform: Platform, mailbox: Mailbox, set: QuerySet): Promise<FilledSet> {
  const person = platform.users.add({ email: personOf(set.name), plan: "autopilot", role: "member", timezone: "UTC" });
  if (set.messages === null) return fillSandbox(platform, mailbox, person.id, set.name);
  const pipeline = mailPipeline(platform, mailbox);
  const filler = new Filler(platform, mailbox, pipeline, person.id, set);
  for (let i = 0; i < set.messages.length; i += BATCH) await filler.take(set.messages.slice(i, i + BATCH), i + 1);
  filler.end();
  return {
    name: set.name,
    userId: person.id,
    madeAt: new Date(platform.clock.now()),
    threads: filler.threads,
    messages: filler.messages,
  };
}

class Filler {
  readonly threads = new Map<string, string[]>();
  readonly messages: FilledMessage[] = [];
  readonly #account;
  readonly #folder;

  constructor(
    private readonly platform: Platform,
    private readonly mailbox: Mailbox,
    private readonly pipeline: Pipeline,
    user_id: string,
    private readonly set: QuerySet,
  ) {
    const email = `box.${personOf(set.name)}`;
    this.#account = mailbox.accounts.add({ user_id, provider: "imap", email, connection: null });
    this.#folder = mailbox.folders.upsert(this.#account, "INBOX", "/", "inbox");
    this.#account.sync.phase = "importing";
  }

  async take(batch: readonly NamedMessage[], firstUid: number): Promise<void> {
    const incoming = await Promise.all(
      batch.map(({ name, raw, at }, i) =>
        incomingOf(raw, at, { id: this.#folder.id, uid: firstUid + i, thread: this.set.apart ? name : null }),
      ),
    );
    this.platform.db.write(() => this.pipeline.take(this.#account, this.#folder, incoming));
    for (const [i, { name }] of batch.entries()) {
      const place = this.mailbox.locations.at(this.#folder.id, firstUid + i);
      if (place) keep(this, name, stored(this.platform, place, incoming[i]!));
    }
  }

  end(): void {
    const { accounts } = this.mailbox;
    const done = this.set.messages!.length;
    accounts.setProgress(this.#account.id, { phase: "live", done, total: done });
    accounts.setStatus(this.#account.id, "paused", null);
  }
}

async function fillSandbox(platform: Platform, mailbox: Mailbox, person: string, name: string): Promise<FilledSet> {
  const user_id = platform.users.sandboxOf(person).id;
  await seed(platform, mailbox, user_id);
  const account = mailbox.accounts.list(user_id)[0]!;
  const madeAt = new Date(account.created_at);
  const filled = {
    name,
    userId: user_id,
    madeAt,
    threads: new Map<string, string[]>(),
    messages: [] as FilledMessage[],
  };
  const uids = new Map<string, number>();
  for (const { name, folder, raw, at } of await namedSandbox(madeAt)) {
    const uid = (uids.get(folder) ?? 0) + 1;
    uids.set(folder, uid);
    const { id } = mailbox.folders.list(account).find(({ role }) => role === folder)!;
    const incoming = await incomingOf(raw, at, { id, uid, thread: null });
    keep(filled, name, stored(platform, mailbox.locations.at(id, uid)!, incoming));
  }
  return filled;
}

async function incomingOf(
  raw: Uint8Array,
  at: number,
  { id, uid, thread }: { id: string; uid: number; thread: string | null },
): Promise<IncomingMessage> {
  const { contents } = await readContents({ source: raw });
  return toIncoming(contents, {
    folderId: id,
    uid,
    internalDate: at,
    size: raw.length,
    flags: FLAGS,
    labels: [],
    flagsHash: 0,
    serverThreadId: thread,
  });
}

function stored(
  { db }: Platform,
  { message_id, thread_id }: { message_id: string; thread_id: string },
  contents: IncomingMessage,
): FilledMessage {
  const row = db.sql.query<{ n: number }, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!;
  return { n: row.n, threadId: thread_id, contents };
}

function keep(filled: Pick<FilledSet, "threads" | "messages">, name: string, message: FilledMessage): void {
  filled.messages.push(message);
  filled.threads.set(name, [...new Set([...(filled.threads.get(name) ?? []), message.threadId])]);
}

/** Returns the text of a message for plain full-text search: subject, text, people and names of files. */
export function fts5Document({ threadId, contents }: FilledMessage): Fts5Document {
  const { subject, text, from, to, attachments } = contents;
  const people = [from, ...to].flatMap(({ name, email }) => [name, email]);
  // In the public collections all documents have one sender, whose name does not belong to them.
  const known = from.email === LIBRARIAN ? [] : people;
  return { id: threadId, title: subject, text: [text, ...known, ...attachments.map(({ name }) => name)].join("\n") };
}
