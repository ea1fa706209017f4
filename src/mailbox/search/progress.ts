import type { Platform } from "../../platform/platform.ts";

/** How far an account's mail is indexed by its meaning. */
export interface SearchProgress {
  done: number;
  total: number;
}

export function searchProgress({ db }: Platform, account_id: string): SearchProgress {
  const count = (table: "messages" | "embed_queue") =>
    db.sql.query<{ c: number }, [string]>(`SELECT count(*) AS c FROM ${table} WHERE account_id = ?`).get(account_id)!.c;
  const total = count("messages");
  return { done: Math.max(0, total - count("embed_queue")), total };
}
