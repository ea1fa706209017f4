import { Database } from "bun:sqlite";
import type { FilledMessage } from "./fill.ts";

/** SQLite's own full-text search with its stemmer, every word of the query an alternative: what ours is compared with. */
export class Fts5 {
  readonly #db = new Database(":memory:");
  readonly #messages: readonly FilledMessage[];

  constructor(messages: readonly FilledMessage[]) {
    this.#messages = messages;
    this.#db.run("CREATE VIRTUAL TABLE t USING fts5(title, text, tokenize = 'porter unicode61')");
    const insert = this.#db.query("INSERT INTO t (rowid, title, text) VALUES (?, ?, ?)");
    this.#db.transaction(() => {
      for (const [i, { contents }] of messages.entries()) insert.run(i, contents.subject, textOf(contents));
    })();
  }

  /** The best threads, at most 100. */
  find(query: string): string[] {
    const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
    if (words.length === 0) return [];
    const rows = this.#db
      .query<{ rowid: number }, [string]>("SELECT rowid FROM t WHERE t MATCH ? ORDER BY bm25(t) LIMIT 100")
      .all(words.map((word) => `"${word}"`).join(" OR "));
    return [...new Set(rows.map(({ rowid }) => this.#messages[rowid]!.thread_id))];
  }

  close(): void {
    this.#db.close();
  }
}

/** What there is to find besides the subject. Collections have one sender, whose name would be in every document. */
function textOf({ from, to, text, attachments }: FilledMessage["contents"]): string {
  const people = [from, ...to]
    .flatMap(({ name, email }) => [name, email])
    .filter((who) => !/librarian|reader@/i.test(who));
  return [text, ...people, ...attachments.map(({ name }) => name)].join("\n");
}
