import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Mail } from "./mails.ts";

const FIXTURES = join(import.meta.dir, "../fixtures");

/** A mail as a database has it. */
export interface StoredMail extends Mail {
  /** messages.n and messages.id. */
  n: number;
  id: string;
}

/** Mail that was delivered to the folder of version 0.1 in test/fixtures. The key that sealed it is not kept. */
export interface Delivered {
  victims: StoredMail[];
  chosen: StoredMail[];
}

export function readDelivered(): Delivered {
  return JSON.parse(readFileSync(join(FIXTURES, "index-0.1.json"), "utf8")) as Delivered;
}

/** Writes the database of version 0.1 into a folder. */
export async function writeOldFolder(folder: string): Promise<void> {
  const packed = readFileSync(join(FIXTURES, "index-0.1.db.zst"));
  await Bun.write(join(folder, "postroom.db"), Bun.zstdDecompressSync(packed));
}

/** Returns all tokens in the FTS5 tables `words_<user id>` of a database. */
export function tokensOf(sql: Database): string[] {
  const tables = sql
    .query<{ name: string }, []>(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'virtual' AND name LIKE 'words%'",
    )
    .all();
  const tokens = tables.flatMap(({ name }) => {
    sql.run(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, ${name}, row)`);
    try {
      return sql.query<{ term: string }, []>("SELECT term FROM temp.vocabulary").all();
    } finally {
      sql.run("DROP TABLE temp.vocabulary");
    }
  });
  return tokens.map(({ term }) => term);
}

/** FTS5 stores of a token only its difference from the previous one: at least this much is always present. */
const TAIL_CHARS = 8;

/**
 * Counts the places in the files of a database that hold a token, or the end of one.
 * @param tokens of characters a to z and 2 to 7
 */
export function tokensLeft(path: string, tokens: readonly string[]): number {
  const tails = new Set(tokens.map((token) => token.slice(-TAIL_CHARS)));
  let count = 0;
  for (const suffix of ["", "-wal"]) {
    const bytes = readIfThere(path + suffix);
    for (const { 0: run } of bytes.toString("latin1").matchAll(/[a-z2-7]{8,}/g)) {
      for (let i = 0; i + TAIL_CHARS <= run.length; i++) if (tails.has(run.slice(i, i + TAIL_CHARS))) count++;
    }
  }
  return count;
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Returns the HMACs of 128 bits that version 0.1 had of each message and that no other table keeps. Opening the
 * database may change its files.
 */
export function longTagsOf(folder: string): Buffer[] {
  const sql = new Database(join(folder, "postroom.db"));
  try {
    const tags = sql
      .query<{ tag: Uint8Array }, []>(
        "SELECT msgid_hmac AS tag FROM messages UNION SELECT content_hmac FROM messages UNION SELECT subject_hmac FROM messages",
      )
      .all();
    return tags.flatMap(({ tag }) => (tag?.length === 16 ? [Buffer.from(tag)] : []));
  } finally {
    sql.close();
  }
}

/** Counts which of these values are in the files of a database. */
export function valuesLeft(path: string, values: readonly Buffer[]): number {
  const files = [readIfThere(path), readIfThere(`${path}-wal`)];
  return values.filter((value) => files.some((bytes) => bytes.includes(value))).length;
}
