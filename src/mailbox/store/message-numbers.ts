import type { Db } from "../../platform/db/open.ts";
import type { MessageRow } from "./tables.ts";

/*
 * `messages.n` numbers the messages of an installation in the order in which they arrive. Indexes name a message by its
 * number, because it is shorter than its id.
 */

/** Returns the number of a stored message. @throws when there is no such message */
export function numberOf({ sql }: Pick<Db, "sql">, message_id: string): number {
  return sql.query<Pick<MessageRow, "n">, [string]>("SELECT n FROM messages WHERE id = ?").get(message_id)!.n;
}

/** Returns the ids of messages, in the order of their numbers in `numbers`, without those that do not exist. */
export function idsOf({ sql }: Pick<Db, "sql">, numbers: readonly number[]): string[] {
  const rows = sql
    .query<Pick<MessageRow, "n" | "id">, [string]>(
      "SELECT n, id FROM messages WHERE n IN (SELECT value FROM json_each(?))",
    )
    .all(JSON.stringify(numbers));
  const ids = new Map(rows.map(({ n, id }) => [n, id]));
  return numbers.flatMap((n) => ids.get(n) ?? []);
}

/** Returns the highest number in use, 0 in an empty installation: an upper bound of the count that needs no scan. */
export function newestNumber({ sql }: Pick<Db, "sql">): number {
  return sql.query<{ n: number | null }, []>("SELECT max(n) AS n FROM messages").get()?.n ?? 0;
}
