import type { Platform } from "../../platform/platform.ts";
import type { AccountRow } from "../accounts/tables.ts";
import type { MailScope } from "../queries/scope.ts";

/** Number of messages that are done, and of all messages. */
interface Progress {
  done: number;
  total: number;
}

/** The share of an account's mail that is indexed, for semantic search and for full-text search. */
export interface SearchProgress extends Progress {
  full_text: Progress;
}

/**
 * A count stays valid for this many times the time it took: a moment in a small mailbox, part of a second in a large
 * one.
 */
const WORTH = 50;

interface Counted extends SearchProgress {
  /** ms; if the clock was set back, the current time is before it and the count is not used. */
  from: number;
  until: number;
}

const counted = new WeakMap<Platform, Map<string, Counted>>();

/**
 * Returns the search progress of an account. Counting takes 7 ms for 100,000 messages and pages request it repeatedly,
 * so a recent count is reused.
 */
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

/** Returns how many messages full-text search does not find yet: after an upgrade, earlier mail is indexed again. */
export function notInFullText(platform: Platform, { user_id, account_id }: MailScope): number {
  const { sql } = platform.db;
  const queued = account_id
    ? sql.query<object, [string]>("SELECT 1 FROM search_queue WHERE account_id = ? LIMIT 1").get(account_id)
    : sql.query<object, [string]>("SELECT 1 FROM search_queue WHERE user_id = ? LIMIT 1").get(user_id);
  if (queued === null) return 0;
  const accounts = account_id
    ? [account_id]
    : sql
        .query<Pick<AccountRow, "id">, [string]>("SELECT id FROM accounts WHERE user_id = ?")
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
