import type { Platform } from "../../platform/platform.ts";
import { openTexts } from "./texts.ts";
import type { WordIndex } from "./word-index.ts";

/** Failures after which the files of a message are given up. */
const MOST_ATTEMPTS = 3;

/** Which messages have attachments whose text is to be indexed, and what became of that. */
export class FileTexts {
  constructor(
    private readonly platform: Platform,
    private readonly words: WordIndex,
  ) {}

  /** Notes that a message's files are to be read; in the transaction that stores it. */
  note(message_n: number, account_id: string): void {
    this.platform.db.sql
      .query("INSERT OR IGNORE INTO file_texts (message_n, account_id, state) VALUES (?, ?, 'waiting')")
      .run(message_n, account_id);
  }

  /** Messages whose files wait, those that came last first. */
  waiting(account_id: string, limit: number): { n: number; message_id: string }[] {
    return this.platform.db.sql
      .query<{ n: number; message_id: string }, [string, number]>(
        `SELECT m.n, m.id AS message_id FROM file_texts f JOIN messages m ON m.n = f.message_n
         WHERE f.account_id = ? AND f.state = 'waiting' ORDER BY f.message_n DESC LIMIT ?`,
      )
      .all(account_id, limit);
  }

  /** Indexes a message anew with the text of its files, which is kept nowhere else. */
  store(user_id: string, n: number, files: readonly { name: string }[], file_text: string): void {
    this.platform.db.write(() => {
      const [message] = openTexts(this.platform, user_id, [n]);
      if (!message) return;
      const { head, text } = message;
      const words = this.words.reader(user_id).read({ ...head, text, attachments: files }, file_text);
      this.words.replace(user_id, n, words);
      this.#set(n, "done");
    });
  }

  /** Counts a failure that is this message's own. */
  failed(n: number): void {
    this.platform.db.sql
      .query(
        `UPDATE file_texts SET attempts = attempts + 1,
           state = CASE WHEN attempts + 1 >= ${MOST_ATTEMPTS} THEN 'failed' ELSE state END WHERE message_n = ?`,
      )
      .run(n);
  }

  #set(n: number, state: "done" | "failed"): void {
    this.platform.db.sql.query("UPDATE file_texts SET state = ? WHERE message_n = ?").run(state, n);
  }
}
