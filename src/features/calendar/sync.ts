import { SYSTEM_ACTOR } from "../../platform/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CalDavClient, RemoteObject } from "../../wire/ical/caldav.ts";
import { CalDavFailure } from "../../wire/ical/caldav-fetch.ts";
import { readObjects, uidOfCalendar } from "../../wire/ical/read.ts";
import { answerOf } from "./answers.ts";
import type { Calendar, Calendars } from "./calendars.ts";
import type { EventStore, StoredEvent } from "./store.ts";

/** Objects that are written in one transaction. */
const BATCH = 20;

interface Parts {
  platform: Platform;
  store: EventStore;
  calendars: Calendars;
  /** The user's addresses, lower case. */
  own: (user_id: string) => ReadonlySet<string>;
}

/**
 * Brings one calendar and its server together: first our changes go there, each under the ETag that it was made on, then
 * theirs come here. Where both changed, the server's version stays, and the audit has ours. Nothing is written here while
 * the network is waited for; a run that is cut off anywhere is made good by the next.
 */
export class CalendarSync {
  constructor(private readonly parts: Parts) {}

  /** @throws CalDavFailure, also when all went well but for changes that the server refuses */
  async run(calendar: Calendar, client: CalDavClient): Promise<void> {
    let refusal: CalDavFailure | null = null;
    for (const event of this.parts.store.pendingOf(calendar.id)) {
      try {
        if (event.pending === "delete") await this.#pushDeletion(calendar, client, event);
        else await this.#pushChange(calendar, client, event);
      } catch (error) {
        // One event that the server does not take must not keep the others back; it stays pending.
        if (!(error instanceof CalDavFailure) || error.kind !== "refused") throw error;
        refusal ??= error;
      }
    }
    await this.#pull(calendar, client);
    if (refusal) throw refusal;
  }

  async #pushChange(calendar: Calendar, client: CalDavClient, event: StoredEvent): Promise<void> {
    const href = event.place?.href ?? client.hrefOf(uidOfCalendar(event.ics));
    const result = await client.put(href, event.ics, event.place?.etag ?? null);
    if (result === "conflict") return await this.#yield(calendar, client, event, href);
    const is_wanted = this.#write(() => {
      const now = this.parts.store.get(event.user_id, event.id);
      if (!now) return false;
      // Changed once more while it was on its way: that has to go there, too.
      const is_same = now.ics === event.ics && now.pending === "put";
      this.#save({ ...now, place: { href, etag: result.etag }, pending: is_same ? null : now.pending });
      return true;
    });
    // Deleted while it was on its way.
    if (!is_wanted) await client.remove(href, result.etag);
  }

  async #pushDeletion(calendar: Calendar, client: CalDavClient, event: StoredEvent): Promise<void> {
    const { place } = event;
    if (place && (await client.remove(place.href, place.etag)) === "conflict") {
      return await this.#yield(calendar, client, event, place.href);
    }
    this.#write(() => this.#forget(event));
  }

  /** The server has another version: it stays. */
  async #yield(calendar: Calendar, client: CalDavClient, event: StoredEvent, href: string): Promise<void> {
    const [theirs] = await client.fetch([href]);
    if (!theirs && event.place === null) {
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
    const known = new Map(store.placedIn(calendar.id).map((event) => [event.place!.href, event]));
    const wanted = changes.changed.filter(({ href, etag }) => {
      const event = known.get(href);
      return !event || etag === null || event.place!.etag !== etag;
    });
    const objects = await client.fetch(wanted.map(({ href }) => href));
    const listed = new Set(changes.changed.map(({ href }) => href));
    const gone = changes.complete ? [...known.keys()].filter((href) => !listed.has(href)) : changes.removed;
    for (let i = 0; i < objects.length; i += BATCH) {
      this.#write(() => {
        for (const object of objects.slice(i, i + BATCH)) this.#takeUnlessPending(calendar, object);
      });
      // Others wait while a large calendar is read for the first time.
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#write(() => {
      for (const href of gone) this.#takeRemoval(calendar, href);
      const { sync_token, ctag } = changes;
      calendars.noteSynced(calendar, { sync_token, ctag });
    });
  }

  /** An object that cannot be read is left where it is; it does not keep the others back. */
  #takeUnlessPending(calendar: Calendar, object: RemoteObject): void {
    const uid = readObjects(object.ics)[0]?.uid;
    const known = uid === undefined ? null : this.parts.store.byUid(calendar.user_id, uid);
    // Ours changed since the push: the next one finds the conflict out by its ETag.
    if (known?.pending && known.calendar_id === calendar.id) return;
    try {
      this.#take(calendar, object);
    } catch (error) {
      this.parts.platform.log.warn("an event could not be read", { calendar: calendar.id, ...errorFields(error) });
    }
  }

  /** Takes over the server's version. What is no event (a task, a journal) is left there. */
  #take(calendar: Calendar, { href, etag, ics }: RemoteObject): void {
    const { store, platform } = this.parts;
    const [object] = readObjects(ics);
    if (!object) return;
    const { user_id } = calendar;
    const known = store.byUid(user_id, object.uid);
    // The resource may hold another event than before.
    const tenant = store.byHref(user_id, calendar.id, href);
    if (tenant && tenant.id !== known?.id) this.#forget(tenant);
    store.save(user_id, object.uid, {
      calendar_id: calendar.id,
      source: known?.source ?? "caldav",
      ics: object.ics,
      answer: answerOf(object.ics, this.parts.own(user_id)) ?? null,
      place: { href, etag },
      pending: null,
      deleted: false,
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

  /** An event that is no more. One that came by mail leaves a trace, so that the mail does not bring it back. */
  #forget(event: StoredEvent): void {
    if (event.source === "mail") this.#save({ ...event, calendar_id: null, place: null, pending: null, deleted: true });
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
