import type { Platform } from "../../platform/platform.ts";
import { fold } from "../search/fold.ts";
import { type Address, tryOpenEnvelope } from "../store/envelope.ts";
import type { MessageRow } from "../store/tables.ts";
import { baseSubject } from "../threading/base-subject.ts";
import type { ThreadRow } from "../threading/tables.ts";
import type { MailScope } from "./scope.ts";

/** The subject of a recent thread, without markers such as "Re:". */
export interface RecentSubject {
  subject: string;
  from: Address;
  /** When its newest message was received, ms. */
  at: number;
}

interface Opened {
  from: Address;
  subject: string;
  /** For comparison, with a space before each word. */
  text: string;
}
type Recent = Pick<ThreadRow, "top_message_id" | "last_at">;

/** States of which recent threads are compared: all except trash and spam. */
const STATES = ["inbox", "archived", "snoozed", "sent"] as const;
const MAX_THREADS_PER_STATE = 150;
/** Messages that one call decrypts. The next calls decrypt the rest. */
const MAX_OPENED = 100;
/** Users whose decrypted subjects are cached, and subjects of one user, at about 400 bytes each. */
const MAX_USERS = 4;
const MAX_CACHED = 4_000;
const LONGEST_SUBJECT_CHARS = 200;

/** Completes subjects of recent threads as they are typed. The work of a call is bounded. */
export class RecentSubjects {
  /** By user, least recently used first, then by message. */
  readonly #opened = new Map<string, Map<string, Opened>>();

  constructor(private readonly platform: Platform) {}

  /** Returns different subjects with a word that begins with the text, latest first, at most `limit`. */
  matching(scope: MailScope, given: string, limit: number): RecentSubject[] {
    const wanted = ` ${fold(given.trim())}`;
    const cache = this.#cacheOf(scope.user_id);
    let budget = MAX_OPENED;
    const found = new Map<string, RecentSubject>();
    for (const { top_message_id, last_at } of this.#recent(scope)) {
      if (found.size === limit) break;
      let opened = cache.get(top_message_id);
      if (!opened) {
        if (budget === 0) continue;
        budget--;
        opened = this.#open(scope.user_id, top_message_id);
        cache.set(top_message_id, opened);
      }
      const { subject, from, text } = opened;
      if (subject === "" || !text.includes(wanted) || found.has(text)) continue;
      found.set(text, { subject, from, at: last_at });
    }
    return [...found.values()];
  }

  /** Returns the latest threads, latest first. */
  #recent({ user_id, account_id }: MailScope): Recent[] {
    const owner = account_id === null ? "user_id" : "account_id";
    const threads = this.platform.db.sql.query<Recent, [string, string, number]>(
      `SELECT top_message_id, last_at FROM threads WHERE ${owner} = ? AND state = ?
       ORDER BY last_at DESC, id DESC LIMIT ?`,
    );
    return STATES.flatMap((state) => threads.all(account_id ?? user_id, state, MAX_THREADS_PER_STATE)).sort(
      (a, b) => b.last_at - a.last_at,
    );
  }

  #open(user_id: string, message_id: string): Opened {
    const row = this.platform.db.sql
      .query<Pick<MessageRow, "head">, [string]>("SELECT head FROM messages WHERE id = ?")
      .get(message_id);
    const envelope = row && tryOpenEnvelope(this.platform.keyring.forUser(user_id), message_id, row.head);
    const from = envelope?.from ?? { name: "", email: "" };
    const subject = withoutMarkers((envelope?.subject ?? "").slice(0, LONGEST_SUBJECT_CHARS));
    return { from, subject, text: ` ${fold(subject).replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")}` };
  }

  #cacheOf(user_id: string): Map<string, Opened> {
    const known = this.#opened.get(user_id);
    const cache = known && known.size <= MAX_CACHED ? known : new Map<string, Opened>();
    this.#opened.delete(user_id);
    this.#opened.set(user_id, cache);
    if (this.#opened.size > MAX_USERS) this.#opened.delete(this.#opened.keys().next().value!);
    return cache;
  }
}

/** Returns a subject as it is written, on one line, without the markers that its base subject leaves out. */
function withoutMarkers(given: string): string {
  const subject = given.replace(/\s+/g, " ").trim();
  const { base } = baseSubject(subject);
  const at = base === "" ? -1 : subject.toLowerCase().indexOf(base);
  return at < 0 ? subject : subject.slice(at, at + base.length);
}
