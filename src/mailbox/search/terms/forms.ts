import { englishStem } from "../stems.ts";
import type { SegmentDictionary } from "../dictionary.ts";
export function formsOf(word: string, dictionary: SegmentDictionary): { term: string; weight: number }[] {
  const stem = englishStem(word) ?? word;
  const out = [{ term: word, weight: 1 }];
  if (word.length < 3) return out;
  dictionary.range(stem.slice(0, Math.max(3, stem.length - 1)), (term) => {
    if (term !== word && term.length <= stem.length + 6 && (englishStem(term) ?? term) === stem) out.push({ term, weight: 1 });
  });
  return out;
}
