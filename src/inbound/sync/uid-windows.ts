import type { ImapFlow, ImapResponse } from "imapflow";
import { ImplausibleResponse } from "./folders.ts";
import { type Range, rangesOf, readRanges } from "./uid-ranges.ts";

/** A query whose response names at most this many UIDs is not split. */
const MAX_UIDS = 5_000;
/** UIDs covered by one query on a server without ESEARCH, if a folder has more messages than MAX_UIDS. */
const WINDOW = 10_000;
/** A response that names this many UIDs is still within the limits of `wire/imap/bounds.ts`. */
const FULL_WINDOW = 40_000;
/** Windows over a gap in the UIDs widen to this. */
const WIDEST_WINDOW = 2 ** 31;
/** Some servers accept no longer commands. */
const LONGEST_SET = 8_000;

/** imapflow's method for custom commands, which its published types leave out. */
interface CommandRunner {
  exec(
    command: string,
    attributes: unknown[],
    options: {
      untagged: Record<string, (untagged: ImapResponse) => Promise<void>>;
    },
  ): Promise<{ next: () => void }>;
}

/** The server's response for a window: how many messages are in it, and which, if that was requested. */
interface Found {
  count: number;
  uids: Range[];
}

/**
 * Yields the server's UIDs from `low` to `high` of the open folder, ascending, in windows whose responses are limited.
 * With ESEARCH (RFC 4731) the limit is the server's own count for each window; without it, the width of the window. The
 * next window is requested once this one has been processed.
 * @param high null: up to the newest message
 * @param narrow limits the width to the length of a response; slow over gaps, and for use after an AnswerTooLarge
 * @throws Implausible when a response is inconsistent, AnswerTooLarge
 */
export async function* uidWindows(
  client: ImapFlow,
  low: number,
  high: number | null,
  narrow = false,
): AsyncGenerator<Range[]> {
  const box = client.mailbox || null;
  // Above UIDNEXT is only mail that arrived since the folder was opened.
  const last = high ?? (box?.uidNext ? Math.max(low, box.uidNext) - 1 : null);
  if (!box || box.exists <= MAX_UIDS || last === null) {
    return yield (await ask(client, `${low}:${high ?? "*"}`, [low, high], "ALL")).uids;
  }
  if (client.capabilities.has("ESEARCH")) yield* byCount(client, low, last);
  else yield* byWidth(client, low, last, narrow ? FULL_WINDOW : WIDEST_WINDOW);
  if (high === null) yield (await ask(client, `${last + 1}:*`, [last + 1, null], "ALL")).uids;
}

/** Yields those of these UIDs that the server has. @param uids ascending @throws Implausible */
export async function* existingUids(client: ImapFlow, uids: readonly number[]): AsyncGenerator<Range[]> {
  let set: string[] = [];
  let length = 0;
  const found = async () => {
    const asked = set.join(",");
    set = [];
    length = 0;
    return (await ask(client, asked, [1, null], "ALL")).uids;
  };
  for (const [first, last] of rangesOf(uids)) {
    const part = first === last ? `${first}` : `${first}:${last}`;
    if (length + part.length > LONGEST_SET) yield await found();
    set.push(part);
    length += part.length + 1;
  }
  if (set.length > 0) yield await found();
}

async function* byCount(client: ImapFlow, first: number, last: number): AsyncGenerator<Range[]> {
  const waiting: Range[] = [[first, last]];
  for (let window = waiting.pop(); window; window = waiting.pop()) {
    const [low, high] = window;
    const width = high - low + 1;
    if (width < 1) continue;
    const count = width <= MAX_UIDS ? null : await countIn(client, window);
    if (count === 0) continue;
    if (count === width) yield [window];
    else if (count === null || count <= MAX_UIDS) yield (await all(client, window)).uids;
    else {
      const middle = low + Math.floor(width / 2);
      waiting.push([middle, high], [low, middle - 1]);
    }
  }
}

async function* byWidth(client: ImapFlow, first: number, last: number, widest: number): AsyncGenerator<Range[]> {
  let width = WINDOW;
  for (let low = first; low <= last; ) {
    const high = Math.min(last, low + width - 1);
    const { count, uids } = await all(client, [low, high]);
    yield uids;
    width = count > 0 ? WINDOW : Math.min(width * 4, widest);
    low = high + 1;
  }
}

/**
 * Returns the part of a window that may be listed at once. So many messages may follow a gap that the response would be
 * too large.
 * @param from where to begin: "low" for the oldest messages of the window, "high" for the newest
 * @param widest of a window whose messages the server cannot count because it has no ESEARCH
 */
export async function listable(
  client: ImapFlow,
  window: Range,
  from: "low" | "high",
  widest = WIDEST_WINDOW,
): Promise<Range> {
  let [low, high] = window;
  const cut = (width: number) => {
    if (from === "low") high = Math.min(high, low + width - 1);
    else low = Math.max(low, high - width + 1);
  };
  if (!client.mailbox || client.mailbox.exists <= MAX_UIDS) return window;
  const counts = client.capabilities.has("ESEARCH");
  if (!counts) cut(widest);
  while (high - low + 1 > MAX_UIDS && (counts || high - low + 1 <= FULL_WINDOW)) {
    if ((await countIn(client, [low, high])) <= MAX_UIDS) break;
    cut(Math.max(MAX_UIDS, Math.floor((high - low + 1) / 8)));
  }
  return [low, high];
}

/** For windows over gaps that must not become wider than the length of a response allows. */
export const SAFE_WINDOW = FULL_WINDOW;

const countIn = async (client: ImapFlow, [low, high]: Range): Promise<number> =>
  (await ask(client, `${low}:${high}`, [low, high], "COUNT")).count;
const all = (client: ImapFlow, [low, high]: Range): Promise<Found> => ask(client, `${low}:${high}`, [low, high], "ALL");

/**
 * Runs one query, with or without ESEARCH. UIDs outside the given range are left out of the result.
 * @throws Implausible for an impossible response
 */
async function ask(
  client: ImapFlow,
  asked: string,
  [low, high]: readonly [first: number, last: number | null],
  what: "ALL" | "COUNT",
): Promise<Found> {
  const atom = (value: string) => ({ type: "ATOM", value });
  const returnOptions = what === "ALL" ? [atom("ALL"), atom("COUNT")] : [atom("COUNT")];
  const esearch = client.capabilities.has("ESEARCH") ? [atom("RETURN"), returnOptions] : [];
  const plain: string[] = [];
  const ranges: string[] = [];
  let reportedCount: number | null = null;
  let isWellFormed = true;
  let answered = false;
  const response = await (client as unknown as CommandRunner).exec(
    "UID SEARCH",
    [...esearch, atom("UID"), { type: "SEQUENCE", value: asked }],
    {
      untagged: {
        SEARCH: async ({ attributes = [] }) => {
          answered = true;
          for (const one of attributes) {
            // A list is (MODSEQ n), RFC 7162 §3.1.5.
            if (Array.isArray(one)) continue;
            const value = one?.value;
            if (typeof value === "string" && /^[1-9]\d{0,9}$/.test(value)) plain.push(value);
            else isWellFormed = false;
          }
        },
        ESEARCH: async ({ attributes = [] }) => {
          const values = attributes.map((one) => (one && !Array.isArray(one) ? String(one.value) : ""));
          for (let i = 0; i < values.length; i++) {
            const name = values[i]!.toUpperCase();
            if (name === "ALL") ranges.push(values[++i] ?? "");
            else if (name === "COUNT") {
              const count = values[++i] ?? "";
              if (/^\d{1,10}$/.test(count)) reportedCount = Number(count);
              else isWellFormed = false;
            }
          }
        },
      },
    },
  );
  response.next();
  const set = ranges.join(",");
  if (esearch.length > 0 && reportedCount === null && !answered) {
    throw new ImplausibleResponse("The server did not report which messages exist.");
  }
  if (!isWellFormed || !/^[\d:,]*$/.test(set))
    throw new ImplausibleResponse("The server's list of messages contains something else.");
  const listed = readRanges([...plain, set].join(","));
  // "n:*" names the last message even when its UID is below n (RFC 9051 §9, seq-range).
  const uids = listed.flatMap(([first, last]): Range[] => {
    const range: Range = [Math.max(low, first), Math.min(high ?? last, last)];
    return range[0] <= range[1] ? [range] : [];
  });
  const count = uids.reduce((sum, [first, last]) => sum + last - first + 1, 0);
  if (client.mailbox && (reportedCount ?? count) > client.mailbox.exists) {
    throw new ImplausibleResponse("The server lists more messages than it counts.");
  }
  if (what === "COUNT") return { count: reportedCount ?? count, uids };
  if (reportedCount !== null && high !== null && reportedCount !== count) {
    throw new ImplausibleResponse("The server's list of messages and its message count do not match.");
  }
  return { count, uids };
}
