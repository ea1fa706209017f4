import { spamAssassin } from "../support/corpus.ts";
import type { Vocabulary } from "./junk.ts";

/** The words of the bodies of the corpus, by frequency. */
export function vocabularyOfCorpus(): Vocabulary {
  const counts = new Map<string, number>();
  for (const { raw } of spamAssassin()) {
    const words =
      Buffer.from(raw)
        .toString("latin1")
        .toLowerCase()
        .match(/\b[a-z]{2,14}\b/g) ?? [];
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  return { frequent: words.slice(0, 60), middling: words.slice(60, 1_500), rare: words.slice(1_500, 20_000) };
}

/**
 * Returns queries of the kinds that people type, from words of the corpus: common and rare ones as they occur.
 * @param after the day of the filter, "2021-01-01"
 */
export function makeQueries(count: number, after: string): { kind: string; text: string }[] {
  const subjects = spamAssassin().map(
    ({ raw }) => /^Subject: (.*)$/im.exec(Buffer.from(raw).toString("latin1"))?.[1] ?? "",
  );
  const words = subjects.flatMap((subject) => subject.match(/\b[a-z]{4,12}\b/gi) ?? []);
  const pick = (n: number) => words[(n * 7_919) % words.length]!;
  const kinds: Record<string, (n: number) => string> = {
    "one word": (n) => pick(n),
    "two words": (n) => `${pick(n)} ${pick(n + 1)}`,
    phrase: (n) => `"${words[n % (words.length - 1)]} ${words[(n % (words.length - 1)) + 1]}"`,
    beginning: (n) => `${pick(n).slice(0, 4)}*`,
    alternatives: (n) => `${pick(n)} OR ${pick(n + 5)}`,
    "with a filter": (n) => `${pick(n)} is:unread after:${after}`,
    question: (n) => `what about ${pick(n)} and the ${pick(n + 2)} of ${pick(n + 3)}`,
  };
  const names = Object.keys(kinds);
  return Array.from({ length: count }, (_, n) => {
    const kind = names[n % names.length]!;
    return { kind, text: kinds[kind]!(n + 11) };
  });
}
