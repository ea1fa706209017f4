import { signal } from "@preact/signals";

/** The current time for relative times, updated twice a minute. */
const present = signal(Date.now());
setInterval(() => {
  present.value = Date.now();
}, 30_000);

const UNITS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const absolute = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });

const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const DAY_AND_YEAR = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric" });

/** "3 minutes ago", "in 2 hours", "just now". */
function relativeTime(atMs: number, nowMs: number): string {
  const seconds = Math.round((atMs - nowMs) / 1000);
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.trunc(seconds / length), unit);
  }
  return "just now";
}

/** Shows a relative time, with the absolute time as the title. */
export function Ago({ at }: { at: string }) {
  const atMs = Date.parse(at);
  if (Number.isNaN(atMs)) return <span>{at}</span>;
  // The server's clock can be slightly ahead of the browser's.
  const nowMs = Math.max(present.value, Math.min(atMs, present.value + 60_000));
  return (
    <time dateTime={at} title={absolute.format(atMs)}>
      {relativeTime(atMs, nowMs)}
    </time>
  );
}

const MINUTE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** "21 Nov 2026, 09:42". */
export function whenText(at: Date): string {
  return MINUTE.format(at);
}

/** Shows an absolute time: "21 Nov 2026, 09:42". */
export function When({ at }: { at: string }) {
  return <time dateTime={at}>{whenText(new Date(at))}</time>;
}

const LONG_DAY = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

/** Shows a day: "Saturday 21 November". @param day YYYY-MM-DD */
export function LongDay({ day }: { day: string }) {
  return <time dateTime={day}>{LONG_DAY.format(new Date(`${day}T00:00:00Z`))}</time>;
}

/** Shows a time as lists of mail do: "14:32" today, "3 Mar" this year, else "3 Mar 2025". */
export function ListTime({ at }: { at: string }) {
  const date = new Date(at);
  const now = new Date(present.value);
  const sameDay = date.toDateString() === now.toDateString();
  const format = sameDay ? CLOCK : date.getFullYear() === now.getFullYear() ? DAY : DAY_AND_YEAR;
  return (
    <time dateTime={at} title={absolute.format(date)}>
      {format.format(date)}
    </time>
  );
}
