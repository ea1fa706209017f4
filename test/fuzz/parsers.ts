import { openCursor, sealCursor } from "../../src/http/cursor.ts";
import { ApiError } from "../../src/kernel/errors.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { extentOf } from "../../src/wire/ical/extent.ts";
import { applyInvite } from "../../src/wire/ical/invite.ts";
import { occurrences } from "../../src/wire/ical/occurrences.ts";
import { readObjects } from "../../src/wire/ical/read.ts";
import { readVcards } from "../../src/wire/ical/vcard.ts";
import { ianaZone } from "../../src/wire/ical/zones.ts";
import { splitBody } from "../../src/wire/mime/body.ts";
import { parseMessage } from "../../src/wire/mime/parse.ts";
import { renderBody } from "../../src/wire/mime/sanitize.ts";
import type { Campaign, CampaignOptions } from "../faults/campaign.ts";
import { createSendScene } from "../send-scene.ts";
import { mutate, mutateText } from "./mutate.ts";
import {
  CALENDAR_SEEDS,
  CALENDAR_WORDS,
  CURSOR_WORDS,
  collected,
  MAIL_SEEDS,
  MAIL_WORDS,
  QUERY_SEEDS,
  QUERY_WORDS,
  VCARD_SEEDS,
} from "./seeds.ts";

/** More processor time than this for one input counts as a hang. */
const LONGEST_CPU_MS = 1_000;
/** What the memory may have grown by when all inputs are through and the garbage is collected. */
const MOST_GROWTH_BYTES = 200 * 1024 * 1024;
const NOW = Date.parse("2026-03-02T09:00:00Z");
const YEAR = { from: NOW, to: NOW + 365 * 86_400_000 };

interface Target {
  seeds: readonly Uint8Array[];
  words: readonly string[];
  /** Inputs in the long form. */
  runs: number;
  /** Throws for a fault; what it may throw by its contract is caught there. */
  take(input: Uint8Array): unknown | Promise<unknown>;
}

const bytesOf = (texts: readonly string[]): Uint8Array[] => texts.map((text) => new Uint8Array(Buffer.from(text)));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

function mailTarget(): Target {
  return {
    seeds: [...bytesOf(MAIL_SEEDS), ...collected("mime", [".txt", ".eml"], 400)],
    words: MAIL_WORDS,
    runs: 20_000,
    async take(input) {
      const mail = await parseMessage(input);
      const common = { html: mail.html, text: mail.text, senderDomain: "example.net", inline: () => null };
      for (const images of ["none", "remote"] as const) {
        const active = activeIn(renderBody({ ...common, images }));
        if (active !== null) throw new Error(`the page has ${active}`);
      }
      const { bodyText } = splitBody({ text: mail.text, html: mail.html, subject: mail.subject });
      if (mail.text.trim() !== "" && bodyText === "") throw new Error("body_text is empty where there is text");
    },
  };
}

/** What of a page would act by itself or when it is clicked; null when nothing would. */
function activeIn(page: string): string | null {
  let found: string | null = null;
  const element = (node: HTMLRewriterTypes.Element) => {
    if (/^(script|iframe|object|embed|form|base|svg|math)$/.test(node.tagName)) found ??= `<${node.tagName}>`;
    for (const [name, value] of node.attributes) {
      if (/^on/i.test(name)) found ??= `${name} of <${node.tagName}>`;
      const scheme = value.replace(/[\s\u0000-\u001f]/g, "").toLowerCase();
      if (/^(javascript|vbscript|data:text)/.test(scheme) && /^(href|src|action)$/i.test(name)) {
        found ??= `${name}=${scheme.slice(0, 20)}`;
      }
    }
  };
  new HTMLRewriter().on("*", { element }).transform(page);
  return found;
}

function calendarTarget(): Target {
  const lisbon = ianaZone("Europe/Lisbon")!;
  return {
    seeds: [...bytesOf(CALENDAR_SEEDS), ...collected("ical", [".ics"], 200)],
    words: CALENDAR_WORDS,
    runs: 10_000,
    take(input) {
      let known: string | null = null;
      for (const object of readObjects(textOf(input)).slice(0, 20)) {
        const outcome = unlessUnreadable(() => applyInvite(known, object));
        if (outcome && "ics" in outcome) known = outcome.ics;
        unlessUnreadable(() => extentOf(object.ics, lisbon));
        for (const { start, end } of unlessUnreadable(() => occurrences(object.ics, YEAR, lisbon)) ?? []) {
          if (!(start < YEAR.to && end >= YEAR.from)) throw new Error("an occurrence lies outside the window");
        }
      }
    },
  };
}

/** By its contract a calendar that cannot be read throws an Error; anything else is a fault of ours. */
function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw error;
    return null;
  }
}

function vcardTarget(): Target {
  return {
    seeds: [...bytesOf(VCARD_SEEDS), ...collected("ical", [".vcf"], 100)],
    words: [...CALENDAR_WORDS, "BEGIN:VCARD\r\n", "END:VCARD\r\n", "EMAIL:", "ENCODING=QUOTED-PRINTABLE:", "=\r\n"],
    runs: 8_000,
    take(input) {
      const { cards } = readVcards(textOf(input), 1_000);
      if (cards.length > 1_000) throw new Error("more cards than asked for");
    },
  };
}

function queryTarget(): Target {
  return {
    seeds: bytesOf(QUERY_SEEDS),
    words: QUERY_WORDS,
    runs: 20_000,
    take(input) {
      try {
        parseQuery(textOf(input).slice(0, 1_000), NOW);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "invalid_params") throw error;
      }
    },
  };
}

/** Runs every input through a target. @returns the slowest one's processor time, and what went wrong */
async function fuzz(name: string, target: Target, { short, random, say }: CampaignOptions, share: number) {
  const misses: string[] = [];
  const runs = Math.ceil(target.runs * (short ? share : 1));
  let slowest_ms = 0;
  for (let i = 0; i < runs && misses.length < 10; i++) {
    const input = i < target.seeds.length ? target.seeds[i]! : mutate(random, target.seeds, target.words);
    let took_ms = 0;
    try {
      took_ms = await timed(() => target.take(input));
      // Once more: other threads of the process count, such as the one that collects the garbage of the tests before.
      if (took_ms > LONGEST_CPU_MS) took_ms = Math.min(took_ms, await timed(() => target.take(input)));
    } catch (error) {
      misses.push(`${name}: ${(error as Error).stack?.split("\n").slice(0, 3).join(" ")} with ${asHint(input)}`);
    }
    slowest_ms = Math.max(slowest_ms, took_ms);
    if (took_ms > LONGEST_CPU_MS) misses.push(`${name}: ${Math.round(took_ms)} ms for ${asHint(input)}`);
  }
  say(`${name}: ${runs} inputs from ${target.seeds.length} seeds, slowest ${Math.round(slowest_ms)} ms`);
  return { runs, slowest_ms, misses };
}

/** Processor time, ms. */
async function timed(take: () => unknown): Promise<number> {
  const began = process.cpuUsage();
  await take();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** Enough to make a regression test of: all of a short input in base64, and how long it was. */
function asHint(input: Uint8Array): string {
  const base64 = Buffer.from(input.subarray(0, 3_000)).toString("base64");
  return `${input.length} bytes ${base64}`;
}

/** Mail, calendars, address books, queries and cursors that are no longer what they were: no crash, no hang, no leak. */
export const parsersCampaign: Campaign = async (options) => {
  const targets = { mail: mailTarget(), calendar: calendarTarget(), vcard: vcardTarget(), query: queryTarget() };
  const figures: Record<string, number> = { inputs: 0, slowest_ms: 0 };
  const misses: string[] = [];
  Bun.gc(true);
  const before = process.memoryUsage().rss;
  for (const [name, target] of Object.entries(targets)) {
    const found = await fuzz(name, target, options, 0.05);
    figures[name] = found.runs;
    figures.inputs! += found.runs;
    figures.slowest_ms = Math.max(figures.slowest_ms!, Math.round(found.slowest_ms));
    misses.push(...found.misses);
  }
  const cursors = fuzzCursors(options);
  figures.cursor = cursors.runs;
  figures.inputs! += cursors.runs;
  misses.push(...cursors.misses);
  Bun.gc(true);
  const growth = process.memoryUsage().rss - before;
  figures.memory_growth_mb = Math.round(growth / 1e6);
  // Among other tests in one process the figure says nothing.
  if (!options.short && growth > MOST_GROWTH_BYTES) misses.push(`the memory grew by ${figures.memory_growth_mb} MB`);
  return { figures, misses };
};

/** A cursor opens as it was made, for its own list and its own user, and in no other spelling. */
function fuzzCursors({ short, random }: CampaignOptions): { runs: number; misses: string[] } {
  const { h } = createSendScene();
  const misses: string[] = [];
  const runs = short ? 500 : 20_000;
  try {
    const mine = h.platform.keyring.forUser(h.user.id);
    const theirs = h.platform.keyring.forUser(h.newUser("eve@example.org").id);
    const position = [1_760_000_000_000, "thr_01jz4t9h2m8q5r7v3w6x0y1z2a"] as const;
    const made = sealCursor(mine, "threads", position);
    for (const [cursor, sealer, list] of [
      [made, theirs, "threads"],
      [made, mine, "messages"],
    ] as const) {
      if (opens(() => openCursor(sealer, list, cursor))) misses.push("a cursor opens where it does not belong");
    }
    for (let i = 0; i < runs; i++) {
      const text = mutateText(random, [made], CURSOR_WORDS);
      if (text !== made && opens(() => openCursor(mine, "threads", text))) misses.push(`another cursor opens: ${text}`);
    }
  } finally {
    h.close();
  }
  return { runs, misses };

  function opens(open: () => unknown): boolean {
    try {
      open();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "invalid_params") misses.push(`a cursor: ${error}`);
      return false;
    }
  }
}
