import type { Db } from "../../platform/db/open.ts";
import { type Demands, joined } from "./conditions.ts";

/** A message that was found. */
export interface Ranked {
  n: number;
  thread_id: string;
  /** When it was received, ms. */
  internal_date: number;
  /** By BM25, greater is better; 0 where no words ranked. */
  score: number;
}

/** Looking a message up costs a microsecond: so many are, and of more the mailbox is read from its newest end. */
export const MOST_LOOKED_UP = 4_000;
const FIRST_PIECE = 500;
const PIECE_GROWTH = 4;
const LARGEST_PIECE = 8_000;

/**
 * In this order: SQLite thinks that going through all messages of a user is less work than looking up a few. By these indexes:
 * the rows themselves are long, and lie far apart.
 */
export const JOIN = `CROSS JOIN messages m INDEXED BY messages_found ON m.n = found.n
                     CROSS JOIN threads t INDEXED BY threads_state ON t.id = m.thread_id`;
export const COLUMNS = "m.n, m.thread_id, m.internal_date";

/** Finds the newest of many messages. */
export class Newest {
  constructor(
    private readonly platform: { db: Pick<Db, "sql"> },
    private readonly most_looked_up = MOST_LOOKED_UP,
  ) {}

  /** The newest of these messages that meet the demands on rows, newest first. */
  of(numbers: readonly number[], demands: Demands, limit: number): Ranked[] {
    if (numbers.length <= this.most_looked_up) return this.#lookUp(numbers, demands, limit);
    const wanted = bitsOf(numbers);
    const found: Ranked[] = [];
    for (const piece of this.#fromNewest(demands)) {
      const here = piece.filter((n) => isIn(wanted, n));
      if (here.length > 0) found.push(...this.#lookUp(here, demands, limit - found.length));
      if (found.length === limit) break;
    }
    return found;
  }

  #lookUp(numbers: readonly number[], { rows }: Demands, limit: number): Ranked[] {
    const where = joined(rows, " AND ");
    return this.platform.db.sql
      .query<Ranked, (string | number)[]>(
        `SELECT ${COLUMNS}, 0 AS score FROM (SELECT value AS n FROM json_each(?)) AS found ${JOIN} WHERE ${where.text}
         ORDER BY m.internal_date DESC, m.n DESC LIMIT ?`,
      )
      .all(JSON.stringify(numbers), ...where.params, limit);
  }

  /** The messages that meet what an index tells of the demands, newest first, in growing pieces. */
  *#fromNewest({ rows }: Demands): Generator<number[]> {
    const told = rows.map((row) => (row.by_index === undefined ? row : row.by_index)).filter((row) => row !== null);
    const where = joined(told, " AND ");
    const find = this.platform.db.sql.query<never, (string | number)[]>(
      `SELECT m.n, m.internal_date FROM messages m INDEXED BY messages_filters
       WHERE ${where.text} AND m.internal_date <= ? AND (m.internal_date < ? OR m.n < ?)
       ORDER BY m.internal_date DESC, m.n DESC LIMIT ?`,
    );
    let [last, date] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    for (let size = FIRST_PIECE; ; size = Math.min(size * PIECE_GROWTH, LARGEST_PIECE)) {
      const piece = find.values(...where.params, date, date, last, size) as [number, number][];
      if (piece.length > 0) yield piece.map(([n]) => n);
      if (piece.length < size) return;
      [last, date] = piece.at(-1)!;
    }
  }
}

/** Numbers of rows as a set of bits: a tenth of what a Set of them takes, in time as in memory. */
function bitsOf(numbers: readonly number[]): Uint8Array {
  let largest = 0;
  for (const n of numbers) if (n > largest) largest = n;
  const bits = new Uint8Array(Math.floor(largest / 8) + 1);
  for (const n of numbers) bits[Math.floor(n / 8)]! |= 1 << (n % 8);
  return bits;
}

function isIn(bits: Uint8Array, n: number): boolean {
  return ((bits[Math.floor(n / 8)] ?? 0) & (1 << (n % 8))) !== 0;
}
