import { fold } from "../../../mailbox/search/fold.ts";
import { englishStem, irregularForms } from "../../../mailbox/search/terms/english.ts";

/** A word of a text: its folded form, its stem, and where it starts. */
export interface Word {
  form: string;
  stem: string;
  start: number;
  end: number;
  /** Written with a capital letter. */
  capital: boolean;
}

const RUN = /[\p{L}\p{N}]+(?:[’'.&-](?=[\p{L}\p{N}])[\p{L}\p{N}]+)*/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** Elided articles and pronouns: l'écharpe, d'arrhes, dell'auto, qu'elle. */
const ELIDED = /^(?:l|d|j|m|n|s|t|c|qu|dell|all|nell|sull|dall|un|quest|quell|c)['’](?=\p{L})/iu;
const POSSESSIVE = /['’]s$/i;
/** Spanish verbs with pronouns behind them: tráeme, mándanosla. */
const ENCLITIC = /^(\p{L}*[áéíóú]\p{L}*?)(?:me|te|se|nos|les?)?(?:me|te|se|nos|l[aeo]s?)$/iu;
const MAX_WORDS = 400;

let segmenter: Intl.Segmenter | null = null;

/** Returns the words of a text, in order, with their stems. Words of Japanese are found with a dictionary. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (words.length >= MAX_WORDS) break;
    if (UNSPACED.test(run)) {
      segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
      for (const part of segmenter.segment(run)) add(words, part.segment, index + part.index);
    } else {
      const elided = ELIDED.exec(run)?.[0].length ?? 0;
      const bare = run.slice(elided).replace(POSSESSIVE, "");
      add(words, bare, index + elided);
      const verb = ENCLITIC.exec(bare)?.[1];
      if (verb !== undefined) add(words, verb, index + elided);
      // The parts of "check-up", "v.reuter" and "Köln-München" are words, too.
      if (/[-.&]/.test(bare)) {
        for (const part of bare.matchAll(/[\p{L}\p{N}]+/gu)) add(words, part[0], index + elided + part.index);
      }
    }
  }
  return words;
}

function add(words: Word[], text: string, start: number): void {
  const form = fold(text);
  if (form === "") return;
  words.push({ form, stem: stemOf(form), start, end: start + text.length, capital: /^\p{Lu}/u.test(text) });
}

/** Endings of inflected words in English, German, French, Spanish, Portuguese, Italian and Dutch, folded. */
const ENDINGS =
  /(?:ungen|ung|ationen|ations?|aciones|acion|azioni|azione|acoes|acao|coes|amentos?|amenti|ements?|eurs?|euses?|ierung|ieren|iert|erons?|eront|erai|issons|issez|iendo|ando|endo|ados?|adas?|ade|idos?|idas?|iamo|amos|emos|imos|aron|ieron|aram|eram|iram|eremo|ating|ings?|edly|ied|ies|ers?|ern|ens|en|em|es|est|et|te|ten|tet|ed|ait|aient|ais|are|ere|ire|ato|ata|ati|ate|uto|uta|ar|er|ir|ez|ons|ent|as|os|ai|ei|ou|io|ia|ie|s|n|t|e|a|o|i|y)$/;
/** German and Dutch: gekauft, geplaatst, gegeven. */
const PARTICIPLE = /^ge([a-z]{4,}?)(?:t|d)$/;
const SHORTEST_STEM = 4;
const stems = new Map<string, string>();
const MAX_CACHED = 50_000;

/** Returns a stem that most inflected forms of a folded word share, in any of seven languages. */
export function stemOf(form: string): string {
  const known = stems.get(form);
  if (known !== undefined) return known;
  const stem = makeStem(form);
  if (stems.size >= MAX_CACHED) stems.clear();
  stems.set(form, stem);
  return stem;
}

function makeStem(form: string): string {
  if (form.length < SHORTEST_STEM || !/^[a-z]+$/.test(form)) return form;
  const singular = form.replace(/(?<=[^sui])s$/, "");
  if (singular.length <= SHORTEST_STEM) return singular;
  const participle = PARTICIPLE.exec(singular)?.[1];
  if (participle !== undefined) return makeStem(`${participle}en`);
  const cut = singular.replace(ENDINGS, "");
  if (cut.length >= SHORTEST_STEM) return cut.replace(/([bdfglmnprt])\1$/, "$1");
  const short = singular.replace(/(?:es|en|ed|e|n|a|o|i)$/, "");
  return short.length >= 3 ? short : singular;
}

/** Returns whether two folded words are forms of the same word. */
export function isSameWord(a: { form: string; stem: string }, b: { form: string; stem: string }): boolean {
  if (a.form === b.form) return true;
  if (/\d/.test(a.form) || /\d/.test(b.form)) return false;
  if (a.stem === b.stem) return Math.min(a.form.length, b.form.length) >= 3;
  if (a.form.length < 4 || b.form.length < 4) return false;
  return englishStem(a.form) === englishStem(b.form) && a.form[0] === b.form[0];
}

const PREFIXED = /^(re|un|over|out|fore|mis|with)([a-z]{3,})$/;

/** Returns the irregular forms of a word: pay, paid. */
export function otherForms(form: string): string[] {
  if (!/^[a-z]{2,16}$/.test(form)) return [];
  // Spanish: altavoz, altavoces.
  const plural = form.endsWith("z")
    ? [`${form.slice(0, -1)}ces`]
    : form.endsWith("ces")
      ? [`${form.slice(0, -3)}z`]
      : [];
  // A stem of three letters is not cut from the longer form.
  const long =
    form.length <= 3 || /^(?:pays?|buys?|eats?|fix|ask|use|end)$/.test(form) ? [`${form.replace(/s$|e$/, "")}ing`] : [];
  // Redraw, redrew: as draw, drew.
  const [, prefix = "", rest = ""] = PREFIXED.exec(form) ?? [];
  const prefixed = irregularForms(rest).map((other) => prefix + other);
  return [...irregularForms(form), ...plural, ...long, ...prefixed];
}
