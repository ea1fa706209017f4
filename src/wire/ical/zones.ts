import ICAL from "ical.js";
import { findIana } from "windows-iana";

/**
 * A zone from the runtime's time zone data. ical.js asks a zone only for the offset of a local time, so this class
 * supports every IANA zone without its VTIMEZONE.
 */
export class IanaZone extends ICAL.Timezone {
  constructor(
    readonly iana: string,
    tzid = iana,
  ) {
    super({ tzid });
  }

  /** Returns the offset in seconds. Local times that a clock change skips or repeats are read as in RFC 5545 §3.3.5. */
  override utcOffset(time: ICAL.Time): number {
    const { year, month, day, hour, minute, second } = time;
    // ical.js keeps times that overflow ("25 o'clock") until it normalizes them; Date.UTC accepts them.
    const wallMs = Date.UTC(year, month - 1, day, hour, minute, second);
    return (wallMs - instantOf(wallMs, this.iana)) / 1000;
  }
}

/** Returns the instant at which clocks of a zone show a wall time, both ms; the wall time counts as if it were UTC. */
function instantOf(wallMs: number, iana: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO("UTC").toPlainDateTime();
  return wall.toZonedDateTime(iana, { disambiguation: "compatible" }).epochMilliseconds;
}

const zones = new Map<string, IanaZone | null>();
/** Names come from untrusted files, so the cache is cleared at this size. */
const CACHED_NAMES = 2_000;

/**
 * Returns the zone of a TZID: an IANA name, one with a vendor's prefix
 * ("/freeassociation.sourceforge.net/Europe/Paris"), or a Windows name ("W. Europe Standard Time"). Null for any other.
 */
export function ianaZone(tzid: string): IanaZone | null {
  const known = zones.get(tzid);
  if (known !== undefined) return known;
  const parts = tzid.split("/").filter((part) => part !== "");
  const candidates = [parts.join("/"), parts.slice(-2).join("/"), parts.slice(-3).join("/")];
  const iana = candidates.find(isZone) ?? findIana(tzid)[0] ?? null;
  const zone = iana === null || !isZone(iana) ? null : new IanaZone(iana, tzid);
  if (zones.size >= CACHED_NAMES) zones.clear();
  zones.set(tzid, zone);
  return zone;
}

function isZone(name: string): boolean {
  // Offsets such as "+01:00" and old abbreviations are not valid TZIDs.
  if (!/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
