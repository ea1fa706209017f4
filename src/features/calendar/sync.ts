import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CalDavClient, RemoteObject } from "../../wire/ical/caldav.ts";
import { CalDavFailure } from "../../wire/ical/caldav-fetch.ts";
import { readObjects, uidOfCalendar } from "../../wire/ical/read.ts";
import { answerOf } from "./answers.ts";
import type { Calendar, Calendars } from "./calendars.ts";
import type { EventStore, StoredEvent } from "./store.ts";

/** Number of objects written in one transaction. */
const BATCH = 20;

interface Parts {
  platform: Platform;
  store: EventStore;
  calendars: Calendars;
  /** The user's addresses, lower case. */
  own: (user_id: string) => ReadonlySet<string>;
}

/**
 * Syncs one calendar with its server. Local changes are sent first, each with the ETag it was based on; then remote
 * changes are fetched. If both changed, the server's version wins, and the audit log keeps the local one. No transaction is
 * open during network requests, and the next run completes an interrupted one.
 */
export class CalendarSync {
  constructor(private readonly parts: Parts) {}

  /** @throws CalDavFailure, also if everything but some refused changes succeeded */
  async run(calendar: Calendar, client: CalDavClient): Promise<void> {
    let refusal: CalDavFailure | null = null;
    for (const event of this.parts.store.pendingOf(calendar.id)) {
      try {
        if (event.pending === "delete") await this.#pushDeletion(calendar, client, event);
        else await this.#pushChange(calendar, client, event);
      } catch (error) {
        // One event that the server refuses must not block the others. The event stays pending.
        if (!(error instanceof CalDavFailure) || error.kind !== "refused") throw error;
        refusal ??= error;
      }
    }
    await this.#pull(calendar, client);
    if (refusal) throw refusal;
  }

  async #pushChange(calendar: Calendar, client: CalDavClient, event: StoredEvent): Promise<void> {
    const href = event.remote?.href ?? client.hrefOf(uidOfCalendar(event.ics));
    const result = await client.put(href, event.ics, event.remote?.etag ?? null);
    if (result === "conflict") return await this.#yield(calendar, client, event, href);
    const isWanted = this.#write(() => {
      const now = this.parts.store.get(event.user_id, event.id);
      if (!now) return false;
      // Changed again during the request, so the new version must be sent, too.
      const isSame = now.ics === event.ics && now.pending === "put";
      this.#save({ ...now, remote: { href, etag: result.etag }, pending: isSame ? null : now.pending });
      return true;
    });
    // Deleted during the request.
    if (!isWanted) await client.remove(href, result.etag);
  }

  async #pushDeletion(calendar: Calendar, client: CalDavClient, event: StoredEvent): Promise<void> {
    const { remote } = event;
    if (remote && (await client.remove(remote.href, remote.etag)) === "conflict") {
      return await this.#yield(calendar, client, event, remote.href);
    }
    this.#write(() => this.#forget(event));
  }

  /** Resolves a conflict: the server has another version, which wins. */
  async #yield(calendar: Calendar, client: CalDavClient, event: StoredEvent, href: string): Promise<void> {
    const [theirs] = await client.fetch([href]);
    if (!theirs && event.remote === null) {
      throw new CalDavFailure("refused", "The server rejected an event and has no other version of it.");
    }
    this.#write(() => {
      this.#auditConflict(event, theirs?.ics ?? null);
      if (theirs) this.#take(calendar, theirs);
      else this.#forget(event);
    });
  }

  async #pull(calendar: Calendar, client: CalDavClient): Promise<void> {
    const { store, calendars } = this.parts;
    const changes = await client.changes(calendars.syncState(calendar.id));
    const known = new Map(store.syncedIn(calendar.id).map((event) => [event.remote!.href, event]));
    const wanted = changes.changed.filter(({ href, etag }) => {
      const event = known.get(href);
      return !event || etag === null || event.remote!.etag !== etag;
    });
    const objects = await client.fetch(wanted.map(({ href }) => href));
    const listed = new Set(changes.changed.map(({ href }) => href));
    const gone = changes.complete ? [...known.keys()].filter((href) => !listed.has(href)) : changes.removed;
    for (let i = 0; i < objects.length; i += BATCH) {
      this.#write(() => {
        for (const object of objects.slice(i, i + BATCH)) this.#takeUnlessPending(calendar, object);
      });
      // Lets other work run while a large calendar is read for the first time.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#write(() => {
      for (const href of gone) this.#takeRemoval(calendar, href);
      const { sync_token, ctag } = changes;
      calendars.noteSynced(calendar, { sync_token, ctag });
    });
  }

  /** Takes an object unless it has pending local changes. One that cannot be read is skipped and does not block the others. */
  #takeUnlessPending(calendar: Calendar, object: RemoteObject): void {
    const uid = readObjects(object.ics)[0]?.uid;
    const known = uid === undefined ? null : this.parts.store.byUid(calendar.user_id, uid);
    // Changed locally since the push: the next push detects the conflict by its ETag.
    if (known?.pending && known.calendar_id === calendar.id) return;
    try {
      this.#take(calendar, object);
    } catch (error) {
      this.parts.platform.log.warn("an event could not be read", { calendar: calendar.id, ...errorFields(error) });
    }
  }

  /** Stores the server's version. Objects that are not events (tasks, journals) are ignored. */
  #take(calendar: Calendar, { href, etag, ics }: RemoteObject): void {
    const { store, platform } = this.parts;
    const [object] = readObjects(ics);
    if (!object) return;
    const { user_id } = calendar;
    const known = store.byUid(user_id, object.uid);
    // The resource may contain a different event than before.
    const previous = store.byHref(user_id, calendar.id, href);
    if (previous && previous.id !== known?.id) this.#forget(previous);
    store.save(user_id, object.uid, {
      calendar_id: calendar.id,
      source: known?.source ?? "caldav",
      ics: object.ics,
      answer: answerOf(object.ics, this.parts.own(user_id)) ?? null,
      remote: { href, etag },
      pending: null,
      deleted: false,
      message_id: known?.message_id ?? null,
    });
    if (known?.ics === object.ics) return;
    const before = known && { ics: known.ics };
    const action = known ? "calendar.remote_update" : "calendar.remote_create";
    const target = store.byUid(user_id, object.uid)!.id;
    platform.audit.record({ user_id, actor: SYSTEM_ACTOR, action, target, before, after: { ics: object.ics } });
  }

  #takeRemoval(calendar: Calendar, href: string): void {
    const event = this.parts.store.byHref(calendar.user_id, calendar.id, href);
    if (!event) return;
    if (event.pending === "put") this.#auditConflict(event, null);
    else if (event.pending === null) {
      const { user_id, id, ics } = event;
      const before = { ics };
      this.parts.platform.audit.record({
        user_id,
        actor: SYSTEM_ACTOR,
        action: "calendar.remote_delete",
        target: id,
        before,
      });
    }
    this.#forget(event);
  }

  /** Removes an event that no longer exists. One from mail is kept as deleted, so that its mail does not restore it. */
  #forget(event: StoredEvent): void {
    if (event.source === "mail")
      this.#save({ ...event, calendar_id: null, remote: null, pending: null, deleted: true });
    else this.parts.store.remove(event.id);
  }

  #save(event: StoredEvent): void {
    this.parts.store.save(event.user_id, uidOfCalendar(event.ics), event);
  }

  #auditConflict(event: StoredEvent, theirs: string | null): void {
    this.parts.platform.audit.record({
      user_id: event.user_id,
      actor: SYSTEM_ACTOR,
      action: "calendar.conflict",
      target: event.id,
      before: { ics: event.ics, wanted: event.pending },
      after: { ics: theirs },
    });
  }

  #write<T>(work: () => T): T {
    return this.parts.platform.db.write(work);
  }
}
