import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { TypedSpan } from "../../../ml/extract/spans/typed-span.ts";
import type { Candidate } from "./candidates.ts";
import type { Question } from "./question.ts";

/** Words of questions about a duration that ask for its end: "How long can I keep the key?" */
const UNTIL_WHEN =
  /(?<!\p{L})(?:can|may|have|got|left|valid|open|until|shut|closed|away|off|staying|stays?|noch|geschlossen|gesperrt|zu|weg|kann|darf|habe|haben|gilt|bleibt|puis|peut|peux|ai|avons|reste|valable|puedo|puede|tengo|queda|válid[oa]|posso|pode|tenho|temos|resta|può|ho|abbiamo|kan|mag|heb|hebben|geldig|blijft)(?!\p{L})/iu;
const FULL_DAY = /^\d{4}-\d\d-\d\d$/;
const DAY_MS = 86_400_000;

/**
 * Returns whether a value is of another time than the question: what is over, although it asks about what comes, or a day
 * where it asks how long something takes.
 */
export function isOfOtherTime({ text, type, isPast, askedAt }: Question, { read, passage, span }: Candidate): boolean {
  if (!span) return false;
  if (type === "how long") return span.kind === "date" && !UNTIL_WHEN.test(text);
  if (isPast || (type !== "when" && type !== "time" && type !== "deadline")) return false;
  const named = span.kind === "date" ? [span] : spansOf(passage.text, "date", read.message.at);
  const days = named.filter((day) => !isRepeated(passage.text, day));
  // What comes again each week is due on no day.
  if (days.length < named.length) return type === "deadline";
  const yesterday = new Date(askedAt - DAY_MS).toISOString().slice(0, 10);
  return days.length > 0 && days.every(({ normal }) => FULL_DAY.test(normal) && normal < yesterday);
}

/** The name of a day in the plural, or as an adverb: "Tuesdays", "dienstags", "mardis". */
const PLURAL_DAY =
  /^(?:mon|tues|wednes|thurs|fri|satur|sun)days$|^(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s$|^(?:lun|mar|mercre|jeu|vendre|same)dis$|^(?:segundas|terças|quartas|quintas|sextas|sábados|domingos)(?:-feiras)?$|^(?:maan|dins|woens|donder|vrij|zater|zon)dagen$/iu;
/** Words before the day since which something is so. */
const BEGINNING =
  /(?<!\p{L})(?:from|since|ab|seit|dès|depuis|à partir d[ue]|desde|a partir del?|vanaf|sinds)(?: the)? ?$/iu;

/** Returns whether a day comes again each week, or something is so since then. */
function isRepeated(text: string, { start, end }: TypedSpan): boolean {
  return PLURAL_DAY.test(text.slice(start, end).trim()) || BEGINNING.test(text.slice(0, start));
}
