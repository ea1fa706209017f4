/** Parses the Date header (RFC 5322 §3.3 and §4.3), in the variants that real senders use. */

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const MONTH =
  /^(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)$/;

/**
 * UTC offsets in hours of the zone names in RFC 5322 §4.3 and of European ones seen in mail; other names count as UTC.
 */
const ZONES: Record<string, number> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
  est5edt: -5,
  cet: 1,
  mez: 1,
  cest: 2,
  met: 1,
  mest: 2,
  mesz: 2,
  eet: 2,
  eest: 3,
  wet: 0,
  west: 1,
  bst: 1,
  ist: 5.5,
  jst: 9,
  kst: 9,
  msk: 3,
  hst: -10,
};

/** Longer values are not dates. */
const MAX_LENGTH = 500;
const USUAL_LENGTH = 100;

/** The usual form: Fri, 23 Aug 2002 11:03:04 +0100 (BST). It is matched first, because the general parser is slow. */
const USUAL =
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun), )?(\d{1,2}) (jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec) (\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-]\d{4})(?: \([^()]*\))?$/i;

/**
 * Parses a date and returns milliseconds since the epoch, or null when the text contains no date. A missing zone counts
 * as UTC.
 */
export function parseDate(text: string): number | null {
  const usual = text.length < USUAL_LENGTH ? USUAL.exec(text) : null;
  if (usual) {
    const month = MONTHS.indexOf(usual[2]!.toLowerCase()) + 1;
    const clock = [+usual[4]!, +usual[5]!, +usual[6]!];
    return toTime(+usual[3]!, month, +usual[1]!, clock, zoneOf(usual[7]!, ""));
  }
  const value = withoutComments(text.slice(0, MAX_LENGTH));
  const iso = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?(?:\.\d+)?\s*(Z|[+-]\d{2}:?\d{2})?/i.exec(value);
  if (iso) {
    return toTime(+iso[1]!, +iso[2]!, +iso[3]!, [+iso[4]!, +iso[5]!, +(iso[6] ?? 0)], zoneOf(iso[7] ?? "", ""));
  }
  const tokens = value
    .replace(/(\d{1,2})-([a-z]{3,9})-(\d{2,4})/i, "$1 $2 $3")
    .split(/[\s,]+/)
    .filter((token) => token !== "");
  const clock = tokens.findIndex((token) => /^\d{1,2}:\d{1,2}(?::\d{1,2}(?:\.\d+)?)?$/.test(token));
  if (clock < 0) return null;
  const day = dayOf(tokens, clock);
  if (!day) return null;
  const [hour, minute, second] = tokens[clock]!.split(":").map((part) => Math.floor(Number(part)));
  const rest = tokens.slice(clock + 1);
  const half = /^[ap]m$/i.exec(rest[0] ?? "");
  if (half) rest.shift();
  // asctime puts the year after the clock.
  if (day.yearAfter) rest.splice(rest.indexOf(String(day.yearAfter)), 1);
  const hours = half ? (hour! % 12) + (half[0].toLowerCase() === "pm" ? 12 : 0) : hour!;
  return toTime(day.year, day.month, day.day, [hours, minute!, second ?? 0], zoneOf(rest[0] ?? "", rest[1] ?? ""));
}

function dayOf(
  tokens: string[],
  clock: number,
): { year: number; month: number; day: number; yearAfter?: string } | null {
  const before = tokens.slice(0, clock);
  const named = before.findIndex((token) => MONTH.test(token.toLowerCase().replace(".", "")));
  if (named >= 0) {
    const month = MONTHS.indexOf(before[named]!.slice(0, 3).toLowerCase()) + 1;
    const around = [before[named - 1], before[named + 1], before[named + 2]];
    const numbers = around.filter((token): token is string => /^\d{1,4}$/.test(token ?? ""));
    const day = numbers.find((token) => token.length <= 2);
    const year = numbers.find((token) => token !== day) ?? undefined;
    if (day === undefined) return null;
    if (year !== undefined) return { year: fullYear(year), month, day: Number(day) };
    const behind = tokens.slice(clock + 1).find((token) => /^(?:19|20)\d\d$/.test(token));
    return behind ? { year: Number(behind), month, day: Number(day), yearAfter: behind } : null;
  }
  const numbers = before.filter((token) => /^\d{1,4}$/.test(token));
  if (numbers.length < 3) return null;
  const [day, month, year] = numbers.slice(-3) as [string, string, string];
  return day.length > 2 || month.length > 2 ? null : { year: fullYear(year), month: Number(month), day: Number(day) };
}

/** RFC 5322 §4.3: two digits below 50 mean this century, other short years the last. */
function fullYear(text: string): number {
  const year = Number(text);
  if (text.length >= 4) return year;
  return text.length === 3 || year >= 50 ? 1900 + year : 2000 + year;
}

/** Returns minutes east of UTC. */
function zoneOf(token: string, next: string): number {
  const offset = /^(?:gmt|utc|z)?([+-])(\d{1,2}):?(\d{2})$/i.exec(token);
  if (offset) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return minutes > 24 * 60 ? 0 : offset[1] === "-" ? -minutes : minutes;
  }
  // "GMT +0200" states the offset twice.
  if (/^(?:gmt|utc)$/i.test(token) && /^[+-]\d{4}$/.test(next)) return zoneOf(next, "");
  return (ZONES[token.toLowerCase()] ?? 0) * 60;
}

function toTime(year: number, month: number, day: number, clock: number[], zoneMinutes: number): number | null {
  const [hour, minute, second] = clock as [number, number, number];
  if (month < 1 || month > 12 || hour > 24 || minute > 59 || second > 60) return null;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCDate() !== day || day < 1) return null;
  return midnight.getTime() + ((hour * 60 + minute - zoneMinutes) * 60 + Math.min(second, 59)) * 1000;
}

function withoutComments(text: string): string {
  let depth = 0;
  let out = "";
  for (const letter of text) {
    if (letter === "(") depth++;
    else if (letter === ")" && depth > 0) depth--;
    else if (depth === 0) out += letter;
    if (letter === ")" && depth === 0) out += " ";
  }
  return out.trim();
}
