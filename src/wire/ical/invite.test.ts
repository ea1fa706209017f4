import { describe, expect, test } from "bun:test";
import { applyInvite, type InviteOutcome } from "./invite.ts";
import { occurrences } from "./occurrences.ts";
import { type CalendarObject, readObjects } from "./read.ts";
import { ianaZone } from "./zones.ts";

const UTC = ianaZone("UTC")!;
const PEOPLE =
  "ORGANIZER;CN=Olga:mailto:olga@example.com\nATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:ada@example.org\nATTENDEE:MAILTO:Bob@example.net";

function message(method: string | null, ...events: string[]): CalendarObject {
  const ics = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    ...(method ? [`METHOD:${method}`] : []),
    ...events.flatMap((lines) => ["BEGIN:VEVENT", "UID:u1", ...lines.split("\n"), "END:VEVENT"]),
    "END:VCALENDAR",
  ].join("\r\n");
  const [object] = readObjects(ics);
  return object!;
}
const weekly = (sequence: number, hour = "09") =>
  `SEQUENCE:${sequence}\nDTSTAMP:2026030${sequence + 1}T000000Z\nSUMMARY:Weekly\nDTSTART:20260302T${hour}0000Z\nDTEND:20260302T${hour}3000Z\nRRULE:FREQ=WEEKLY;COUNT=4\n${PEOPLE}`;
const moved = (sequence: number, day: string) =>
  `RECURRENCE-ID:20260309T090000Z\nSEQUENCE:${sequence}\nDTSTAMP:20260305T000000Z\nSUMMARY:Moved\nDTSTART:202603${day}T150000Z\nDTEND:202603${day}T153000Z\n${PEOPLE}`;
const ics = (outcome: InviteOutcome): string => {
  if (outcome.kind === "ignored") throw new Error(`ignored: ${outcome.reason}`);
  return outcome.ics;
};
/** The events of March: day, hour, status. */
const plan = (text: string) =>
  occurrences(text, { from: Date.parse("2026-03-01T00:00Z"), to: Date.parse("2026-04-01T00:00Z") }, UTC).map(
    ({ start, status }) => `${new Date(start).toISOString().slice(8, 13)} ${status}`,
  );
/** Applies messages one after another. */
const all = (...messages: CalendarObject[]): string =>
  messages.reduce<string | null>((known, each) => {
    const outcome = applyInvite(known, each);
    return outcome.kind === "ignored" ? known : outcome.ics;
  }, null)!;

describe("REQUEST", () => {
  test("creates the event, and a newer message changes it", () => {
    const created = applyInvite(null, message("REQUEST", weekly(0)));
    expect(created.kind).toBe("created");
    const updated = applyInvite(ics(created), message("REQUEST", weekly(1, "11")));
    expect([updated.kind, plan(ics(updated))]).toEqual([
      "updated",
      ["02T11 confirmed", "09T11 confirmed", "16T11 confirmed", "23T11 confirmed"],
    ]);
    expect(applyInvite(ics(updated), message("REQUEST", weekly(0)))).toEqual({ kind: "ignored", reason: "older" });
  });

  test("can move occurrences of an all-day series independently", () => {
    const days = `SEQUENCE:0\nDTSTAMP:20260301T000000Z\nSUMMARY:Leave\nDTSTART;VALUE=DATE:20260302\nRRULE:FREQ=WEEKLY;COUNT=3\n${PEOPLE}`;
    const to = (sequence: number, from: string, day: string) =>
      `RECURRENCE-ID;VALUE=DATE:202603${from}\nSEQUENCE:${sequence}\nDTSTAMP:20260305T000000Z\nSUMMARY:Leave\nDTSTART;VALUE=DATE:202603${day}\n${PEOPLE}`;
    const both = all(
      message("REQUEST", days),
      message("REQUEST", to(0, "09", "10")),
      message("REQUEST", to(0, "16", "18")),
    );
    expect(plan(both)).toEqual(["02T00 confirmed", "10T00 confirmed", "18T00 confirmed"]);
    expect(plan(all(message("REQUEST", days, to(0, "09", "10")), message("REQUEST", to(1, "09", "11"))))).toEqual([
      "02T00 confirmed",
      "11T00 confirmed",
      "16T00 confirmed",
    ]);
  });

  test("can move one occurrence; a revision of the series discards the move", () => {
    const one = all(message("REQUEST", weekly(0)), message("REQUEST", moved(0, "10")));
    expect(plan(one)).toEqual(["02T09 confirmed", "10T15 confirmed", "16T09 confirmed", "23T09 confirmed"]);
    expect(
      plan(all(message("REQUEST", weekly(0)), message("REQUEST", moved(0, "10")), message("REQUEST", weekly(2, "12")))),
    ).toEqual(["02T12 confirmed", "09T12 confirmed", "16T12 confirmed", "23T12 confirmed"]);
  });

  test("mail that is read newest first gives the same result", () => {
    const messages = [
      message("REQUEST", weekly(0)),
      message("REQUEST", weekly(1, "11")),
      message("REQUEST", moved(1, "10")),
    ];
    const forwards = plan(all(...messages));
    expect(plan(all(...messages.toReversed()))).toEqual(forwards);
    const cancelled = [
      message("REQUEST", weekly(0)),
      message("CANCEL", `SEQUENCE:1\nDTSTART:20260302T090000Z\nRRULE:FREQ=WEEKLY;COUNT=4\n${PEOPLE}`),
    ];
    expect(plan(all(...cancelled.toReversed())).every((day) => day.endsWith("cancelled"))).toBe(true);
  });

  test("from someone other than the organizer changes nothing", () => {
    const known = all(message("REQUEST", weekly(0)));
    const forged = weekly(5, "23").replace("olga@example.com", "mallory@example.com");
    expect(applyInvite(known, message("REQUEST", forged))).toEqual({ kind: "ignored", reason: "not_organizer" });
    expect(applyInvite(known, message("CANCEL", forged))).toEqual({ kind: "ignored", reason: "not_organizer" });
  });
});

describe("CANCEL", () => {
  test("cancels the whole series, one occurrence, or all that follow", () => {
    const known = all(message("REQUEST", weekly(1)));
    expect(plan(ics(applyInvite(known, message("CANCEL", `SEQUENCE:2\n${PEOPLE}`))))).toEqual([
      "02T09 cancelled",
      "09T09 cancelled",
      "16T09 cancelled",
      "23T09 cancelled",
    ]);
    const one = `RECURRENCE-ID:20260309T090000Z\nSEQUENCE:1\n${PEOPLE}`;
    expect(plan(ics(applyInvite(known, message("CANCEL", one))))).toEqual([
      "02T09 confirmed",
      "09T09 cancelled",
      "16T09 confirmed",
      "23T09 confirmed",
    ]);
    const following = `RECURRENCE-ID;RANGE=THISANDFUTURE:20260316T090000Z\nSEQUENCE:1\n${PEOPLE}`;
    expect(plan(ics(applyInvite(known, message("CANCEL", following))))).toEqual(["02T09 confirmed", "09T09 confirmed"]);
  });

  test("for an outdated revision changes nothing", () => {
    const known = all(message("REQUEST", weekly(3)));
    expect(applyInvite(known, message("CANCEL", `SEQUENCE:1\n${PEOPLE}`))).toEqual({
      kind: "ignored",
      reason: "older",
    });
  });
});

describe("REPLY", () => {
  const answer = (partstat: string, more = "") =>
    message(
      "REPLY",
      `SEQUENCE:0\nDTSTAMP:20260304T000000Z\n${more}ATTENDEE;PARTSTAT=${partstat}:mailto:bob@EXAMPLE.net`,
    );

  test("records the attendee's answer, for the series or for one occurrence", () => {
    const known = all(message("REQUEST", weekly(0)));
    const accepted = ics(applyInvite(known, answer("ACCEPTED")));
    const window = { from: 0, to: Date.parse("2027-01-01T00:00Z") };
    expect(occurrences(accepted, window, UTC).map(({ attendees }) => attendees[1]!.status)).toEqual(
      Array(4).fill("accepted"),
    );
    const one = ics(applyInvite(accepted, answer("DECLINED", "RECURRENCE-ID:20260316T090000Z\n")));
    expect(occurrences(one, window, UTC).map(({ attendees }) => attendees[1]!.status)).toEqual([
      "accepted",
      "accepted",
      "declined",
      "accepted",
    ]);
    expect(plan(one)).toEqual(plan(known));
  });

  test("is kept when the invitation is read again", () => {
    const request = message("REQUEST", weekly(0));
    const accepted = ics(applyInvite(all(request), answer("ACCEPTED")));
    expect(applyInvite(accepted, request)).toEqual({ kind: "ignored", reason: "older" });
  });

  test("from someone who was not invited, or to an outdated revision, changes nothing", () => {
    const known = all(message("REQUEST", weekly(1)));
    expect(applyInvite(known, answer("ACCEPTED"))).toEqual({ kind: "ignored", reason: "older" });
    const stranger = message("REPLY", "SEQUENCE:1\nATTENDEE;PARTSTAT=ACCEPTED:mailto:eve@example.com");
    expect(applyInvite(known, stranger).kind).toBe("ignored");
    expect(applyInvite(null, stranger)).toEqual({ kind: "ignored", reason: "unknown_event" });
  });
});

test("the organizer's time zones are kept with the event", () => {
  const zoned = `SEQUENCE:0\nDTSTART;TZID=Europe/Berlin:20260302T090000\nDTEND;TZID=Europe/Berlin:20260302T100000\nRRULE:FREQ=WEEKLY;COUNT=6\n${PEOPLE}`;
  const one = `RECURRENCE-ID;TZID=Europe/Berlin:20260330T090000\nSEQUENCE:0\n${PEOPLE}`;
  const known = all(message("REQUEST", zoned), message("CANCEL", one));
  const found = occurrences(known, { from: 0, to: Date.parse("2027-01-01T00:00Z") }, UTC);
  expect(found.map(({ start, status }) => [new Date(start).toISOString().slice(5, 13), status])).toEqual([
    ["03-02T08", "confirmed"],
    ["03-09T08", "confirmed"],
    ["03-16T08", "confirmed"],
    ["03-23T08", "confirmed"],
    ["03-30T07", "cancelled"],
    ["04-06T07", "confirmed"],
  ]);
});

test("methods that need an answer first change nothing", () => {
  const known = all(message("REQUEST", weekly(0)));
  for (const method of ["COUNTER", "REFRESH", "DECLINECOUNTER", "X-NEW"]) {
    expect(applyInvite(known, message(method, weekly(4)))).toEqual({ kind: "ignored", reason: "method" });
  }
});
