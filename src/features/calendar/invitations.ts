import { SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { applyInvite, organizerOfCalendar } from "../../wire/ical/invite.ts";
import { type CalendarObject, readObjects, withoutFiles } from "../../wire/ical/read.ts";
import { answerOf } from "./answers.ts";
import type { Calendars } from "./calendars.ts";
import type { EventStore, StoredEvent } from "./store.ts";

/** A file with more events is a calendar, not an invitation. */
const MAX_EVENTS = 20;
/** People do not write longer events, and every request for the calendar would read them. */
const LONGEST_EVENT_CHARS = 256 * 1024;

/** The message that contained an invitation. */
export interface InvitingMail {
  message_id: string;
  /** Whether the user wrote it: the message is among their sent mail. Its From address proves nothing. */
  wrote: boolean;
  /** The user's addresses, lower case. */
  own: ReadonlySet<string>;
}

/** Turns invitations in mail into events, and keeps them up to date. */
export class Invitations {
  constructor(
    private readonly platform: Platform,
    private readonly store: EventStore,
    private readonly calendars: Calendars,
  ) {}

  /**
   * Applies a calendar file of a message. Repetition, or mail in another order, leads to the same result. Runs in the
   * message's transaction and never throws because of the file's content.
   */
  take(user_id: string, mail: InvitingMail, text: string): void {
    const objects = readObjects(text);
    if (objects.length > MAX_EVENTS) return;
    for (const object of objects) {
      try {
        this.#apply(user_id, mail, withoutFiles(object));
      } catch (error) {
        const { message_id } = mail;
        this.platform.log.warn("an invitation could not be read", { message_id, ...errorFields(error) });
      }
    }
  }

  #apply(user_id: string, { message_id, wrote, own }: InvitingMail, object: CalendarObject): void {
    if (object.ics.length > LONGEST_EVENT_CHARS) return;
    const known = this.store.byUid(user_id, object.uid);
    if (known && !wrote && object.method !== "REPLY" && isTheirOwn(known, own)) return;
    // Only the user can change their own answer.
    const outcome = applyInvite(known?.ics ?? null, object, (email) => wrote || !own.has(email));
    if (outcome.kind === "ignored" || outcome.ics === known?.ics) return;
    // The user deleted the event: only an update restores it, and a cancellation does not.
    const deleted = known?.deleted === true && outcome.kind !== "updated";
    const answer = answerOf(outcome.ics, own);
    const id = this.store.save(user_id, object.uid, {
      calendar_id: known?.calendar_id ?? null,
      source: known?.source ?? "mail",
      ics: outcome.ics,
      // A forwarded invitation also invites the user, although it does not list them.
      answer: answer === undefined ? (known ? known.answer : "needs_action") : answer,
      remote: known?.remote ?? null,
      pending: known?.calendar_id && !deleted ? "put" : (known?.pending ?? null),
      deleted,
      // A reply only records an answer.
      message_id: outcome.kind === "replied" ? (known?.message_id ?? null) : message_id,
    });
    if (known?.calendar_id) this.calendars.syncSoon(known.calendar_id, user_id);
    this.platform.audit.record({
      user_id,
      actor: SYSTEM_ACTOR,
      action: `calendar.${ACTIONS[outcome.kind]}`,
      target: id,
      before: known && { ics: known.ics },
      after: { ics: outcome.ics, message_id },
    });
  }
}

/** Whether an event is the user's: created by them, or without an organizer. Other people's mail does not change it. */
function isTheirOwn({ source, ics }: StoredEvent, own: ReadonlySet<string>): boolean {
  const organizer = organizerOfCalendar(ics);
  return source === "api" || own.has(organizer) || (organizer === "" && source !== "mail");
}

const ACTIONS = { created: "invite", updated: "update", cancelled: "cancel", replied: "reply" } as const;
