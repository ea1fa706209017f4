import type { Db } from "../../platform/db/open.ts";
import type { Platform } from "../../platform/platform.ts";
import { SERVERLESS_PROVIDERS } from "../accounts/accounts.ts";
import type { AccountRow } from "../accounts/tables.ts";
import { type FileText, sealFileTexts } from "../store/file-text.ts";
import type { MessageRow } from "../store/tables.ts";
import type { FullTextIndex } from "./fulltext-index.ts";
import { readTerms } from "./indexable.ts";
import { openForIndex } from "./reindex.ts";

/** Files of a message whose text is kept, and characters of each. */
const MAX_KEPT_FILES = 8;
const MAX_KEPT_CHARS = 12_000;
/** Failed attempts after which the attachments of a message are skipped. */
const MAX_ATTEMPTS = 3;

/** Records which messages have attachments whose text is to be indexed, and which of them are done. */
export class FileTexts {
  constructor(
    private readonly platform: Platform,
    private readonly fullText: FullTextIndex,
  ) {}

  /** Records that the attachments of a message are to be read. Call it in the transaction that stores the message. */
  note(message_n: number, account_id: string): void {
    this.platform.db.sql
      .query("INSERT OR IGNORE INTO file_texts (message_n, account_id, state) VALUES (?, ?, 'waiting')")
      .run(message_n, account_id);
  }

  /** Returns messages whose attachments wait to be read, the newest first. */
  waiting(account_id: string, limit: number): { n: number; message_id: string }[] {
    return this.platform.db.sql
      .query<Pick<MessageRow, "n"> & { message_id: string }, [string, number]>(
        `SELECT m.n, m.id AS message_id FROM file_texts f JOIN messages m ON m.n = f.message_n
         WHERE f.account_id = ? AND f.state = 'waiting' ORDER BY f.message_n DESC LIMIT ?`,
      )
      .all(account_id, limit);
  }

  /**
   * Keeps the beginning of the texts of a message's files, from which questions are answered. Call it in a transaction.
   */
  keep(user_id: string, { n, message_id }: { n: number; message_id: string }, files: readonly FileText[]): void {
    const texts = files
      .slice(0, MAX_KEPT_FILES)
      .map((file) => ({ ...file, text: file.text.slice(0, MAX_KEPT_CHARS) }))
      .filter(({ text }) => text.trim() !== "");
    const sealed = sealFileTexts(this.platform.keyring.forUser(user_id), message_id, texts);
    this.platform.db.sql
      .query<never, [Uint8Array, number]>("UPDATE file_texts SET texts = ? WHERE message_n = ?")
      .run(sealed, n);
  }

  /** Indexes a message again with the text of its attachments. Of it, only the index and what is kept are stored. */
  store(user_id: string, n: number, fileText: string): void {
    const { db } = this.platform;
    db.write(() => {
      const [message] = openForIndex(this.platform, user_id, [n]);
      if (!message) return;
      db.sql.query<never, [number]>("DELETE FROM search_queue WHERE message_n = ?").run(n);
      const terms = readTerms(this.fullText.reader, message, fileText);
      this.fullText.replace(user_id, n, message.internalDate, terms);
      db.sql.query<never, [number]>("UPDATE file_texts SET state = 'done' WHERE message_n = ?").run(n);
    });
  }

  /** Counts a failed attempt to read the attachments of a message. */
  failed(n: number): void {
    this.platform.db.sql
      .query(
        `UPDATE file_texts SET attempts = attempts + 1,
           state = CASE WHEN attempts + 1 >= ${MAX_ATTEMPTS} THEN 'failed' ELSE state END WHERE message_n = ?`,
      )
      .run(n);
  }
}

/** Returns the mailboxes whose attachments wait to be read and can be fetched now: a mailbox needs a connection, or no server. */
export function mailboxesWithWaitingFiles({ sql }: Pick<Db, "sql">): { id: string; user_id: string }[] {
  return sql
    .query<Pick<AccountRow, "id" | "user_id">, []>(
      `SELECT id, user_id FROM accounts a
       WHERE (status = 'active' OR provider IN ${SERVERLESS_PROVIDERS})
         AND EXISTS (SELECT 1 FROM file_texts f WHERE f.account_id = a.id AND f.state = 'waiting')`,
    )
    .all();
}
