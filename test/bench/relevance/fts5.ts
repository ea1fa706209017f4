import { Database } from "bun:sqlite";

/** A document with the name by which its answers are counted. */
export interface Fts5Document {
  id: string;
  title: string;
  text: string;
}

const MAX_RESULTS = 100;

/** SQLite's own full-text search with its stemmer, every word of the query an alternative: the baseline for ours. */
export class Fts5 {
  readonly #db = new Database(":memory:");

  constructor(private readonly documents: readonly Fts5Document[]) {
    this.#db.run("CREATE VIRTUAL TABLE t USING fts5(title, text, tokenize = 'porter unicode61')");
    const insert = this.#db.query("INSERT INTO t (rowid, title, text) VALUES (?, ?, ?)");
    this.#db.transaction(() => {
      for (const [i, { title, text }] of documents.entries()) insert.run(i, title, text);
    })();
  }

  /** Returns ids of the best documents, at most 100, each once. */
  find(query: string): string[] {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
    if (words.length === 0) return [];
    const rows = this.#db
      .query<{ rowid: number }, [string]>(`SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT ${MAX_RESULTS}`)
      .all(words.map((word) => `"${word}"`).join(" OR "));
    return [...new Set(rows.map(({ rowid }) => this.documents[rowid]!.id))];
  }

  close(): void {
    this.#db.close();
  }
}
