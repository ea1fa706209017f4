import type { Db } from "../../platform/db/open.ts";
import type { UserRow } from "../../platform/identity/tables.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import type { MessageEnvelope } from "../store/envelope.ts";
import type { AttachmentRow, BodyRow } from "../store/tables.ts";
import type { FullTextIndex } from "./fulltext-index.ts";
import { type IndexedMessage, readTerms } from "./indexable.ts";
import { openTexts } from "./texts.ts";

/** Messages per transaction. */
const AT_ONCE = 25;

/** A stored message, with the parts opened that are indexed. */
export interface StoredDocument extends IndexedMessage {
  n: number;
  /** When it was received, ms. */
  internalDate: number;
}

/** Opens messages of a user by their numbers for indexing. Messages that no longer exist are left out. */
export function openForIndex(platform: Platform, user_id: string, numbers: readonly number[]): StoredDocument[] {
  const { sql } = platform.db;
  const found = openTexts(platform, user_id, numbers);
  if (found.length === 0) return [];
  const sealer = platform.keyring.forUser(user_id);
  const html = sql.query<Pick<BodyRow, "html"> & { at: number }, [number]>(
    "SELECT b.html, m.internal_date AS at FROM messages m LEFT JOIN bodies b ON b.n = m.n WHERE m.n = ?",
  );
  const attachments = sql.query<Pick<AttachmentRow, "id" | "info">, [string]>(
    "SELECT id, info FROM attachments WHERE message_id = ? ORDER BY idx",
  );
  return found.flatMap(({ n, id, head, text }) => {
    const row = html.get(n);
    // It may have been deleted in the meantime.
    if (!row) return [];
    return {
      n,
      ...head,
      text,
      html: row.html && sealer.open(`bodies.html:${id}`, row.html),
      internalDate: row.at,
      attachments: attachments.all(id).map((file) => sealer.openJson(`attachments.info:${file.id}`, file.info)),
      headers: headersOf(head),
    };
  });
}

/** Returns those of the indexed headers that are stored. */
function headersOf({ list_id, delivered_to }: MessageEnvelope): Map<string, readonly string[]> {
  const headers = new Map<string, readonly string[]>();
  if (list_id !== undefined) headers.set("list-id", [list_id]);
  if (delivered_to !== undefined) headers.set("delivered-to", delivered_to);
  return headers;
}

/** Indexes mail from its stored text: after an upgrade, or where an index was damaged. */
export class Reindexer {
  constructor(
    private readonly platform: Platform,
    private readonly fullText: FullTextIndex,
  ) {}

  /**
   * Indexes a few of the queued messages of a user, the newest first, in one transaction.
   * @returns whether there are more, and whether enough is pending for a segment
   */
  reindexBatch(user_id: string): { hasMore: boolean; isSegmentDue: boolean } {
    const { sql, write } = this.platform.db;
    const numbers = sql
      .query<{ n: number }, [string, number]>(
        "SELECT message_n AS n FROM search_queue WHERE user_id = ? ORDER BY at DESC LIMIT ?",
      )
      .all(user_id, AT_ONCE)
      .map(({ n }) => n);
    if (numbers.length === 0) return { hasMore: false, isSegmentDue: false };
    const messages = this.#open(user_id, numbers);
    const read = messages.map((message) => ({ message, terms: readTerms(this.fullText.reader, message) }));
    let isSegmentDue = false;
    write(() => {
      const settle = sql.query<never, [number]>("DELETE FROM search_queue WHERE message_n = ?");
      for (const { message, terms } of read) {
        // It was deleted in the meantime, or indexed with its attachments.
        if (settle.run(message.n).changes === 0) continue;
        isSegmentDue = this.fullText.replace(user_id, message.n, message.internalDate, terms) || isSegmentDue;
      }
      for (const n of numbers) settle.run(n);
    });
    return { hasMore: true, isSegmentDue };
  }

  /** Opens messages, leaving out those whose stored text is damaged. Otherwise, one of them would block all others. */
  #open(user_id: string, numbers: readonly number[]): StoredDocument[] {
    try {
      return openForIndex(this.platform, user_id, numbers);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      if (numbers.length > 1) return numbers.flatMap((n) => this.#open(user_id, [n]));
      this.platform.log.error("a damaged message cannot be indexed", { n: numbers[0]!, ...errorFields(error) });
      return [];
    }
  }
}

/** Returns the users who have rows in a table. */
export function usersOf({ sql }: Pick<Db, "sql">, table: "messages" | "search_deleted" | "search_queue"): string[] {
  const rows = sql
    .query<Pick<UserRow, "id">, []>(
      `SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM ${table} t WHERE t.user_id = u.id)`,
    )
    .all();
  return rows.map(({ id }) => id);
}

/** Returns whether no message waits to be indexed from its stored text. */
export function isReindexed({ sql }: Pick<Db, "sql">): boolean {
  return sql.query("SELECT 1 FROM search_queue LIMIT 1").get() === null;
}
