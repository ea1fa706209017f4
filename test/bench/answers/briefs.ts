import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Mail, readMails } from "./mails.ts";
import type { Split } from "./questions.ts";

/** A question, request or promise that a brief must list. */
export interface Item {
  kind: "ask" | "promise";
  /** Words of its sentence. */
  quote: string;
  /** Due day, "2026-03-05"; null where the mail names none. */
  due: string | null;
}

/** An entry of GET /v1/brief/latest. */
export interface Entry {
  kind: Item["kind"];
  message_id: string;
  quote: string;
  due: string | null;
}

/** How many items of each kind. */
export interface BriefTally {
  expected: number;
  listed: number;
  found: number;
  dueRight: number;
  dueWrong: number;
  dueMissing: number;
}

const sourceOf = (split: Split) => readFileSync(join(import.meta.dir, `briefs-${split}.txt`), "utf8");

export const briefMails = (split: Split): Mail[] => readMails(`briefs-${split}`, sourceOf(split));

/** Returns the expected items by the name of the mail: lines `ask: DUE | WORDS` and `promise: DUE | WORDS`, DUE may be "-". */
export function briefItems(split: Split): Map<string, { language: string; items: Item[] }> {
  const [, ...blocks] = sourceOf(split).split(/^=== /m);
  return new Map(
    blocks.map((block) => {
      const head = block.slice(0, block.indexOf("\n\n"));
      const items = [...head.matchAll(/^(ask|promise): (-|\d{4}-\d\d-\d\d) \| (.+)$/gm)].map(
        ([, kind, due, quote]) => ({
          kind: kind as Item["kind"],
          quote: quote!,
          due: due === "-" ? null : due!,
        }),
      );
      return [head.split("\n")[0]!, { language: /^lang: (\w+)$/m.exec(head)![1]!, items }] as const;
    }),
  );
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/**
 * Compares the entries about one mail with its items. A brief has one entry for all questions and requests of a person in
 * a conversation: these count as one item, which any of them finds, with the earliest of their due days.
 */
export function tally(items: readonly Item[], entries: readonly Entry[]): Record<Item["kind"], BriefTally> {
  const of = (kind: Item["kind"]) => {
    const wanted = items.filter((item) => item.kind === kind);
    const listed = entries.filter((entry) => entry.kind === kind);
    const isAbout = (item: Item, { quote }: Entry) =>
      plain(quote).includes(plain(item.quote)) || plain(item.quote).includes(plain(quote));
    const counts: BriefTally = {
      expected: wanted.length,
      listed: listed.length,
      found: 0,
      dueRight: 0,
      dueWrong: 0,
      dueMissing: 0,
    };
    const compare = (due: string | null, shown: string | null) => {
      counts.found++;
      if (due === shown) counts.dueRight++;
      else if (shown === null) counts.dueMissing++;
      else counts.dueWrong++;
    };
    if (kind === "ask") {
      counts.expected = Math.min(1, wanted.length);
      const entry = listed.find((one) => wanted.some((item) => isAbout(item, one)));
      if (entry) compare(wanted.flatMap(({ due }) => due ?? []).sort()[0] ?? null, entry.due);
      return counts;
    }
    const left = [...listed];
    for (const item of wanted) {
      const at = left.findIndex((entry) => isAbout(item, entry));
      if (at >= 0) compare(item.due, left.splice(at, 1)[0]!.due);
    }
    return counts;
  };
  return { ask: of("ask"), promise: of("promise") };
}
