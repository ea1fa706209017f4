import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import type { EmbeddingModelRow, EmbedQueueRow, VectorLossRow, VectorRow } from "./tables.ts";

/** A stored vector; null if the model does not support the language of the text. */
export interface StoredVector {
  id: number;
  message_n: number;
  vector: Int8Array | null;
}

/** Stores vectors in the database, sealed. Every index can be rebuilt from them. */
export class VectorStore {
  /** Messages whose vectors could not be decrypted. */
  readonly #reported = new Set<number>();

  constructor(private readonly platform: Platform) {}

  /** Stores the vectors of messages and removes these from the queue. Skips messages that have been deleted. */
  put(user_id: string, model: string, vectors: readonly { message_n: number; vector: Int8Array | null }[]): void {
    const { db, keyring } = this.platform;
    db.write(() => {
      if (!this.hasUser(user_id)) return;
      const sealer = keyring.forUser(user_id);
      for (const { message_n, vector } of vectors) {
        const sealed = vector && sealer.sealRaw(contextOf(message_n, model), bytesOf(vector));
        db.sql
          .query(
            `INSERT OR REPLACE INTO vectors (message_n, model, user_id, vector)
             SELECT n, ?2, user_id, ?3 FROM messages WHERE n = ?1 AND user_id = ?4`,
          )
          .run(message_n, model, sealed, user_id);
        db.sql.query("DELETE FROM embed_queue WHERE message_n = ?").run(message_n);
      }
    });
  }

  /** Returns false for a removed user, for whom nothing is stored and no key is created again. */
  hasUser(user_id: string): boolean {
    return this.platform.db.sql.query("SELECT 1 FROM users WHERE id = ?").get(user_id) !== null;
  }

  /**
   * Yields the vectors stored after the one with `id`, in the order of storage. Skips vectors that cannot be decrypted.
   */
  *after(user_id: string, model: string, id: number): Generator<StoredVector> {
    const rows = this.platform.db.sql
      .query<Pick<VectorRow, "id" | "message_n" | "vector">, [string, string, number]>(
        "SELECT id, message_n, vector FROM vectors WHERE user_id = ? AND model = ? AND id > ? ORDER BY id",
      )
      .iterate(user_id, model, id);
    let sealer: Sealer | null = null;
    for (const { vector, ...row } of rows) {
      sealer ??= this.platform.keyring.forUser(user_id);
      yield { ...row, vector: vector && this.#open(sealer, contextOf(row.message_n, model), vector, row.message_n) };
    }
  }

  /** Returns the vectors of those of these messages that have one. Skips vectors that cannot be decrypted. */
  vectorsOf(user_id: string, model: string, messages: readonly number[]): { message_n: number; vector: Int8Array }[] {
    if (messages.length === 0) return [];
    const rows = this.platform.db.sql
      .query<{ message_n: number; vector: Uint8Array }, [string, string, string]>(
        // CROSS JOIN keeps the order of the tables: one lookup for each message.
        `SELECT v.message_n, v.vector FROM json_each(?) asked CROSS JOIN vectors v
         WHERE v.message_n = asked.value AND v.model = ? AND v.user_id = ? AND v.vector IS NOT NULL`,
      )
      .all(JSON.stringify(messages), model, user_id);
    if (rows.length === 0) return [];
    const sealer = this.platform.keyring.forUser(user_id);
    return rows.flatMap(({ message_n, vector: sealed }) => {
      const vector = this.#open(sealer, contextOf(message_n, model), sealed, message_n);
      return vector ? [{ message_n, vector }] : [];
    });
  }

  #open(sealer: Sealer, context: string, sealed: Uint8Array, message_n: number): Int8Array | null {
    try {
      const opened = sealer.openRaw(context, sealed);
      return new Int8Array(opened.buffer, opened.byteOffset, opened.length);
    } catch (error) {
      // A search may try it again each time.
      if (!this.#reported.has(message_n)) {
        this.platform.log.warn("a vector could not be decrypted and is skipped", {
          number: message_n,
          ...errorFields(error),
        });
      }
      this.#reported.add(message_n);
      return null;
    }
  }

  /** Returns the numbers of messages with a row: those with a vector, and those that the model does not support. */
  numbers(user_id: string, model: string): Set<number> {
    const rows = this.platform.db.sql
      .query<Pick<VectorRow, "message_n">, [string, string]>(
        "SELECT message_n FROM vectors WHERE user_id = ? AND model = ?",
      )
      .all(user_id, model);
    return new Set(rows.map(({ message_n }) => message_n));
  }

  /**
   * Returns the highest id of a user's vectors and the number of deletions so far. If both are unchanged, so are the
   * vectors.
   */
  state(user_id: string, model: string): { last: number; losses: number } {
    const { sql } = this.platform.db;
    const last = sql
      .query<{ id: number | null }, [string, string]>(
        "SELECT max(id) AS id FROM vectors WHERE user_id = ? AND model = ?",
      )
      .get(user_id, model)!.id;
    const losses = sql
      .query<Pick<VectorLossRow, "count">, [string]>("SELECT count FROM vector_losses WHERE user_id = ?")
      .get(user_id);
    return { last: last ?? 0, losses: losses?.count ?? 0 };
  }

  /** Counts the messages of a user that a model has processed. Takes milliseconds. */
  count(user_id: string, model: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string, string]>("SELECT count(*) AS c FROM vectors WHERE user_id = ? AND model = ?")
      .get(user_id, model)!.c;
  }

  /**
   * Returns the numbers of queued messages, newest first. @param since only messages received at this time or later, ms
   */
  waiting(user_id: string, limit: number, since = 0): number[] {
    return this.platform.db.sql
      .query<Pick<EmbedQueueRow, "message_n">, [string, number, number]>(
        "SELECT message_n FROM embed_queue WHERE user_id = ? AND at >= ? ORDER BY at DESC LIMIT ?",
      )
      .all(user_id, since, limit)
      .map(({ message_n }) => message_n);
  }

  /** Returns the number of queued messages of a user. */
  waitingCount(user_id: string): number {
    return this.platform.db.sql
      .query<{ c: number }, [string]>("SELECT count(*) AS c FROM embed_queue WHERE user_id = ?")
      .get(user_id)!.c;
  }

  /** Returns the model in use; null before the first one. */
  adopted(): { id: string; setting: string } | null {
    return this.platform.db.sql
      .query<Pick<EmbeddingModelRow, "id" | "setting">, []>(
        "SELECT id, setting FROM embedding_models ORDER BY adopted_at DESC, id LIMIT 1",
      )
      .get();
  }

  /**
   * Records a model as the one in use, and queues all mail that it has not embedded. Until that is done, search uses
   * the previous model's vectors.
   */
  adopt(model: string, setting: string): void {
    if (this.adopted()?.id === model) return;
    const { db, clock } = this.platform;
    db.write(() => {
      db.sql
        .query("INSERT OR REPLACE INTO embedding_models (id, setting, adopted_at) VALUES (?, ?, ?)")
        .run(model, setting, clock.now());
      db.sql
        .query(
          `INSERT OR IGNORE INTO embed_queue (message_n, user_id, account_id, at)
           SELECT n, user_id, account_id, internal_date FROM messages m
           WHERE NOT EXISTS (SELECT 1 FROM vectors v WHERE v.message_n = m.n AND v.model = ?)`,
        )
        .run(model);
    });
  }

  /** Returns another model that has embedded more of a user's mail than this one; null if there is none. */
  better(user_id: string, model: string): { id: string; setting: string } | null {
    return this.platform.db.sql
      .query<Pick<EmbeddingModelRow, "id" | "setting">, [string, string]>(
        `SELECT e.id, e.setting FROM embedding_models e
         WHERE e.id <> ?2 AND (SELECT count(*) FROM vectors WHERE user_id = ?1 AND model = e.id)
             > (SELECT count(*) FROM vectors WHERE user_id = ?1 AND model = ?2)
         ORDER BY e.adopted_at DESC LIMIT 1`,
      )
      .get(user_id, model);
  }

  /** Deletes vectors of models that are no longer in use. Called after each new message, and usually finds none. */
  dropOthers(user_id: string, model: string): void {
    const { sql } = this.platform.db;
    // Two range scans of an index. The condition `model <> ?` would scan all of the user's vectors.
    const other = sql.query(
      `SELECT 1 FROM vectors WHERE user_id = ?1 AND model < ?2
       UNION ALL SELECT 1 FROM vectors WHERE user_id = ?1 AND model > ?2 LIMIT 1`,
    );
    if (other.get(user_id, model) === null) return;
    sql.query("DELETE FROM vectors WHERE user_id = ? AND model <> ?").run(user_id, model);
  }
}

function contextOf(message_n: number, model: string): string {
  return `vectors.vector:${message_n}:${model}`;
}

function bytesOf(vector: Int8Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}
