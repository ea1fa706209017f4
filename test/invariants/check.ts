import type { Platform } from "../../src/platform/platform.ts";
import { checkCounters } from "./counters.ts";
import type { Finding, Fixture } from "./finding.ts";
import { checkFullText } from "./fulltext.ts";
import { checkGrants } from "./grants.ts";
import { checkMessages, checkThreads } from "./mail.ts";
import { checkFiles, checkRows } from "./orphans.ts";
import { checkOutgoing } from "./outgoing.ts";
import { checkSealed } from "./sealed.ts";
import { checkTags } from "./tags.ts";

export interface CheckOptions {
  /** All pending work is done: nothing may be in progress any more. */
  settled?: boolean;
  /** Except for webhooks, which wait for their next attempt: minutes, then hours. */
  deliveries_may_wait?: boolean;
}

/** What was checked, and what violates an invariant. */
export interface CheckReport {
  messages: number;
  threads: number;
  sends: number;
  events: number;
  /** Sealed values that opened. */
  sealed: number;
  files: number;
  findings: Finding[];
}

/** The list of one rule is no longer than this; further findings are only counted. */
const MAX_OF_A_RULE = 20;

/**
 * Reads a whole data folder and compares everything that is stored twice, counted, sealed or promised with its expected
 * value. Changes nothing. `compareWithServer` compares it with the mail servers.
 */
export async function checkInvariants(platform: Platform, options: CheckOptions = {}): Promise<CheckReport> {
  const found = new Map<string, Finding[]>();
  const fixture: Fixture = {
    platform,
    settled: options.settled ?? false,
    deliveries_may_wait: options.deliveries_may_wait ?? false,
    miss: (rule, what) => void found.set(rule, [...(found.get(rule) ?? []), { rule, what }]),
  };
  await runCheck(fixture, undefined, checkRows);
  const messages = await runCheck(fixture, 0, checkMessages);
  const threads = await runCheck(fixture, 0, checkThreads);
  await runCheck(fixture, undefined, checkTags);
  await runCheck(fixture, undefined, checkCounters);
  await runCheck(fixture, undefined, checkFullText);
  const { sends, events } = await runCheck(fixture, { sends: 0, events: 0 }, checkOutgoing);
  const sealed = await runCheck(fixture, 0, checkSealed);
  await runCheck(fixture, undefined, checkGrants);
  const files = await runCheck(fixture, 0, checkFiles);
  const findings = [...found].flatMap(([rule, all]) => [
    ...all.slice(0, MAX_OF_A_RULE),
    ...(all.length > MAX_OF_A_RULE ? [{ rule, what: `and ${all.length - MAX_OF_A_RULE} more` }] : []),
  ]);
  return { messages, threads, sends, events, sealed, files, findings };
}

/**
 * Runs one part of the checker. A database that is too damaged to be read is a finding, and the other parts continue.
 */
async function runCheck<T>(fixture: Fixture, otherwise: T, part: (fixture: Fixture) => T | Promise<T>): Promise<T> {
  try {
    return await part(fixture);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith("SQLITE_CORRUPT")) throw error;
    fixture.miss("database", message);
    return otherwise;
  }
}

/** Formats findings as lines, for callers that only print them. */
export const asLines = (findings: readonly Finding[]): string[] => findings.map(({ rule, what }) => `${rule}: ${what}`);
