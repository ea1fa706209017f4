import type { PageMap } from "../../platform/pages/page-map.ts";
import { PageSet } from "../../platform/pages/page-set.ts";
import type { KnownFile } from "./checkpoint.ts";
import type { LogPosition } from "./history.ts";
import { EMPTY_LOG, type LogPart } from "./log-part.ts";
import type { LogStep } from "./manifest.ts";

/** What changed since the last step. */
export interface SinceStep {
  pages: PageSet;
  files: Set<string>;
  /** Number of the segment after which the step begins. */
  from: number;
  changes: number;
  /** When it began, ms. */
  since: number;
  /** Steps since the oldest base. */
  earlier: LogStep[];
}

/** The log that a writer continues. One object, which the writer and its queue change. */
export interface WrittenLog {
  /** What `primary` is to say. Its head is the acknowledged state. */
  part: LogPart;
  /** Whether `primary` does not say it yet, besides its head. */
  changed: boolean;
  /** The newest state in the store; null before the first base. */
  position: LogPosition | null;
  /** Content of the pages in the log; null before the first base. */
  map: PageMap | null;
  files: Map<string, KnownFile>;
  /** Bytes that were sent since the newest base. */
  bytesSince: number;
  step: SinceStep;
  /** Segments and bytes that this process has sent. */
  segments: number;
  bytes: number;
}

export function emptyLog(now: number): WrittenLog {
  return {
    part: EMPTY_LOG,
    changed: false,
    position: null,
    map: null,
    files: new Map(),
    bytesSince: 0,
    step: stepAfter(0, now, []),
    segments: 0,
    bytes: 0,
  };
}

export function stepAfter(from: number, since: number, earlier: LogStep[]): SinceStep {
  return { pages: new PageSet(), files: new Set(), from, changes: 0, since, earlier };
}

/** State of the continuous copy, for people and metrics. */
export interface LogStatus {
  /** The newest acknowledged state, ms; null before the first base. */
  copiedAt: number | null;
  /** How long the oldest change that is not acknowledged has waited, ms. */
  lagMs: number;
  token: number;
  seq: number | null;
  /** Since the first of the failures without a success between them, ms. */
  failingSince: number | null;
  failures: number;
  error: string | null;
  /** Something unexpected that was repaired, as a sentence. */
  warning: string | null;
  /** Segments and bytes that this process has sent. */
  segments: number;
  bytes: number;
  /** The newest base, and the one that is being sent. */
  baseAt: number | null;
  base: { done: number; total: number } | null;
  /** Old objects that the store refused to delete. */
  kept: number;
  /** The earliest moment that can be restored, ms. */
  since: number | null;
}

/**
 * Returns the part of the status that follows from the log.
 * @param dirtySince of changes that were not read yet @param acknowledges whether only what is acknowledged counts
 */
export function statusOf(
  { part: { head, bases }, position, segments, bytes }: WrittenLog,
  { dirtySince, acknowledges, now }: { dirtySince: number | null; acknowledges: boolean; now: number },
): Pick<LogStatus, "copiedAt" | "lagMs" | "seq" | "segments" | "bytes" | "baseAt" | "since"> {
  const waits = acknowledges && position && position.seq > (head?.seq ?? -1);
  const unacknowledged = waits ? position.at : now;
  return {
    copiedAt: (acknowledges ? head?.at : position?.at) ?? null,
    lagMs: Math.max(0, now - Math.min(unacknowledged, dirtySince ?? now)),
    seq: head?.seq ?? null,
    segments,
    bytes,
    baseAt: bases.at(-1)?.at ?? null,
    since: bases[0]?.at ?? null,
  };
}

const BASE_AGE_MS = 30 * 86_400_000;
/** A base of a small database is not sent again before so much has followed it. */
const LEAST_BASE_BYTES = 16 * 1024 * 1024;

/** @param newestKey id of the key for everything that is written from now on */
export function needsBase({ part, position, bytesSince }: WrittenLog, newestKey: string, now: number): boolean {
  const newest = part.bases.at(-1);
  if (!position || !newest || newest.key !== newestKey) return true;
  return bytesSince > Math.max(newest.bytes, LEAST_BASE_BYTES) || now - newest.at > BASE_AGE_MS;
}
