import fc from "fast-check";
import type { Route } from "../../src/http/route.ts";
import { between, type Campaign, type CampaignOptions } from "../faults/campaign.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { describeApp, ODD_BROWSERS } from "./app-description.ts";
import type { Described } from "./described.ts";
import { type Request, requests } from "./generated-requests.ts";
import { Judge } from "./judge.ts";
import { MemoryGauge } from "./memory.ts";
import { createTwoPeople, type TwoPeople } from "./two-people.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";

/**
 * Requests generated from the OpenAPI description, valid and invalid ones: every answer must match the description in
 * its status, headers and body; every error has the envelope; and no answer contains anything of another person.
 */
export const apiCampaign: Campaign = async (options) => {
  const people = await createTwoPeople("api");
  try {
    const document = (await people.h.call("GET", "/openapi.json", { key: null })).json as Described;
    return await fuzzAll(people, new Judge(document, people), options);
  } finally {
    people.close();
  }
};

/** The same for the settings page's own paths, as its signed-in owner, and described by their declarations. */
export const appCampaign: Campaign = async (options) => {
  const people = await createTwoPeople("app");
  try {
    return await fuzzAll(people, new Judge(describeApp(people.routes), people), options, ODD_BROWSERS);
  } finally {
    people.close();
  }
};

/** The mailboxes of these two people were filled directly, without the words, vectors and files of the usual path. */
const UNLIKE_REAL = ["full-text index", "vectors"];
/** A removed mailbox leaves its files until the next sweep. */
const OF_REMOVED = ["orphan files"];

async function fuzzAll(
  people: TwoPeople,
  judge: Judge,
  options: CampaignOptions,
  oddHeaders: readonly Record<string, string>[] = [],
) {
  const watchdog = await openWatchdog(people.ada_owns ? "app" : "api");
  const memory = new MemoryGauge();
  try {
    for (const route of inOrder(people.routes)) {
      await memory.during(`${route.method} ${route.path}`, () =>
        fuzzOperation(people, judge, route, options, watchdog, oddHeaders),
      );
      // The harness keeps the log's lines for debugging.
      people.h.log.length = 0;
    }
  } finally {
    watchdog.close();
  }
  const grown = memory.figures();
  const { findings } = await checkInvariants(people.h.platform);
  const expected = [...UNLIKE_REAL, ...(people.ada_owns ? OF_REMOVED : [])];
  judge.misses.push(...asLines(findings.filter(({ rule }) => !expected.includes(rule))));
  const refused = people.routes.map(({ operationId }) => operationId).filter((id) => !judge.granted.has(id));
  options.say(`never granted: ${refused.join(", ") || "none"}`);
  if (!options.short && !people.ada_owns) {
    const unseen = refused.filter((id) => !(id in SELDOM_GRANTED));
    judge.misses.push(...unseen.map((id) => `${id} was never granted: its answer was compared with nothing`));
  }
  options.say(`answers by status: ${JSON.stringify(judge.statuses)}`);
  return {
    figures: {
      operations: people.routes.length,
      requests: judge.requests,
      succeeded: judge.succeeded,
      operations_granted: judge.granted.size,
      slowest_cpu_ms: Math.round(judge.slowest_ms),
      ...grown,
    },
    misses: [...judge.misses, ...memory.misses],
  };
}

/**
 * Applies to API operations. Many operations of the settings page need a password, a passkey or another person's data,
 * which cannot be generated.
 */
const SELDOM_GRANTED: Record<string, string> = {
  unsubscribe: "it asks a server elsewhere",
  getLatestBrief: "nobody made one",
  listCalendarEvents: "two times that are made up are seldom a span of the length that is allowed",
  removeDraftAttachment: "draft and file have to belong together",
};

/** Removals run last, and removals of nested objects first: someone with nothing left is only ever refused. */
function inOrder(routes: readonly Route[]): Route[] {
  const removes = ({ method }: Route) => Number(method === "DELETE");
  const depth = ({ path }: Route) => path.split("/").length;
  const place = (a: Route, b: Route) => depth(b) - depth(a) || a.path.localeCompare(b.path);
  return routes.toSorted((a, b) => removes(a) - removes(b) || (removes(a) === 1 ? place(a, b) : 0));
}

async function fuzzOperation(
  people: TwoPeople,
  judge: Judge,
  route: Route,
  { short, random, say }: CampaignOptions,
  watchdog: Watchdog,
  oddHeaders: readonly Record<string, string>[],
): Promise<void> {
  const operation = judge.operation(route);
  if (!operation) return;
  const seed = between(random, 0, 2 ** 31);
  const made = requests(people, route, operation, judge.resolve, oddHeaders);
  const property = fc.asyncProperty(made, async (request) => {
    const problem = await watchdog.during(`${route.method} ${route.path}`, JSON.stringify(request), () =>
      judge.ask(route, operation, request),
    );
    if (problem !== null) throw new Error(problem);
  });
  const result = await fc.check(property, {
    seed,
    numRuns: short ? 12 : 250,
    // Shrinking changes the mailbox, too: a few steps are enough for a readable request.
    interruptAfterTimeLimit: short ? 4_000 : 60_000,
    endOnFailure: short,
  });
  if (result.interrupted) say(`${route.method} ${route.path}: only ${result.numRuns} requests within the time`);
  if (!result.failed || result.counterexample === null) return;
  const [request] = result.counterexample as [Request];
  judge.misses.push(`${route.method} ${route.path}: ${messageOf(result.errorInstance)} for ${brief(request)}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const brief = (request: Request): string => JSON.stringify(request).slice(0, 600);
