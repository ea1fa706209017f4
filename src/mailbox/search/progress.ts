import type { Platform } from "../../platform/platform.ts";

/** How far an account's mail is indexed by its meaning. */
export interface SearchProgress {
  done: number;
  total: number;
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
  if (known && known.from <= began && began < known.until) return { done: known.done, total: known.total };
  const found = count(platform, account_id);
  const ended = clock.now();
  accounts.set(account_id, { ...found, from: began, until: ended + (ended - began) * WORTH });
  return found;
}

function count({ db }: Platform, account_id: string): SearchProgress {
  const rowsOf = (table: "messages" | "embed_queue") =>
    db.sql.query<{ c: number }, [string]>(`SELECT count(*) AS c FROM ${table} WHERE account_id = ?`).get(account_id)!.c;
  const total = rowsOf("messages");
  return { done: Math.max(0, total - rowsOf("embed_queue")), total };
}
