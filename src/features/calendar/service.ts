import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Occurrence, occurrences } from "../../wire/ical/occurrences.ts";
import { uidOfCalendar } from "../../wire/ical/read.ts";
import { newEffort } from "../../wire/ical/recurrence.ts";
import { writeEvent } from "../../wire/ical/write.ts";
import type { Calendars } from "./calendars.ts";
import type { EventStore, StoredEvent } from "./store.ts";

/** The person or program that changes the calendar. */
export interface CalendarWriter {
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

/** One occurrence, with the stored data of its event. */
export interface EventView extends Omit<Occurrence, "status"> {
  id: string;
  calendar_id: string | null;
  status: EventStatus;
  /** The message whose invitation made the event what it is; null: not from mail. It may be deleted since. */
  message_id: string | null;
}

export const EVENT_STATUSES = ["confirmed", "tentative", "needs_action", "declined", "cancelled"] as const;
type EventStatus = (typeof EVENT_STATUSES)[number];

/** An event as a client submits it. Times are ms. */
export interface EventInput {
  title: string;
  start: number;
  end: number;
  all_day: boolean;
  attendees: readonly string[];
  location: string;
  description: string;
}

const DAY_MS = 86_400_000;
const ALWAYS = { from: Date.UTC(1900), to: Date.UTC(2200) };
const LONGEST_WINDOW_DAYS = 800;
/** Maximum number of occurrences in one response. */
const MAX_EVENTS = 5_000;
const LONGEST_ANSWER_CHARS = 8 * 1024 * 1024;
/** Approximate size of an attendee in a response. */
const ATTENDEE_CHARS = 100;

interface Parts {
  platform: Platform;
  accounts: Accounts;
  store: EventStore;
  calendars: Calendars;
}

/** Lists, creates and deletes the events of a user's calendar. */
export class CalendarService {
  constructor(private readonly parts: Parts) {}

  /** Returns the occurrences within [from, to), ms, in order, with series expanded. @throws ApiError invalid_params */
  list(user_id: string, from: number, to: number): EventView[] {
    if (to <= from) throw invalidParam("to", "to must be after from.");
    if (to - from > LONGEST_WINDOW_DAYS * DAY_MS) {
      throw invalidParam(
        "to",
        `The window can be at most ${LONGEST_WINDOW_DAYS} days long. Send an earlier time in to.`,
      );
    }
    const { store, platform } = this.parts;
    const zone = store.zoneOf(user_id);
    const effort = newEffort();
    const found = store.within(user_id, from, to).flatMap((event) => {
      try {
        return occurrences(event.ics, { from, to }, zone, effort).map((occurrence) => view(event, occurrence));
      } catch (error) {
        platform.log.warn("an event could not be read", { event: event.id, ...errorFields(error) });
        return [];
      }
    });
    return bounded(found.sort((a, b) => a.start - b.start || (a.id < b.id ? -1 : 1)));
  }

  /** Returns an event; null for a series. @throws ApiError not_found */
  single(user_id: string, id: string): EventView | null {
    const { store } = this.parts;
    const event = store.get(user_id, id);
    if (!event || event.deleted) throw notFound("event");
    if (/^(?:RRULE|RDATE)/m.test(event.ics)) return null;
    const [occurrence] = occurrences(event.ics, ALWAYS, store.zoneOf(user_id));
    return occurrence ? view(event, occurrence) : null;
  }

  /** Creates an event, on the user's default calendar if there is one. Sends no mail. @throws ApiError invalid_params */
  create(writer: CalendarWriter, given: EventInput): EventView {
    const { platform, store, calendars } = this.parts;
    const { user_id } = writer;
    const title = given.title.trim();
    if (title === "") throw invalidParam("title", "title must not be empty.");
    if (given.end < given.start) throw invalidParam("end", "end must not be before start.");
    const odd = given.attendees.findIndex((email) => /\p{Cc}/u.test(email));
    if (odd !== -1) throw invalidParam(`attendees[${odd}]`, "An address must not contain control characters.");
    return platform.db.write(() => {
      const uid = `${platform.newId("calendarEvent").slice("evt_".length)}@postroom`;
      const ics = writeEvent({
        uid,
        title,
        description: given.description.trim(),
        location: given.location.trim(),
        when: given.all_day ? this.#days(user_id, given) : { start: given.start, end: given.end },
        organizer: this.#organizer(user_id),
        attendees: [...new Map(given.attendees.map((email) => [email.toLowerCase(), email])).values()],
        created_at: platform.clock.now(),
      });
      const calendar = calendars.defaultOf(user_id);
      const id = store.save(user_id, uid, {
        calendar_id: calendar?.id ?? null,
        source: "api",
        ics,
        answer: null,
        remote: null,
        pending: calendar ? "put" : null,
        deleted: false,
        message_id: null,
      });
      if (calendar) calendars.syncSoon(calendar.id, user_id);
      this.#audit(writer, "calendar.create", id, null, { ics });
      const [occurrence] = occurrences(
        ics,
        { from: given.start - DAY_MS, to: given.end + DAY_MS },
        store.zoneOf(user_id),
      );
      return view(store.get(user_id, id)!, occurrence!);
    });
  }

  /** Deletes an event; a series is deleted as a whole. No one is notified. @throws ApiError not_found */
  remove(writer: CalendarWriter, id: string): void {
    const { platform, store, calendars } = this.parts;
    platform.db.write(() => {
      const event = store.get(writer.user_id, id);
      if (!event || event.deleted) throw notFound("event");
      this.#audit(writer, "calendar.delete", id, { ics: event.ics }, null);
      const onServer = event.calendar_id !== null && event.remote !== null;
      // An event from mail leaves a record, because its mail may be read again. An event that was never elsewhere is removed.
      if (event.source === "api" && !onServer) return store.remove(id);
      const uid = uidOfCalendar(event.ics);
      store.save(writer.user_id, uid, { ...event, deleted: true, pending: onServer ? "delete" : null });
      if (onServer) calendars.syncSoon(event.calendar_id!, writer.user_id);
    });
  }

  /** Returns the days in the user's time zone. The end is exclusive, at least one day after the start. */
  #days(user_id: string, { start, end }: EventInput): { firstDay: string; endDay: string } {
    const { iana } = this.parts.store.zoneOf(user_id);
    const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(iana).toPlainDate();
    const first = day(start);
    const last = day(Math.max(start, end - 1));
    return { firstDay: first.toString(), endDay: last.add({ days: 1 }).toString() };
  }

  #organizer(user_id: string): string | null {
    const accounts = this.parts.accounts.list(user_id);
    return (accounts.find(({ is_primary }) => is_primary) ?? accounts[0])?.email ?? null;
  }

  #audit(
    { user_id, actor, request_id }: CalendarWriter,
    action: string,
    target: string,
    before: unknown,
    after: unknown,
  ) {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

/** Limits the occurrences to one response, because each repeats the description and the attendees of its event. */
function bounded(found: readonly EventView[]): EventView[] {
  let chars = 0;
  const end = found.findIndex(({ description, attendees }, i) => {
    chars += description.length + attendees.length * ATTENDEE_CHARS;
    return i >= MAX_EVENTS || chars > LONGEST_ANSWER_CHARS;
  });
  return end === -1 ? [...found] : found.slice(0, end);
}

function view(event: StoredEvent, occurrence: Occurrence): EventView {
  const { id, calendar_id, message_id } = event;
  return { ...occurrence, id, calendar_id, message_id, status: statusOf(event, occurrence) };
}

/** Returns the status: an organizer's cancellation first, then the user's own answer, then the status of the event. */
function statusOf({ answer }: StoredEvent, { status }: Occurrence): EventStatus {
  if (status === "cancelled") return "cancelled";
  if (answer === "needs_action" || answer === "declined" || answer === "tentative") return answer;
  return status;
}
