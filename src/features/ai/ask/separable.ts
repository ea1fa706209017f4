import { isStopWord } from "../../../mailbox/search/stop-words.ts";
import { conceptsOfWord, phrasesIn } from "./concepts.ts";
import { stemOf, type Word } from "./words.ts";

/** Parts of German and Dutch verbs that stand at the end of a clause, folded: "kommt … an", "haalt … op". */
const PARTICLES = new Set(
  "ab an auf aus bei ein fest her hin los mit nach statt teil um vor vorbei weg zu zuruck aan af langs mee op terug toe uit voor".split(
    " ",
  ),
);
/** Words that the clause of a verb has at most before its particle. */
const MAX_BETWEEN = 12;
/** What ends a clause. */
const ENDS = /^\s*(?:$|[.,;:!?)…]|(?:und|oder|aber|weil|dass|wenn|en|of|maar|omdat|als)(?!\p{L}))/u;
const SHORTEST_VERB = 3;

/** A verb of two parts: where they are among the words, and the word that they make. */
interface Joined {
  verb: number;
  particle: number;
  word: Pick<Word, "form" | "stem">;
}

/** Returns the verbs of a text whose particle stands apart, if the lexicon has them: of "Wann kommt sie an?", "ankommt". */
export function separatedVerbs(text: string, words: readonly Word[]): Joined[] {
  const found: Joined[] = [];
  for (const [at, particle] of words.entries()) {
    if (particle.capital || !PARTICLES.has(particle.form) || !ENDS.test(text.slice(particle.end))) continue;
    for (let i = at - 1; i >= Math.max(0, at - MAX_BETWEEN); i--) {
      const verb = words[i]!;
      if (/[.!?;]/.test(text.slice(verb.end, particle.start))) break;
      if (
        (verb.capital && i > 0) ||
        isStopWord(verb.form) ||
        verb.form.length < SHORTEST_VERB ||
        !/^[a-z]+$/.test(verb.form)
      )
        continue;
      const form = particle.form + verb.form;
      const word = { form, stem: stemOf(form) };
      if (conceptsOfWord(word).length === 0) continue;
      found.push({ verb: i, particle: at, word });
      break;
    }
  }
  return found;
}

/** Languages whose verbs may have a part at the end of the sentence. */
const SEPARATING = new Set<string | null>(["de", "nl"]);

/** Returns the words of a question with its verb in one piece: "Wann kommt sie an?" asks when she "ankommt". */
export function withJoinedVerb(text: string, words: Word[], language: string | null): Word[] {
  if (!SEPARATING.has(language) || phrasesIn(words).length > 0) return words;
  const [last] = separatedVerbs(text, words).toReversed();
  if (!last) return words;
  return words.flatMap((word, i) => (i === last.particle ? [] : [i === last.verb ? { ...word, ...last.word } : word]));
}
