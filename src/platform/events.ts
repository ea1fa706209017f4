import type { Clock } from "../kernel/clock.ts";
import type { EventData, EventName } from "../kernel/events.ts";
import type { Db } from "./db/open.ts";
import type { NewId } from "./ids.ts";
import type { Keyring } from "./sealing/keyring.ts";

export interface LoggedEvent<N extends EventName = EventName> {
  position: number;
  id: string;
  user_id: string;
  event: N;
  thread_id: string | null;
  data: EventData[N];
  created_at: number;
}

interface StoredRow {
  position: number;
  id: string;
  user_id: string;
  type: EventName;
  thread_id: string | null;
  payload: Uint8Array;
  created_at: number;
}

/** The event log: a row per event, in the transaction of the change it tells of, with a monotonic position. */
export class EventLog {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** Writes one event. Call it inside the transaction of the change. @returns its position */
  emit<N extends EventName>(user_id: string, event: N, data: EventData[N]): number {
    const id = this.newId("event");
    const thread_id = "thread_id" in data ? data.thread_id : null;
    const row = this.db.sql
      .query<{ position: number }, [string, string, string, string | null, Uint8Array, number]>(
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
    return row!.position;
  }

  /** Events of one user after a position, oldest first. */
  after(user_id: string, position: number, limit: number): LoggedEvent[] {
    const sealer = this.keyring.forUser(user_id);
    return this.db.sql
      .query<StoredRow, [string, number, number]>(
        `SELECT position, id, user_id, type, thread_id, payload, created_at FROM events
         WHERE user_id = ? AND position > ? ORDER BY position LIMIT ?`,
      )
      .all(user_id, position, limit)
      .map(({ type, payload, ...row }) => ({
        ...row,
        event: type,
        data: sealer.openJson<EventData[EventName]>(`events.payload:${row.id}`, payload),
      }));
  }

  /** Deletes events older than `before_ms`. @returns how many */
  prune(before_ms: number): number {
    return this.db.sql.query("DELETE FROM events WHERE created_at < ?").run(before_ms).changes;
  }
}
