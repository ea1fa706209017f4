import { type Clock, isoTime } from "../../kernel/clock.ts";
import type { EventData, EventName } from "../../kernel/events.ts";
import type { Db } from "../db/open.ts";
import type { NewId } from "../ids.ts";
import { SealBroken } from "../sealing/box.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { EventRow } from "./tables.ts";

export interface LoggedEvent<N extends EventName = EventName> {
  position: number;
  id: string;
  user_id: string;
  event: N;
  thread_id: string | null;
  data: EventData[N];
  created_at: number;
}

/** An event in webhook bodies and in GET /events (docs/webhooks.md, "Event catalog"). */
export interface PublishedEvent {
  id: string;
  event: string;
  created_at: string;
  data: object;
}

/** Returns the published form of an event. */
export function publishedEvent({ id, event, created_at, data }: LoggedEvent): PublishedEvent {
  return { id, event, created_at: isoTime(created_at), data };
}

/** A batch of events for a reader. */
export interface EventBatch {
  events: LoggedEvent[];
  /** The position to continue from. Everything up to it was examined. */
  end: number;
  /** Number of events that did not open. */
  broken: number;
}

const COLUMNS = "position, id, user_id, type, thread_id, payload, created_at";

/**
 * The event log: a row per event, in the transaction of the change it describes, with a monotonic position. SQLite has
 * one writer at a time, so positions become visible in order: a reader that has seen a position misses none below it.
 */
export class EventLog {
  readonly #listeners = new Set<() => void>();
  #announced = false;

  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** Writes one event. Call it inside the transaction of the change. @returns its position */
  emit<N extends EventName>(user_id: string, event: N, data: EventData[N]): number {
    const id = this.newId("event");
    const thread_id = "thread_id" in data ? (data.thread_id as string | null) : null;
    const row = this.db.sql
      .query<Pick<EventRow, "position">, [string, string, string, string | null, Uint8Array, number]>(
        "INSERT INTO events (id, user_id, type, thread_id, payload, created_at) VALUES (?, ?, ?, ?, ?, ?) RETURNING position",
      )
      .get(
        id,
        user_id,
        event,
        thread_id,
        this.keyring.forUser(user_id).sealJson(`events.payload:${id}`, data),
        this.clock.now(),
      );
    this.announce();
    return row!.position;
  }

  /**
   * Calls `listener` soon after this thread wrote events, or after `announce` was called for those of another thread.
   * Other processes do not report, so a listener that needs their events must also poll.
   * @returns a function that stops it
   */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Notifies the listeners after the current transaction, once for any number of calls. */
  announce(): void {
    if (this.#announced || this.#listeners.size === 0) return;
    this.#announced = true;
    queueMicrotask(() => {
      this.#announced = false;
      for (const listener of [...this.#listeners]) listener();
    });
  }

  /** Returns the position of the newest event of any user; 0 if there never was one. */
  head(): number {
    const row = this.db.sql.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'events'").get();
    return row?.seq ?? 0;
  }

  /** Returns events of one user after a position, oldest first. @throws SealBroken */
  after(user_id: string, position: number, limit: number): LoggedEvent[] {
    return this.#rows(user_id, position, limit, undefined).map((row) => this.#open(row));
  }

  /**
   * Returns a batch of the log that starts where the last one ended. An event that no longer opens is left out and
   * counted, because it must not block all others permanently.
   * @param types absent: all kinds
   */
  read(user_id: string, position: number, limit: number, types?: readonly string[]): EventBatch {
    const head = this.head();
    const rows = this.#rows(user_id, position, limit, types);
    const last = rows.at(-1)?.position ?? position;
    // Another thread may have written between the two queries.
    const end = rows.length < limit ? Math.max(head, last) : last;
    const events: LoggedEvent[] = [];
    for (const row of rows) {
      try {
        events.push(this.#open(row));
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error;
      }
    }
    return { events, end, broken: rows.length - events.length };
  }

  /** Returns one event; null if there is none with this id. */
  get(user_id: string, id: string): LoggedEvent | null {
    const row = this.db.sql
      .query<EventRow, [string, string]>(`SELECT ${COLUMNS} FROM events WHERE id = ? AND user_id = ?`)
      .get(id, user_id);
    return row && this.#open(row);
  }

  /** Deletes events from before `beforeMs`. @returns how many were deleted */
  prune(beforeMs: number): number {
    return this.db.sql.query("DELETE FROM events WHERE created_at < ?").run(beforeMs).changes;
  }

  #rows(user_id: string, position: number, limit: number, types: readonly string[] | undefined): EventRow[] {
    return this.db.sql
      .query<EventRow, [string, number, string | null, number]>(
        `SELECT ${COLUMNS} FROM events WHERE user_id = ?1 AND position > ?2
           AND (?3 IS NULL OR type IN (SELECT value FROM json_each(?3))) ORDER BY position LIMIT ?4`,
      )
      .all(user_id, position, types ? JSON.stringify(types) : null, limit);
  }

  #open({ type, payload, ...row }: EventRow): LoggedEvent {
    const sealer = this.keyring.forUser(row.user_id);
    return { ...row, event: type, data: sealer.openJson(`events.payload:${row.id}`, payload) };
  }
}
