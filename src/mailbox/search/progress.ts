import type { Platform } from "../../platform/platform.ts";
import type { MailScope } from "../queries/scope.ts";

/** Messages of so many. */
export interface Progress {
  done: number;
  total: number;
}

/** How far an account's mail is indexed: by its meaning, and by its text. */
export interface SearchProgress extends Progress {
  full_text: Progress;
}

/** A count is good for so many times what it took: nothing in a small mailbox, part of a second in a large one. */
const WORTH = 50;

interface Counted extends SearchProgress {
  /** ms; a clock that was set back is before the first. */
  from: number;
  until: number;
}

const counted = new WeakMap<Platform, Map<string, Counted>>();

/** Counting takes 7 ms over 100,000 messages, and pages ask again and again: what was counted a moment ago is told again. */
export function searchProgress(platform: Platform, account_id: string): SearchProgress {
  const { clock } = platform;
  const accounts = counted.get(platform) ?? new Map<string, Counted>();
  counted.set(platform, accounts);
  const known = accounts.get(account_id);
  const began = clock.now();
  if (known && known.from <= began && began < known.until) {
    const { done, total, full_text } = known;
    return { done, total, full_text };
  }
  const found = count(platform, account_id);
  const ended = clock.now();
  accounts.set(account_id, { ...found, from: began, until: ended + (ended - began) * WORTH });
  return found;
}

/** Returns how many messages no search finds by their words yet: after an upgrade the mail of before is indexed again. */
export function notInFullText(platform: Platform, { user_id, account_id }: MailScope): number {
  const { sql } = platform.db;
  const queued = account_id
    ? sql.query<object, [string]>("SELECT 1 FROM search_queue WHERE account_id = ? LIMIT 1").get(account_id)
    : sql.query<object, [string]>("SELECT 1 FROM search_queue WHERE user_id = ? LIMIT 1").get(user_id);
  if (queued === null) return 0;
  const accounts = account_id
    ? [account_id]
    : sql
        .query<{ id: string }, [string]>("SELECT id FROM accounts WHERE user_id = ?")
        .all(user_id)
        .map(({ id }) => id);
  const waiting = accounts.reduce((sum, id) => {
    const { done, total } = searchProgress(platform, id).full_text;
    return sum + total - done;
  }, 0);
  return Math.max(1, waiting);
}

function count({ db }: Platform, account_id: string): SearchProgress {
  const rowsOf = (table: "messages" | "embed_queue" | "search_queue") =>
    db.sql.query<{ c: number }, [string]>(`SELECT count(*) AS c FROM ${table} WHERE account_id = ?`).get(account_id)!.c;
  const total = rowsOf("messages");
  const without = (queue: "embed_queue" | "search_queue") => Math.max(0, total - rowsOf(queue));
  return { done: without("embed_queue"), total, full_text: { done: without("search_queue"), total } };
}
