import type ICAL from "ical.js";

type AttendeeStatus = "needs_action" | "accepted" | "tentative" | "declined" | "delegated";
type EventStatus = "confirmed" | "tentative" | "cancelled";

interface Attendee {
  name: string;
  email: string;
  status: AttendeeStatus;
}

/** The details of an event. */
export interface EventDetails {
  title: string;
  description: string;
  location: string;
  status: EventStatus;
  organizer: { name: string; email: string } | null;
  attendees: Attendee[];
}

const LONGEST_TEXT_CHARS = 20_000;
const MAX_ATTENDEES = 500;

const PARTSTATS: Record<string, AttendeeStatus> = {
  ACCEPTED: "accepted",
  TENTATIVE: "tentative",
  DECLINED: "declined",
  DELEGATED: "delegated",
};

/** Returns the details of an event, with its texts cut to their limits. */
export function describeEvent(event: ICAL.Component): EventDetails {
  const organizer = event.getFirstProperty("organizer");
  return {
    title: textOf(event, "summary"),
    description: textOf(event, "description"),
    location: textOf(event, "location"),
    status: statusOf(event),
    organizer: organizer && personOf(organizer),
    attendees: event
      .getAllProperties("attendee")
      .slice(0, MAX_ATTENDEES)
      .map((property) => ({
        ...personOf(property),
        status: PARTSTATS[(property.getFirstParameter("partstat") ?? "").toUpperCase()] ?? "needs_action",
      })),
  };
}

function statusOf(event: ICAL.Component): EventStatus {
  const status = String(event.getFirstPropertyValue("status") ?? "").toUpperCase();
  return status === "CANCELLED" ? "cancelled" : status === "TENTATIVE" ? "tentative" : "confirmed";
}

function textOf(event: ICAL.Component, name: string): string {
  return String(event.getFirstPropertyValue(name) ?? "")
    .slice(0, LONGEST_TEXT_CHARS)
    .trim();
}

function personOf(property: ICAL.Property): { name: string; email: string } {
  return { name: (property.getFirstParameter("cn") ?? "").trim(), email: addressOf(property) };
}

/**
 * Returns the email address of an ORGANIZER or ATTENDEE: from its mailto: URI, else from the EMAIL parameter (RFC 7986
 * §6.2).
 */
export function addressOf(property: ICAL.Property): string {
  const value = String(property.getFirstValue() ?? "").trim();
  if (/^mailto:/i.test(value)) return value.slice("mailto:".length).trim();
  return (
    (property.getFirstParameter("email") ?? "").trim() || (value.includes("@") && !value.includes(":") ? value : "")
  );
}
