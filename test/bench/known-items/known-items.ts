import { composeThread } from "../../../src/sandbox/compose.ts";
import { sandboxMessages, sandboxThreads } from "../../../src/sandbox/sample-mail.ts";
import { fill } from "../../../src/sandbox/template.ts";
import { type CorpusMessage, spamAssassin } from "../../support/corpus.ts";
import { ham } from "./ham.ts";
import type { Kind, KnownItems } from "./kinds.ts";
import { notes } from "./notes.ts";
import { notes as notesMail, rawNote } from "./notes-mail.ts";
import { sandbox } from "./sandbox.ts";

export const MAILBOXES = ["sandbox", "ham", "notes"] as const;
export type MailboxName = (typeof MAILBOXES)[number];

/** A query, and the names of the mails that answer it. */
export interface KnownItem {
  mailbox: MailboxName;
  kind: Kind;
  query: string;
  targets: string[];
}

/** A message with the name that queries use for it; messages of one conversation may share a name. */
export interface NamedMessage {
  name: string;
  raw: Uint8Array;
  /** When it was received, ms. */
  at: number;
}

const TABLES: Record<MailboxName, KnownItems> = { sandbox, ham, notes };

/** Returns all queries. @param now the time at which the sample mail was made, on which its dates depend */
export function knownItems(now: Date): KnownItem[] {
  const scope = { now, date: now, lang: "en-GB" as const };
  return MAILBOXES.flatMap((mailbox) =>
    (Object.entries(TABLES[mailbox]) as [Kind, KnownItems[Kind]][]).flatMap(([kind, rows]) =>
      (rows ?? []).map(([query, ...targets]) => ({ mailbox, kind, query: fill(query, scope), targets })),
    ),
  );
}

/**
 * Returns the ham of the corpus, each message named after its file. The Date header serves as the time of receipt,
 * which the corpus does not have.
 */
export function hamMessages(): NamedMessage[] {
  return spamAssassin()
    .filter(({ name }) => name.includes("ham"))
    .map(({ name, raw }) => ({ name, raw, at: dateOf(raw) }));
}

export function notesMessages(): NamedMessage[] {
  return notesMail.map((note) => ({ name: note.id, raw: rawNote(note), at: Date.parse(`${note.at}T09:00:00Z`) }));
}

/**
 * Returns for each message of the sample mail its thread's id, by Message-ID. @param now the time at which the sample
 * mail was made
 */
export async function sandboxNames(now: Date): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const thread of sandboxThreads()) {
    for (const { raw } of await composeThread(thread, now)) names.set(headerOf(raw, "Message-ID"), thread.id);
  }
  return names;
}

/** Returns the sample mail with the ids of its threads, oldest first, in the order in which a sandbox is filled. */
export async function namedSandbox(now: Date): Promise<(NamedMessage & { folder: string })[]> {
  const names = await sandboxNames(now);
  return (await sandboxMessages(now)).map(({ raw, folder, internalDate }) => ({
    name: names.get(headerOf(raw, "Message-ID"))!,
    raw,
    folder,
    at: internalDate.getTime(),
  }));
}

/** Subjects that are too generic to join messages. */
const MIN_LETTERS = 6;

/** Some messages of a mailing-list conversation are missing, so its parts are joined here by their subject. */
export function sameConversation(messages: readonly Pick<CorpusMessage, "name" | "raw">[]): Map<string, string[]> {
  const subjects = new Map<string, string[]>();
  const keys = messages.map(({ name, raw }) => {
    const bare = headerOf(raw, "Subject")
      .toLowerCase()
      .replace(/^(\s*((re|fwd?)\s*:|\[[^\]]*\]))+/, "")
      .trim();
    const key = bare.length < MIN_LETTERS ? name : bare;
    subjects.set(key, [...(subjects.get(key) ?? []), name]);
    return { name, key };
  });
  return new Map(keys.map(({ name, key }) => [name, subjects.get(key)!]));
}

const LONGEST_HEAD = 32 * 1024;

/** Returns the first header with this name, folded lines joined; empty when there is none. */
export function headerOf(raw: Uint8Array, name: string): string {
  const head = Buffer.from(raw.subarray(0, LONGEST_HEAD)).toString("latin1").split("\r\n\r\n")[0]!;
  const found = new RegExp(`^${name}:[ \\t]*((?:.*)(?:\\r\\n[ \\t].*)*)`, "im").exec(head);
  return found?.[1]?.replace(/\r\n[ \t]+/g, " ").trim() ?? "";
}

const UNDATED = Date.parse("2002-09-01T00:00:00Z");

function dateOf(raw: Uint8Array): number {
  const at = Date.parse(headerOf(raw, "Date"));
  return Number.isNaN(at) ? UNDATED : at;
}
