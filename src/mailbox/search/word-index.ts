import { isId } from "../../kernel/ids.ts";
import type { Db } from "../../platform/db/open.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import { Blinding } from "./blinding.ts";
import { type BlindedWords, INDEX_COLUMNS, type IndexColumn, WordReader } from "./words.ts";

/** What a hit in a column counts, in the order of the columns: subject before sender before body before attachments. */
const WEIGHTS: Record<IndexColumn, number> = {
  subject: 2.5,
  sender: 2,
  recipients: 0.7,
  cc: 0.5,
  body: 1,
  files: 0.9,
  file_text: 0.6,
  subject_stems: 2.5,
  body_stems: 1,
  file_stems: 0.6,
};

/** FTS5 merges segments when so many of a size have gathered; rarely, for a first sync writes a segment with each commit. */
const AUTOMERGE = 8;
const CRISIS_MERGE = 32;

const MOST_READERS = 2;

const TABLE = /^words_usr_[0-9a-z]{26}$/;

/** The words of every message, blinded, in one FTS5 table for each user. The caller holds the transaction. */
export class WordIndex {
  readonly #blindings = new Map<string, Blinding>();
  readonly #readers = new Map<string, WordReader>();
  readonly #made = new Set<string>();

  constructor(private readonly platform: { db: Pick<Db, "sql" | "write">; keyring: Keyring }) {}

  /** Stores the words of a message that is not in the index. @param n of the message's row */
  add(user_id: string, n: number, words: BlindedWords): void {
    const table = this.#table(user_id);
    // As bytes, which FTS5 reads as text: strings of them would be half the garbage of a first sync.
    const columns = words.ends.map((end, i) => words.tokens.subarray(words.ends[i - 1] ?? 0, end));
    const places = INDEX_COLUMNS.map(() => "?").join(", ");
    try {
      this.platform.db.sql
        .query(`INSERT INTO ${table} (rowid, ${INDEX_COLUMNS.join(", ")}) VALUES (?, ${places})`)
        .run(n, ...columns);
    } catch (error) {
      // A transaction that was undone took the table with it.
      this.#made.delete(table);
      throw error;
    }
  }

  /** Puts these words in the place of those that the index has of a message. */
  replace(user_id: string, n: number, words: BlindedWords): void {
    this.platform.db.sql.query(`DELETE FROM ${this.#table(user_id)} WHERE rowid = ?`).run(n);
    this.add(user_id, n, words);
  }

  /** Finds and blinds words as this index has them. */
  reader(user_id: string): WordReader {
    const known = this.#readers.get(user_id);
    if (known) return known;
    // Each holds several MB; users come one after the other.
    if (this.#readers.size >= MOST_READERS) this.#readers.clear();
    const made = new WordReader(this.platform.keyring.forUser(user_id).wordKey);
    this.#readers.set(user_id, made);
    return made;
  }

  blinding(user_id: string): Blinding {
    const known = this.#blindings.get(user_id);
    if (known) return known;
    const made = new Blinding(this.platform.keyring.forUser(user_id).wordKey);
    this.#blindings.set(user_id, made);
    return made;
  }

  /** Name of a user's table; null while nothing of theirs is indexed. */
  tableOf(user_id: string): string | null {
    const table = tableName(user_id);
    if (this.#made.has(table)) return table;
    const found = this.platform.db.sql.query("SELECT 1 FROM sqlite_schema WHERE name = ?").get(table) !== null;
    if (found) this.#made.add(table);
    return found ? table : null;
  }

  /** The ranking expression: greater is better. */
  rankOf(table: string): string {
    return `-bm25(${table}, ${INDEX_COLUMNS.map((column) => WEIGHTS[column]).join(", ")})`;
  }

  /** Drops the tables of users who are gone; their rows went with their mail. */
  sweep(): void {
    const { sql } = this.platform.db;
    const tables = sql
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'words\\_usr\\_%' ESCAPE '\\'",
      )
      .all()
      .map(({ name }) => name)
      .filter((name) => TABLE.test(name));
    for (const table of tables) {
      const user_id = table.slice("words_".length);
      if (sql.query("SELECT 1 FROM users WHERE id = ?").get(user_id) === null) this.drop(user_id);
    }
  }

  /** Drops a user's table at once, before their mail: each deleted message would else be looked for in it. */
  drop(user_id: string): void {
    const table = tableName(user_id);
    const { sql } = this.platform.db;
    this.platform.db.write(() => {
      sql.run(`DROP TRIGGER IF EXISTS ${table}_gone`);
      sql.run(`DROP TABLE IF EXISTS ${table}`);
    });
    this.forget(user_id);
  }

  /** Lets go of what is kept in memory of a user who is gone: it has their key in it. */
  forget(user_id: string): void {
    this.#made.delete(tableName(user_id));
    this.#blindings.delete(user_id);
    this.#readers.delete(user_id);
  }

  #table(user_id: string): string {
    const table = this.tableOf(user_id);
    if (table) return table;
    const made = tableName(user_id);
    const { sql } = this.platform.db;
    sql.run(
      `CREATE VIRTUAL TABLE IF NOT EXISTS ${made} USING fts5(${INDEX_COLUMNS.join(", ")},
         content = '', contentless_delete = 1, tokenize = 'ascii', detail = full)`,
    );
    sql.run(`INSERT INTO ${made} (${made}, rank) VALUES ('automerge', ${AUTOMERGE}), ('crisismerge', ${CRISIS_MERGE})`);
    // Whichever way a message is deleted, by itself or with its mailbox, its words go in the same transaction.
    sql.run(
      `CREATE TRIGGER IF NOT EXISTS ${made}_gone AFTER DELETE ON messages WHEN OLD.user_id = '${user_id}'
       BEGIN DELETE FROM ${made} WHERE rowid = OLD.n; END`,
    );
    return made;
  }
}

function tableName(user_id: string): string {
  // It becomes part of SQL statements.
  if (!isId("user", user_id)) throw new Error("This is no id of a user.");
  return `words_${user_id}`;
}
