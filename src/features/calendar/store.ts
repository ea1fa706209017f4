import type { Platform } from "../../platform/platform.ts";
import { type Extent, extentOf } from "../../wire/ical/extent.ts";
import { type IanaZone, ianaZone } from "../../wire/ical/zones.ts";
import type { CalendarEventRow } from "./tables.ts";

type EventSource = CalendarEventRow["source"];
/** The user's own answer to an invitation; null if they were not invited. */
export type Answer = CalendarEventRow["answer"];

/** The position of an event on a CalDAV server. */
interface RemoteRef {
  href: string;
  etag: string | null;
}

/** Everything with one UID: an event, or a series with its exceptions. */
export interface StoredEvent {
  id: string;
  user_id: string;
  calendar_id: string | null;
  source: EventSource;
  ics: string;
  answer: Answer;
  remote: RemoteRef | null;
  pending: "put" | "delete" | null;
  deleted: boolean;
  updated_at: number;
  /** The message whose invitation made the event what it is; null: not from mail. It may be deleted since. */
  message_id: string | null;
}

type Row = Pick<
  CalendarEventRow,
  | "id"
  | "user_id"
  | "calendar_id"
  | "source"
  | "ics"
  | "answer"
  | "href"
  | "etag"
  | "pending"
  | "deleted"
  | "updated_at"
  | "message_id"
>;

const COLUMNS = "id, user_id, calendar_id, source, ics, answer, href, etag, pending, deleted, updated_at, message_id";

/** The writable fields of an event. */
export type EventState = Pick<
  StoredEvent,
  "calendar_id" | "source" | "ics" | "answer" | "remote" | "pending" | "deleted" | "message_id"
>;

/** Stores events. The only owner of the `calendar_events` table. */
export class EventStore {
  constructor(private readonly platform: Platform) {}

  /** Returns the events that may occur within [from, to), ms. */
  within(user_id: string, from: number, to: number): StoredEvent[] {
    return this.#rows(
      "user_id = $user AND deleted = 0 AND start_at < $to AND (end_at IS NULL OR end_at > $from)",
      { user: user_id, from, to },
      "start_at, id",
    );
  }

  get(user_id: string, id: string): StoredEvent | null {
    return this.#rows("user_id = $user AND id = $id", { user: user_id, id })[0] ?? null;
  }

  byUid(user_id: string, uid: string): StoredEvent | null {
    return (
      this.#rows("user_id = $user AND uid_hmac = $uid", { user: user_id, uid: this.#uidHmac(user_id, uid) })[0] ?? null
    );
  }

  byHref(user_id: string, calendar_id: string, href: string): StoredEvent | null {
    const hmac = this.#hrefHmac(user_id, href);
    return (
      this.#rows("calendar_id = $calendar AND href_hmac = $href", { calendar: calendar_id, href: hmac })[0] ?? null
    );
  }

  /** Returns the events of a calendar that have changes its server does not have yet. */
  pendingOf(calendar_id: string): StoredEvent[] {
    return this.#rows("calendar_id = $calendar AND pending IS NOT NULL", { calendar: calendar_id });
  }

  /** Returns the events of a calendar that are on its server. */
  syncedIn(calendar_id: string): StoredEvent[] {
    return this.#rows("calendar_id = $calendar AND href_hmac IS NOT NULL", { calendar: calendar_id });
  }

  /** Inserts or updates the event of a UID. @returns its id. @throws if `ics` cannot be read */
  save(user_id: string, uid: string, state: EventState): string {
    const { db, keyring, clock, newId } = this.platform;
    const sealer = keyring.forUser(user_id);
    const { start, end } = this.#extent(user_id, state.ics);
    const known = this.byUid(user_id, uid);
    const id = known?.id ?? newId("calendarEvent");
    const now = clock.now();
    const values = {
      id,
      user_id,
      calendar_id: state.calendar_id,
      uid_hmac: this.#uidHmac(user_id, uid),
      source: state.source,
      ics: sealer.seal(`calendar_events.ics:${id}`, state.ics),
      answer: state.answer,
      start_at: start,
      end_at: end,
      href: state.remote && sealer.seal(`calendar_events.href:${id}`, state.remote.href),
      href_hmac: state.remote && this.#hrefHmac(user_id, state.remote.href),
      etag: state.remote?.etag ?? null,
      pending: state.pending,
      deleted: Number(state.deleted),
      message_id: state.message_id,
      now,
    };
    db.sql
      .query(
        `INSERT INTO calendar_events (id, user_id, calendar_id, uid_hmac, source, ics, answer, start_at, end_at, href,
           href_hmac, etag, pending, deleted, message_id, created_at, updated_at)
         VALUES ($id, $user_id, $calendar_id, $uid_hmac, $source, $ics, $answer, $start_at, $end_at, $href, $href_hmac,
           $etag, $pending, $deleted, $message_id, $now, $now)
         ON CONFLICT (user_id, uid_hmac) DO UPDATE SET calendar_id = excluded.calendar_id, source = excluded.source,
           ics = excluded.ics, answer = excluded.answer, start_at = excluded.start_at, end_at = excluded.end_at,
           href = excluded.href, href_hmac = excluded.href_hmac, etag = excluded.etag, pending = excluded.pending,
           deleted = excluded.deleted, message_id = excluded.message_id, updated_at = excluded.updated_at`,
      )
      .run(values);
    return id;
  }

  remove(id: string): void {
    this.platform.db.sql.query("DELETE FROM calendar_events WHERE id = ?").run(id);
  }

  /** Returns the zone in which a user's days, and times without a zone, are read. */
  zoneOf(user_id: string): IanaZone {
    const timezone = this.platform.users.get(user_id)?.timezone ?? "UTC";
    return ianaZone(timezone) ?? ianaZone("UTC")!;
  }

  #extent(user_id: string, ics: string): Extent {
    return extentOf(ics, this.zoneOf(user_id));
  }

  #rows(where: string, params: Record<string, string | number | Uint8Array>, order = "id"): StoredEvent[] {
    return this.platform.db.sql
      .query<Row, typeof params>(`SELECT ${COLUMNS} FROM calendar_events WHERE ${where} ORDER BY ${order}`)
      .all(params)
      .map(({ ics, href, etag, deleted, ...row }) => {
        const sealer = this.platform.keyring.forUser(row.user_id);
        return {
          ...row,
          ics: sealer.open(`calendar_events.ics:${row.id}`, ics),
          remote: href && { href: sealer.open(`calendar_events.href:${row.id}`, href), etag },
          deleted: deleted === 1,
        };
      });
  }

  #uidHmac(user_id: string, uid: string): Uint8Array {
    return this.platform.keyring.forUser(user_id).hmac("event-uid", uid);
  }

  #hrefHmac(user_id: string, href: string): Uint8Array {
    return this.platform.keyring.forUser(user_id).hmac("url", href);
  }
}
