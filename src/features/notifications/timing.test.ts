import { expect, test } from "bun:test";
import { type Digest, isQuiet, type QuietHours, releaseAt } from "./timing.ts";

const NIGHT: QuietHours = { quiet: true, quiet_start: "22:00", quiet_end: "07:00" };
const NO_DIGEST: Digest = { digest: "off", digest_hours: 4, digest_at: "18:00" };
const ZONE = "Europe/Berlin";

/** When a notification of a moment may be sent, if nothing is sent before. */
function release(at: string, more: { quiet?: QuietHours; digest?: Partial<Digest>; timezone?: string; now?: string }) {
  const { quiet = NIGHT, digest = {}, timezone = ZONE, now = at } = more;
  const when = { digest: { ...NO_DIGEST, ...digest }, quiet, timezone };
  const time = releaseAt({ at: Date.parse(at), urgent: false }, when, Date.parse(now));
  return new Date(time).toISOString().slice(0, 16);
}

test.each([
  ["2026-03-02T20:59:00Z", false],
  ["2026-03-02T21:00:00Z", true],
  ["2026-03-03T05:59:59Z", true],
  ["2026-03-03T06:00:00Z", false],
])("quiet hours from 22:00 to 07:00 in Berlin: %s", (at, quiet) => {
  expect(isQuiet(NIGHT, ZONE, Date.parse(at))).toBe(quiet);
  expect(isQuiet({ ...NIGHT, quiet: false }, ZONE, Date.parse(at))).toBe(false);
});

test.each([
  ["an ordinary night", "2026-03-02T23:30:00Z", "2026-03-03T06:00"],
  ["the night in which clocks are set forward", "2026-03-28T22:30:00Z", "2026-03-29T05:00"],
  ["the night in which clocks are set back", "2026-10-24T22:30:00Z", "2026-10-25T06:00"],
])("what comes during quiet hours waits for their end: %s", (_, at, end) => {
  expect(release(at, {})).toBe(end);
});

test.each([
  ["an end that the clocks skip", "02:30", "2026-03-29T00:10:00Z", "2026-03-29T01:00"],
  ["an end that the clocks show twice, before the first", "02:30", "2026-10-24T23:50:00Z", "2026-10-25T00:30"],
  ["an end that the clocks show twice, between the two", "02:30", "2026-10-25T01:10:00Z", "2026-10-25T01:30"],
])("quiet hours with %s", (_, quiet_end, at, end) => {
  expect(release(at, { quiet: { ...NIGHT, quiet_end } })).toBe(end);
});

test("every moment of the days of clock changes is released within a day, at a moment that is not quiet", () => {
  for (const day of ["2026-03-28", "2026-10-24"]) {
    for (const quiet_end of ["02:00", "02:30", "03:00", "07:00"]) {
      const quiet = { ...NIGHT, quiet_end };
      for (let at = Date.parse(day); at < Date.parse(day) + 48 * 3_600_000; at += 7 * 60_000) {
        const time = releaseAt({ at, urgent: false }, { digest: NO_DIGEST, quiet, timezone: ZONE }, at);
        expect(isQuiet(quiet, ZONE, time)).toBe(false);
        expect(time - at).toBeLessThan(11 * 3_600_000);
        if (!isQuiet(quiet, ZONE, at)) expect(time).toBe(at);
      }
    }
  }
});

test("a retry that falls into quiet hours waits, too", () => {
  expect(release("2026-03-02T20:50:00Z", { now: "2026-03-02T21:10:00Z" })).toBe("2026-03-03T06:00");
});

test("a daily digest keeps its local time when the clocks change", () => {
  const digest = { digest: "daily" as const, digest_at: "18:00" };
  expect(release("2026-03-28T12:00:00Z", { digest })).toBe("2026-03-28T17:00");
  expect(release("2026-03-28T17:00:00Z", { digest })).toBe("2026-03-29T16:00");
  expect(release("2026-10-24T16:30:00Z", { digest })).toBe("2026-10-25T17:00");
});

test("a digest every four hours is sent at the same local hours every day", () => {
  const digest = { digest: "hours" as const, digest_hours: 4 };
  expect(release("2026-03-28T08:00:00Z", { digest })).toBe("2026-03-28T11:00");
  expect(release("2026-03-29T08:00:00Z", { digest })).toBe("2026-03-29T10:00");
});

test("an hourly digest is sent within an hour in the night in which clocks are set back", () => {
  const quiet = { ...NIGHT, quiet: false };
  const when = { digest: { ...NO_DIGEST, digest: "hours" as const, digest_hours: 1 }, quiet, timezone: ZONE };
  for (let at = Date.parse("2026-10-24T22:05:00Z"); at < Date.parse("2026-10-25T04:00:00Z"); at += 5 * 60_000) {
    const waitMs = releaseAt({ at, urgent: false }, when, at) - at;
    expect(waitMs).toBeGreaterThan(0);
    expect(waitMs).toBeLessThanOrEqual(3_600_000);
  }
});

test("a digest that falls into quiet hours waits for their end", () => {
  expect(release("2026-03-02T19:00:00Z", { digest: { digest: "daily", digest_at: "23:00" } })).toBe("2026-03-03T06:00");
});

test("an urgent notification waits for nothing", () => {
  const at = Date.parse("2026-03-02T23:00:00Z");
  const digest = { ...NO_DIGEST, digest: "daily" as const };
  expect(releaseAt({ at, urgent: true }, { digest, quiet: NIGHT, timezone: ZONE }, at)).toBe(at);
});
