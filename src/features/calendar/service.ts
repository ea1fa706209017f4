import { invalidParam, notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts.ts";
import type { Actor } from "../../platform/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Occurrence, occurrences } from "../../wire/ical/occurrences.ts";
import { uidOfCalendar } from "../../wire/ical/read.ts";
import { newEffort } from "../../wire/ical/recurrence.ts";
import { writeEvent } from "../../wire/ical/write.ts";
import type { Calendars } from "./calendars.ts";
import type { EventStore, StoredEvent } from "./store.ts";

/** Who changes the calendar. */
export interface CalendarWriter {
  user_id: string;
  actor: Actor;
  request_id: string | null;
}

/** One occurrence, with what we know of its event. */
export interface EventView extends Omit<Occurrence, "status"> {
  id: string;
  calendar_id: string | null;
  status: EventStatus;
}

export const EVENT_STATUSES = ["confirmed", "tentative", "needs_action", "declined", "cancelled"] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];

/** An event as a client asks for it. Times are ms. */
export interface GivenEvent {
  title: string;
  start: number;
  end: number;
  all_day: boolean;
  attendees: readonly string[];
  location: string;
  description: string;
}

const DAY_MS = 86_400_000;
const LONGEST_WINDOW_DAYS = 800;
/** Occurrences in one answer. */
const MOST_EVENTS = 5_000;
const LONGEST_ANSWER_CHARS = 8 * 1024 * 1024;
/** What an attendee takes up in an answer, about. */
const ATTENDEE_CHARS = 100;

interface Parts {
  platform: Platform;
  accounts: Accounts;
  store: EventStore;
  calendars: Calendars;
}

export class CalendarService {
  constructor(private readonly parts: Parts) {}

  /** What takes place within [from, to), ms, in order; series expanded. @throws ApiError invalid_params */
  list(user_id: string, from: number, to: number): EventView[] {
    if (to <= from) throw invalidParam("to", "to must be after from.");
    if (to - from > LONGEST_WINDOW_DAYS * DAY_MS) {
      throw invalidParam("to", `The window can be at most ${LONGEST_WINDOW_DAYS} days long. Choose an earlier to.`);
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

  /** Creates an event, on the user's default calendar where there is one. It mails nobody. @throws ApiError invalid_params */
  create(writer: CalendarWriter, given: GivenEvent): EventView {
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
        place: null,
        pending: calendar ? "put" : null,
        deleted: false,
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

  /** Deletes an event, a series as a whole; nobody is told. @throws ApiError not_found */
  remove(writer: CalendarWriter, id: string): void {
    const { platform, store, calendars } = this.parts;
    platform.db.write(() => {
      const event = store.get(writer.user_id, id);
      if (!event || event.deleted) throw notFound("event");
      this.#audit(writer, "calendar.delete", id, { ics: event.ics }, null);
      const on_server = event.calendar_id !== null && event.place !== null;
      // What came by mail may be read anew; what was never anywhere else can go.
      if (event.source === "api" && !on_server) return store.remove(id);
      const uid = uidOfCalendar(event.ics);
      store.save(writer.user_id, uid, { ...event, deleted: true, pending: on_server ? "delete" : null });
      if (on_server) calendars.syncSoon(event.calendar_id!, writer.user_id);
    });
  }

  /** Days in the user's zone; the end is exclusive, and a day at least. */
  #days(user_id: string, { start, end }: GivenEvent): { first_day: string; end_day: string } {
    const { iana } = this.parts.store.zoneOf(user_id);
    const day = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(iana).toPlainDate();
    const first = day(start);
    const last = day(Math.max(start, end - 1));
    return { first_day: first.toString(), end_day: last.add({ days: 1 }).toString() };
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

/** What fits into one answer: every occurrence repeats the description and the guests of its event. */
function bounded(found: readonly EventView[]): EventView[] {
  let chars = 0;
  const end = found.findIndex(({ description, attendees }, i) => {
    chars += description.length + attendees.length * ATTENDEE_CHARS;
    return i >= MOST_EVENTS || chars > LONGEST_ANSWER_CHARS;
  });
  return end === -1 ? [...found] : found.slice(0, end);
}

function view(event: StoredEvent, occurrence: Occurrence): EventView {
  return { ...occurrence, id: event.id, calendar_id: event.calendar_id, status: statusOf(event, occurrence) };
}

/** What the organizer called off is off; else the user's own answer says most, then what the event says of itself. */
function statusOf({ answer }: StoredEvent, { status }: Occurrence): EventStatus {
  if (status === "cancelled") return "cancelled";
  if (answer === "needs_action" || answer === "declined" || answer === "tentative") return answer;
  return status;
}
