import { describe, expect, test } from "bun:test";
import { extentOf } from "./extent.ts";
import { applyInvite } from "./invite.ts";
import { occurrences } from "./occurrences.ts";
import { readObjects, withoutFiles } from "./read.ts";
import { newEffort } from "./recurrence.ts";
import { readVcards } from "./vcard.ts";
import { joinCalendars, writeEvent } from "./write.ts";
import { ianaZone } from "./zones.ts";

/**
 * Input that is meant to keep a machine busy or to damage what others read. Without its limit, such a test never ends.
 */

const UTC = ianaZone("UTC")!;
const WINDOW = { from: Date.parse("2026-03-01T00:00Z"), to: Date.parse("2028-03-01T00:00Z") };
const START = "DTSTART:20260305T090000Z";

function event(lines: readonly string[], { zone = [] as string[], method = "REQUEST", uid = "x" } = {}) {
  const text = [
    ...["BEGIN:VCALENDAR", "VERSION:2.0", `METHOD:${method}`, ...zone],
    ...["BEGIN:VEVENT", `UID:${uid}`, "DTSTAMP:20260301T000000Z", ...lines, "END:VEVENT", "END:VCALENDAR", ""],
  ].join("\r\n");
  return readObjects(text)[0]!;
}
const zone = (...rules: string[]) => [
  ...["BEGIN:VTIMEZONE", "TZID:Nowhere", "BEGIN:STANDARD", "DTSTART:19000101T000000", "TZOFFSETFROM:+0000"],
  ...["TZOFFSETTO:+0100", ...rules.map((rule) => `RRULE:${rule}`), "END:STANDARD", "END:VTIMEZONE"],
];

describe("rules that repeat once in thousands of years", () => {
  test.each([
    "FREQ=DAILY;INTERVAL=1000000000",
    "FREQ=WEEKLY;INTERVAL=1000000000;COUNT=1000",
    "FREQ=DAILY;INTERVAL=100000000;COUNT=3",
    "FREQ=SECONDLY;INTERVAL=1000000000000000",
    "FREQ=YEARLY;INTERVAL=1000000000;COUNT=5",
  ])("%s gives the first occurrence", (rule) => {
    const { ics } = event([START, `RRULE:${rule}`]);
    expect(occurrences(ics, WINDOW, UTC)).toMatchObject([{ start: Date.parse("2026-03-05T09:00Z") }]);
    expect(extentOf(ics, UTC).start).toBeLessThan(WINDOW.to);
  });

  test("nothing occurs after the year 9999", () => {
    const { ics } = event([START, "RRULE:FREQ=YEARLY;INTERVAL=100;COUNT=2000"]);
    expect(extentOf(ics, UTC).end).toBeLessThan(Date.parse("+010001-01-01T00:00Z"));
  });
});

describe("invalid time zones", () => {
  test.each([
    "FREQ=SECONDLY",
    "FREQ=DAILY;INTERVAL=1000000000",
    "FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=YEARLY;INTERVAL=1000000000",
  ])("%s in a VTIMEZONE is ignored", (rule) => {
    const { ics } = event(["DTSTART;TZID=Nowhere:20260305T090000"], { zone: zone(rule) });
    expect(occurrences(ics, WINDOW, UTC)).toMatchObject([{ start: Date.parse("2026-03-05T08:00Z") }]);
  });

  test("a yearly rule in a VTIMEZONE is used", () => {
    const { ics } = event(["DTSTART;TZID=Nowhere:20260305T090000"], {
      zone: zone("FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
    });
    expect(ics).toContain("BYDAY=-1SU");
    expect(occurrences(ics, WINDOW, UTC)).toMatchObject([{ start: Date.parse("2026-03-05T08:00Z") }]);
  });
});

test.each(["P1000000000D", "P1000000000W", "-P1000000000D"])("an event of %s has an end", (duration) => {
  const [one] = occurrences(event([START, `DURATION:${duration}`]).ics, WINDOW, UTC);
  expect(one!.end - one!.start).toBeLessThan(40_000 * 86_400_000);
});

test("all events of one query share one limit for the work on rules", () => {
  const { ics } = event([START, ...Array<string>(300).fill("RRULE:FREQ=MINUTELY;BYMONTH=2;BYMONTHDAY=30")]);
  const effort = newEffort();
  const { steps } = effort;
  occurrences(ics, WINDOW, UTC, effort);
  const spent = steps - effort.steps;
  // Four rules of an event count, each up to its own limit.
  expect(spent).toBeLessThan(81_000);
  for (let i = 0; i < 20; i++) occurrences(ics, WINDOW, UTC, effort);
  expect(effort.steps).toBeGreaterThan(-200);
  // Single events use none of the limit.
  expect(occurrences(event([START]).ics, WINDOW, UTC, effort)).toHaveLength(1);
});

describe("invitations", () => {
  test("thousands of changed occurrences are not compared with each other", () => {
    const changes = Array.from({ length: 1_001 }, (_, i) => [
      ...["BEGIN:VEVENT", "UID:x", START],
      `RECURRENCE-ID:${new Date(1.77e12 + i * 60_000).toISOString().replace(/[-:]|\.\d+/g, "")}`,
      "END:VEVENT",
    ]);
    const text = ["BEGIN:VCALENDAR", "METHOD:REQUEST", ...changes.flat(), "END:VCALENDAR", ""].join("\r\n");
    expect(applyInvite(null, readObjects(text)[0]!)).toEqual({ kind: "ignored", reason: "too_large" });
  });

  test("answers of twenty thousand guests are recorded in one pass", () => {
    const guests = (partstat: string) =>
      Array.from({ length: 20_000 }, (_, i) => `ATTENDEE;PARTSTAT=${partstat}:mailto:guest${i}@x.example`);
    const known = event([START, ...guests("NEEDS-ACTION")]).ics;
    const outcome = applyInvite(known, event([START, ...guests("ACCEPTED")], { method: "REPLY" }));
    expect(outcome.kind).toBe("replied");
  });

  test("an answer adds no occurrence to a series", () => {
    const guest = (partstat: string) => `ATTENDEE;PARTSTAT=${partstat}:mailto:bob@x.example`;
    const known = event([START, "RRULE:FREQ=WEEKLY", guest("NEEDS-ACTION")]).ics;
    const answer = (at: string) =>
      applyInvite(known, event([`RECURRENCE-ID:${at}`, START, guest("DECLINED")], { method: "REPLY" }));
    expect(answer("20260312T090000Z").kind).toBe("replied");
    expect(answer("20260313T030000Z")).toEqual({ kind: "ignored", reason: "unknown_event" });
  });

  test("a changed occurrence with an unreadable time does not affect the others", () => {
    const change = (id: string) => ["BEGIN:VEVENT", "UID:x", `RECURRENCE-ID:${id}`, START, "END:VEVENT"];
    const text = [
      ...["BEGIN:VCALENDAR", "BEGIN:VEVENT", "UID:x", START, "RRULE:FREQ=WEEKLY;COUNT=2", "END:VEVENT"],
      ...[...change("rubbish"), ...change("20260312T090000Z"), "END:VCALENDAR", ""],
    ].join("\r\n");
    expect(occurrences(readObjects(text)[0]!.ics, WINDOW, UTC)).toHaveLength(2);
  });

  test("a message without an organizer does not change an event that has one", () => {
    const known = event([START, "SUMMARY:Dinner", "ORGANIZER:mailto:olga@example.com"]).ics;
    for (const method of ["REQUEST", "CANCEL"]) {
      const outcome = applyInvite(known, event([START, "SEQUENCE:9", "SUMMARY:Bait"], { method }));
      expect(outcome).toEqual({ kind: "ignored", reason: "not_organizer" });
    }
  });

  test("files embedded in an invitation are removed from the event, links are kept", () => {
    const lines = ["ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA", "ATTACH:https://x.example/plan.pdf"];
    const { ics } = withoutFiles(event([START, ...lines]));
    expect(ics).not.toContain("AAAA");
    expect(ics).toContain("https://x.example/plan.pdf");
  });
});

describe("a feed with events of many senders", () => {
  test("treats only CRLF as a line end", () => {
    for (const end of ["\r", "\u2028", "\u2029", "\u0085", "\v"]) {
      const bait = ["x", "END:VEVENT", "BEGIN:VEVENT", "UID:bait", "END:VCALENDAR"].join(end);
      const feed = joinCalendars("P", [event([START, `DESCRIPTION:${bait}`]).ics, event([START], { uid: "good" }).ics]);
      expect(readObjects(feed).map(({ uid }) => uid)).toEqual(["x", "good"]);
      expect(feed.split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/).filter((line) => line === "END:VEVENT")).toHaveLength(2);
    }
  });

  test("the user's own event contains no control characters", () => {
    const ics = writeEvent({
      uid: "u",
      title: "Review\r\nATTENDEE:mailto:x@x.example\u0000\u2028end \ud800",
      description: "",
      location: "",
      when: { start: 0, end: 0 },
      organizer: null,
      attendees: [],
      created_at: 0,
    });
    expect(ics.replaceAll("\r\n", "\n")).not.toMatch(/[^\P{Cc}\n]|[\u2028\u2029]|^ATTENDEE/mu);
  });
});

describe("address books", () => {
  test("cards that never end are skipped line by line", () => {
    const text = "BEGIN:VCARD\n".repeat(500_000);
    expect(readVcards(text, 5_000)).toEqual({ cards: [], unreadable: 0 });
    const good = "VERSION:3.0\nFN:Ann\nEMAIL:ann@x.example\nEND:VCARD\n";
    expect(readVcards(`${text}${good}`, 5_000).cards).toMatchObject([{ name: "Ann", emails: ["ann@x.example"] }]);
  });
});
