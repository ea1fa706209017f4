import { describeEvent } from "../../wire/ical/describe.ts";
import { openCalendar } from "../../wire/ical/read.ts";
import type { Answer } from "./store.ts";

/**
 * Returns the user's answer to an event, from their own entry among its attendees: null if the user is the organizer,
 * undefined if the event does not list them.
 * @param own the user's addresses, lower case
 */
export function answerOf(ics: string, own: ReadonlySet<string>): Answer | undefined {
  const events = openCalendar(ics).getAllSubcomponents("vevent");
  const event = events.find((each) => !each.hasProperty("recurrence-id")) ?? events[0];
  if (!event) return undefined;
  const { organizer, attendees } = describeEvent(event);
  if (organizer && own.has(organizer.email.toLowerCase())) return null;
  const status = attendees.find(({ email }) => own.has(email.toLowerCase()))?.status;
  return status === "delegated" ? "declined" : status;
}
