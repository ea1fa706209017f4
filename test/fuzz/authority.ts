import type { Campaign, CampaignOptions } from "../faults/campaign.ts";
import { fieldIdSlots, fieldIds, type IdSlot, nameOf, pathIdSlots, pathIds } from "./foreign-ids.ts";
import { MemoryGauge } from "./memory.ts";
import { fill, idsOf, ownParams } from "./own-paths.ts";
import { pairedTimes } from "./paired-times.ts";
import { isPaged } from "./populate.ts";
import { actionsOfOthers, rowsOf } from "./rows-of.ts";
import { createTwoPeople, type TwoPeople } from "./two-people.ts";
import { openWatchdog, type Watchdog } from "./watchdog.ts";

/** Pairs of a foreign and an unknown id that are timed for one place of a path, and for one field. */
const PATH_PAIRS = { short: 30, full: 600 };
const FIELD_PAIRS = { short: 20, full: 200 };
/** A median difference below this cannot be measured over a network, ms. */
const MIN_DIFFERENCE_MS = 0.05;
/** Chance alone moves a sign test this far about once in ten thousand times. */
const MAX_SIGMAS = 4;

const NO_FIGURES = {
  routes: 0,
  foreign_ids: 0,
  fields: 0,
  cursors: 0,
  app_cursors: 0,
  timed_paths: 0,
  timed_fields: 0,
};

interface Found {
  figures: typeof NO_FIGURES;
  largest_difference_ms: number;
  largest_difference_at: string;
  misses: string[];
}

/**
 * Two people, every route and every kind of id, under /v1 and on the settings page's own paths: the other person's
 * objects answer exactly like unknown ids, in status and text, in paths, bodies, forms and queries, with their cursors,
 * and in response time. Requests reserved for the owner are made by someone else.
 */
export const authorityCampaign: Campaign = async (options) => {
  const found: Found = {
    figures: { ...NO_FIGURES },
    largest_difference_ms: 0,
    largest_difference_at: "none",
    misses: [],
  };
  const watchdog = await openWatchdog("authority");
  const memory = new MemoryGauge();
  try {
    for (const audience of ["api", "app"] as const) {
      const people = watched(await createTwoPeople(audience), watchdog);
      try {
        await memory.during(audience, () => compareTimes(people, options, found));
      } finally {
        people.close();
      }
    }
  } finally {
    watchdog.close();
  }
  const { figures, largest_difference_ms, largest_difference_at, misses } = found;
  const grown = memory.figures();
  return {
    figures: {
      ...figures,
      largest_difference_us: Math.round(largest_difference_ms * 1_000),
      largest_difference_at,
      ...grown,
    },
    misses: [...misses, ...memory.misses],
  };
};

/** The same people, with each request guarded by the watchdog. */
function watched(people: TwoPeople, watchdog: Watchdog): TwoPeople {
  return {
    ...people,
    call: (person, method, path, body, headers) =>
      watchdog.during(`${method} ${path}`, JSON.stringify(body) ?? "", () =>
        people.call(person, method, path, body, headers),
      ),
  };
}

async function compareTimes(people: TwoPeople, { short, random }: CampaignOptions, found: Found): Promise<void> {
  const { figures, misses } = found;
  const before = rowsOf(people);
  const routes = people.routes.filter(({ audience }) => audience !== "public");
  for (const route of routes) {
    figures.routes++;
    figures.foreign_ids += await pathIds(people, route, misses);
    figures.fields += await fieldIds(people, route, misses);
  }
  const cursors = await foreignCursors(people, routes.filter(isPaged), misses);
  figures[people.ada_owns ? "app_cursors" : "cursors"] += cursors;
  for (const route of routes) {
    for (const place of pathIdSlots(people, route)) {
      if (await time(place, short ? PATH_PAIRS.short : PATH_PAIRS.full, random, found)) figures.timed_paths++;
    }
    for (const place of fieldIdSlots(people, route, [])) {
      if (await time(place, short ? FIELD_PAIRS.short : FIELD_PAIRS.full, random, found)) figures.timed_fields++;
    }
    // The harness keeps the log's lines for debugging.
    people.h.log.length = 0;
  }
  const after = rowsOf(people);
  for (const [id, row] of before) if (after.get(id) !== row) misses.push(`${id} is not as it was`);
  misses.push(...actionsOfOthers(people));
}

/** Checks that cursors of the other person's lists are refused in the requester's. @returns how many were tried */
async function foreignCursors(people: TwoPeople, lists: TwoPeople["routes"], misses: string[]): Promise<number> {
  const { ada, eve, call } = people;
  for (const list of lists) {
    const theirs = eve.cursors.find(({ route }) => route === list);
    if (!theirs) {
      misses.push(`GET ${list.path}: ${eve.name} has no cursor to try`);
      continue;
    }
    const answer = await call(ada, "GET", `${fill(list, ownParams(ada, list))}?limit=1&cursor=${theirs.cursor}`);
    if (answer.status !== 400 || answer.json?.error?.param !== "cursor") {
      misses.push(`GET ${list.path}: another person's cursor answers ${answer.status}`);
    }
  }
  return eve.cursors.length;
}

/**
 * Counts only a difference that is both large enough to be seen and not explained by chance. @returns whether there was
 * an id to time
 */
async function time(place: IdSlot, pairs: number, random: () => number, found: Found): Promise<boolean> {
  const foreign = idsOf(place.other, place.kind);
  if (foreign.length === 0) return false;
  const { difference_ms, sigmas } = await pairedTimes(place.ask, foreign, pairs, random);
  if (Math.abs(difference_ms) > Math.abs(found.largest_difference_ms)) {
    found.largest_difference_ms = difference_ms;
    found.largest_difference_at = `${nameOf(place)}, ${sigmas.toFixed(1)} sigma`;
  }
  if (sigmas > MAX_SIGMAS && Math.abs(difference_ms) > MIN_DIFFERENCE_MS) {
    const words = `${(difference_ms * 1_000).toFixed(0)} µs (${sigmas.toFixed(1)} sigma)`;
    found.misses.push(`${nameOf(place)}: another person's id takes ${words} longer than an unknown one`);
  }
  return true;
}
