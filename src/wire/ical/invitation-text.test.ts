import { expect, test } from "bun:test";
import { invitationText } from "./invitation-text.ts";

const calendar = (lines: string[], method = "REQUEST"): string =>
  [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Example//EN",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    "UID:1@calendar.example",
    "DTSTAMP:20260301T000000Z",
    ...lines,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");

const VISIT = [
  "DTSTART:20260319T100000Z",
  "DTEND:20260319T110000Z",
  "SUMMARY:Site visit",
  "LOCATION:Rua Nova 3\\, Porto",
];

test("an invitation is a line with its title, day, time in a time zone, and place", () => {
  expect(invitationText(calendar(VISIT), "Europe/Berlin")).toBe(
    "Site visit: Thursday 19 March 2026, 11:00 to 12:00, Rua Nova 3, Porto",
  );
});

test("whole days have no time, and a cancelled event says so", () => {
  const days = ["DTSTART;VALUE=DATE:20260604", "DTEND;VALUE=DATE:20260607", "SUMMARY:Fair"];
  expect(invitationText(calendar(days), "UTC")).toBe("Fair: Thursday 4 June 2026 to Saturday 6 June 2026");
  expect(invitationText(calendar(VISIT, "CANCEL"), "UTC")).toStartWith("Site visit is cancelled: Thursday 19 March");
});

test("replies, and what is no calendar, have no text", () => {
  expect(invitationText(calendar(VISIT, "REPLY"), "UTC")).toBe("");
  expect(invitationText("BEGIN:VCALENDAR\r\nnonsense", "UTC")).toBe("");
});
