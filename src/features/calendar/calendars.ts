import { UserError } from "../../kernel/errors.ts";
import { type Actor, SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CalendarRow, CalendarSettings, SyncState } from "./tables.ts";

/** Kind of the job that syncs a calendar with its server; payload { calendar_id }, one per calendar. */
export const CALDAV_JOB = "caldav-sync";

export type CalendarStatus = CalendarRow["status"];

/** A calendar on a CalDAV server. */
export interface Calendar {
  id: string;
  user_id: string;
  url: string;
  username: string;
  name: string;
  is_default: boolean;
  status: CalendarStatus;
  last_error: string | null;
  last_sync_at: number | null;
}

type Row = Pick<
  CalendarRow,
  "id" | "user_id" | "url_hmac" | "settings" | "is_default" | "sync_state" | "status" | "last_error" | "last_sync_at"
>;

const COLUMNS = "id, user_id, url_hmac, settings, is_default, sync_state, status, last_error, last_sync_at";

/** The connected calendars. The only owner of the `calendars` table. */
export class Calendars {
  constructor(private readonly platform: Platform) {}

  /** Connects a calendar. A user's first calendar takes their new events. @throws UserError if it is already connected */
  add(user_id: string, settings: CalendarSettings, actor: Actor = SYSTEM_ACTOR): Calendar {
    const { db, keyring, grants, newId, clock, audit } = this.platform;
    const sealer = keyring.forUser(user_id);
    return db.write(() => {
      const url_hmac = sealer.hmac("url", settings.url);
      if (db.sql.query("SELECT 1 FROM calendars WHERE user_id = ? AND url_hmac = ?").get(user_id, url_hmac)) {
        throw new UserError(`${settings.url} is already connected.`);
      }
      const id = newId("calendar");
      const isFirst = this.list(user_id).length === 0;
      grants.insert("calendars", {
        id,
        user_id,
        url_hmac,
        settings: sealer.sealJson(`calendars.settings:${id}`, settings),
        is_default: Number(isFirst),
        status: "active",
        created_at: clock.now(),
      });
      const after = { url: settings.url, name: settings.name };
      audit.record({ user_id, actor, action: "calendar.connect", target: id, after });
      this.syncSoon(id, user_id);
      return this.get(id)!;
    });
  }

  get(id: string): Calendar | null {
    const row = this.#row(id);
    return row && this.#view(row);
  }

  /** Returns the calendars of a user, or all calendars, in the order of connection. */
  list(user_id?: string): Calendar[] {
    return this.platform.db.sql
      .query<Row, { user: string | null }>(
        `SELECT ${COLUMNS} FROM calendars WHERE $user IS NULL OR user_id = $user ORDER BY id`,
      )
      .all({ user: user_id ?? null })
      .filter((row) => this.platform.grants.holds("calendars", { ...row }))
      .map((row) => this.#view(row));
  }

  /** Returns the calendar that takes a user's new events, or null if they are stored here only. */
  defaultOf(user_id: string): Calendar | null {
    return this.list(user_id).find(({ is_default }) => is_default) ?? null;
  }

  /** Returns the address and credentials of a calendar. */
  settings(id: string): CalendarSettings {
    const row = this.#row(id)!;
    return this.platform.keyring.forUser(row.user_id).openJson(`calendars.settings:${id}`, row.settings);
  }

  syncState(id: string): SyncState {
    const row = this.#row(id)!;
    if (row.sync_state === null) return { sync_token: null, ctag: null };
    return this.platform.keyring.forUser(row.user_id).openJson(`calendars.sync_state:${id}`, row.sync_state);
  }

  noteSynced({ id, user_id }: Calendar, state: SyncState): void {
    const { db, keyring, clock } = this.platform;
    const sealed = keyring.forUser(user_id).sealJson(`calendars.sync_state:${id}`, state);
    db.sql
      .query("UPDATE calendars SET sync_state = ?, status = 'active', last_error = NULL, last_sync_at = ? WHERE id = ?")
      .run(sealed, clock.now(), id);
  }

  noteFailure({ id, user_id }: Calendar, status: Exclude<CalendarStatus, "active">, error: string): void {
    const sealed = this.platform.keyring.forUser(user_id).seal(`calendars.last_error:${id}`, error);
    this.platform.db.sql.query("UPDATE calendars SET status = ?, last_error = ? WHERE id = ?").run(status, sealed, id);
  }

  /** Disconnects a calendar and deletes the local copy of its events. Events that never reached the server are kept here. */
  remove(calendar: Calendar, actor: Actor = SYSTEM_ACTOR): void {
    const { db, grants, audit } = this.platform;
    const { id, user_id } = calendar;
    db.write(() => {
      db.sql
        .query(
          `UPDATE calendar_events SET calendar_id = NULL, pending = NULL
           WHERE calendar_id = ? AND pending = 'put' AND href_hmac IS NULL`,
        )
        .run(id);
      grants.remove("calendars", { id });
      if (calendar.is_default) {
        db.sql
          .query("UPDATE calendars SET is_default = 1 WHERE id = (SELECT min(id) FROM calendars WHERE user_id = ?)")
          .run(user_id);
      }
      audit.record({ user_id, actor, action: "calendar.disconnect", target: id, before: { url: calendar.url } });
    });
  }

  /** Queues a sync. Call it in the transaction of the change that must reach the server. */
  syncSoon(id: string, user_id: string, run_at?: number): void {
    this.platform.jobs.enqueue({ kind: CALDAV_JOB, dedupe_key: id, user_id, payload: { calendar_id: id }, run_at });
  }

  #row(id: string): Row | null {
    const row = this.platform.db.sql.query<Row, [string]>(`SELECT ${COLUMNS} FROM calendars WHERE id = ?`).get(id);
    return this.platform.grants.checked("calendars", row);
  }

  #view({ settings, sync_state: _, url_hmac: __, is_default, last_error, ...row }: Row): Calendar {
    const sealer = this.platform.keyring.forUser(row.user_id);
    const { url, username, name } = sealer.openJson(`calendars.settings:${row.id}`, settings);
    return {
      ...row,
      url,
      username,
      name,
      is_default: is_default === 1,
      last_error: last_error && sealer.open(`calendars.last_error:${row.id}`, last_error),
    };
  }
}
