import { describe, expect, test } from "bun:test";
import { occurrences } from "./occurrences.ts";
import { readObjects, uidOfCalendar } from "./read.ts";
import { joinCalendars, type NewEvent, writeEvent } from "./write.ts";
import { ianaZone } from "./zones.ts";

const UTC = ianaZone("UTC")!;
const base: NewEvent = {
  uid: "u@postroom",
  title: "Größe; 5, or \\ 6\nand more",
  description: "x".repeat(300),
  location: "Room 4",
  when: { start: Date.parse("2026-03-04T13:00Z"), end: Date.parse("2026-03-04T14:00Z") },
  organizer: "ada@example.org",
  attendees: ["maya@x.example"],
  created_at: Date.parse("2026-03-01T00:00Z"),
};
const window = { from: Date.parse("2026-03-01T00:00Z"), to: Date.parse("2026-04-01T00:00Z") };

describe("a written event", () => {
  test("is read back with the same content", () => {
    const ics = writeEvent(base);
    expect(uidOfCalendar(ics)).toBe("u@postroom");
    expect(occurrences(ics, window, UTC)).toMatchObject([
      {
        title: base.title,
        description: base.description,
        location: "Room 4",
        start: Date.parse("2026-03-04T13:00Z"),
        end: Date.parse("2026-03-04T14:00Z"),
        organizer: { email: "ada@example.org" },
        attendees: [{ email: "maya@x.example", status: "needs_action" }],
      },
    ]);
  });

  test("can be all-day and have no other participants", () => {
    const ics = writeEvent({ ...base, when: { firstDay: "2026-03-04", endDay: "2026-03-06" }, attendees: [] });
    expect(occurrences(ics, window, UTC)).toMatchObject([
      { all_day: true, start: Date.parse("2026-03-04T00:00Z"), end: Date.parse("2026-03-06T00:00Z"), organizer: null },
    ]);
  });
});

test("a feed contains all events, each zone once, and no alarms", () => {
  const zoned = (uid: string) =>
    readObjects(
      [
        "BEGIN:VCALENDAR",
        "BEGIN:VTIMEZONE",
        "TZID:Office",
        "BEGIN:STANDARD",
        "DTSTART:19700101T000000",
        "TZOFFSETFROM:+0330",
        "TZOFFSETTO:+0330",
        "END:STANDARD",
        "END:VTIMEZONE",
        "BEGIN:VEVENT",
        `UID:${uid}`,
        "SUMMARY:END:VEVENT in a title",
        "DTSTART;TZID=Office:20260304T090000",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        "TRIGGER:-PT5M",
        "END:VALARM",
        "END:VEVENT",
        "END:VCALENDAR",
      ].join("\r\n"),
    )[0]!.ics;
  const feed = joinCalendars("Postroom", [zoned("a"), zoned("b"), writeEvent(base)]);
  expect(feed).not.toContain("VALARM");
  expect(feed.match(/BEGIN:VTIMEZONE/g)).toHaveLength(1);
  const objects = readObjects(feed);
  expect(objects.map(({ uid, method }) => [uid, method])).toEqual([
    ["a", "PUBLISH"],
    ["b", "PUBLISH"],
    ["u@postroom", "PUBLISH"],
  ]);
  expect(occurrences(objects[0]!.ics, window, UTC)).toMatchObject([
    { title: "END:VEVENT in a title", start: Date.parse("2026-03-04T05:30Z") },
  ]);
});
