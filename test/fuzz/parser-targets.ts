import { openCursor, sealCursor } from "../../src/http/cursor.ts";
import { ApiError } from "../../src/kernel/errors.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { renderBody } from "../../src/wire/html/sanitize.ts";
import { extentOf } from "../../src/wire/ical/extent.ts";
import { applyInvite } from "../../src/wire/ical/invite.ts";
import { occurrences } from "../../src/wire/ical/occurrences.ts";
import { readObjects } from "../../src/wire/ical/read.ts";
import { readVcards } from "../../src/wire/ical/vcard.ts";
import { ianaZone } from "../../src/wire/ical/zones.ts";
import { splitBody } from "../../src/wire/mime/body.ts";
import { parseMessage } from "../../src/wire/mime/parse.ts";
import type { Harness } from "../support/http-harness.ts";
import type { Collected } from "./collections.ts";
import {
  CALENDAR_SEEDS,
  CALENDAR_WORDS,
  CURSOR_WORDS,
  MAIL_SEEDS,
  MAIL_WORDS,
  QUERY_SEEDS,
  QUERY_WORDS,
  VCARD_SEEDS,
} from "./seeds.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const YEAR = { from: NOW, to: NOW + 365 * 86_400_000 };

/** A parser, and the seeds of its inputs. */
export interface Target {
  seeds: readonly Uint8Array[];
  words: readonly string[];
  /** Inputs in the long form. */
  runs: number;
  /** Throws for a fault; exceptions that the parser documents are caught there. */
  take(input: Uint8Array): unknown | Promise<unknown>;
}

const bytesOf = (texts: readonly string[]): Uint8Array[] => texts.map((text) => new Uint8Array(Buffer.from(text)));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

export function mailTarget({ mail }: Collected): Target {
  return {
    seeds: [...bytesOf(MAIL_SEEDS), ...mail],
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

/** Returns what of a page would act automatically or when it is clicked; null when nothing would. */
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

export function calendarTarget({ calendars }: Collected): Target {
  const lisbon = ianaZone("Europe/Lisbon")!;
  return {
    seeds: [...bytesOf(CALENDAR_SEEDS), ...calendars],
    words: CALENDAR_WORDS,
    runs: 10_000,
    take(input) {
      let known: string | null = null;
      for (const object of readObjects(textOf(input)).slice(0, 20)) {
        const outcome = unlessUnreadable(() => applyInvite(known, object));
        if (outcome && "ics" in outcome) known = outcome.ics;
        unlessUnreadable(() => extentOf(object.ics, lisbon));
        for (const { start, end } of unlessUnreadable(() => occurrences(object.ics, YEAR, lisbon)) ?? []) {
          if (!(start < YEAR.to && end >= YEAR.from)) throw new Error("an occurrence is outside the window");
        }
      }
    },
  };
}

/** An unreadable calendar throws an Error, as documented; anything else is a fault of ours. */
function unlessUnreadable<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw error;
    return null;
  }
}

export function vcardTarget({ vcards }: Collected): Target {
  return {
    seeds: [...bytesOf(VCARD_SEEDS), ...vcards],
    words: [...CALENDAR_WORDS, "BEGIN:VCARD\r\n", "END:VCARD\r\n", "EMAIL:", "ENCODING=QUOTED-PRINTABLE:", "=\r\n"],
    runs: 8_000,
    take(input) {
      const { cards } = readVcards(textOf(input), 1_000);
      if (cards.length > 1_000) throw new Error("more cards than asked for");
    },
  };
}

export function queryTarget({ queries }: Collected): Target {
  return {
    seeds: [...bytesOf(QUERY_SEEDS), ...queries],
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

/** A cursor opens as it was made, for its own list and its own user, and in no other spelling. */
export function cursorTarget(h: Harness): Target {
  const mine = h.platform.keyring.forUser(h.user.id);
  const theirs = h.platform.keyring.forUser(h.newUser("eve@example.org").id);
  const made = sealCursor(mine, "threads", [1_760_000_000_000, "thr_01jz4t9h2m8q5r7v3w6x0y1z2a"]);
  const opens = (sealer: typeof mine, list: string, cursor: string): boolean => {
    try {
      openCursor(sealer, list, cursor);
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "invalid_params") throw error;
      return false;
    }
  };
  return {
    seeds: bytesOf([made]),
    words: CURSOR_WORDS,
    runs: 20_000,
    take(input) {
      const text = textOf(input);
      if (opens(mine, "threads", text) !== (text === made)) throw new Error(`another cursor opens: ${text}`);
      if (opens(mine, "messages", text) || opens(theirs, "threads", text)) {
        throw new Error("a cursor opens where it does not belong");
      }
      // Half a surrogate, which no bytes can represent.
      if (opens(mine, "threads", `${text}\ud800`)) throw new Error(`a broken cursor opens: ${text}`);
    },
  };
}
