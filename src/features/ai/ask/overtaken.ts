import { spansOf } from "../../../ml/extract/spans/spans.ts";
import type { Candidate } from "./candidates.ts";
import { conceptsNamed } from "./concepts.ts";
import { matchIn } from "./coverage.ts";
import type { Bag, ReadMessage } from "./passages.ts";
import type { Question } from "./question.ts";

/** Returns whether two messages are of one conversation, or of one other person. */
export const isSameMatter = (a: ReadMessage, b: ReadMessage): boolean =>
  a.message.thread_id === b.message.thread_id ||
  (a.message.head.from.email.toLowerCase() === b.message.head.from.email.toLowerCase() && !a.message.outgoing);

/** Words by which a later message says that something has changed. */
const CHANGED =
  /(?<!\p{L})(?:cannot go ahead|can(?:'|’)t (?:make|come|do)|cancel\p{L}*|postpone\p{L}*|moved|change[sd]?|instead|rescheduled|no longer|your new|absage\p{L}*|abgesagt|verschoben|verlegt|geändert|stattdessen|entfällt|annulée?|reportée?|déplacée?|changé|changement|remplace|ne peut (?:pas|plus)|cancelad[oa]|aplazad[oa]|cambiad[oa]|cambio|adiad[oa]|alterad[oa]|mudou|annullat[oa]|spostat[oa]|rinviat[oa]|cambiat[oa]|afgezegd|verplaatst|verzet|gewijzigd|vervalt|ziek)(?!\p{L})|変更|中止|延期|キャンセル/iu;

/** Returns whether a later message of the same people says that what is asked about has changed, without a new value. */
export function isOvertaken({ terms, type }: Question, best: Candidate, messages: readonly ReadMessage[]): boolean {
  if (best.isUpdate || (best.span !== null && type !== "how much" && type !== "when" && type !== "time")) return false;
  if (DATED.has(type) && hasNewDay(best, messages)) return true;
  const topics = terms.filter((term) => term.role === "essential" && !term.isName && !term.isRelation);
  return messages.some(
    (read) =>
      read.message.at > best.read.message.at &&
      isSameMatter(read, best.read) &&
      read.passages.some(
        ({ text, bag, isQuoted }) =>
          !isQuoted &&
          CHANGED.test(text) &&
          (namesValue(best, text, read) ||
            topics.some((term) => matchIn(bag, term) > NEARLY) ||
            (read.message.thread_id !== best.read.message.thread_id && namesTheSame(best.passage, bag))),
      ),
  );
}

const NEARLY = 0.8;

/** Returns whether two passages name the same person, day or number. */
const namesTheSame = (passage: Candidate["passage"], { forms }: Bag): boolean =>
  passage.bag.words.some(
    ({ form, start, capital }) =>
      start > 0 && capital && form.length > 3 && forms.has(form) && conceptsNamed(form).size === 0,
  );

const namesValue = ({ span }: Candidate, text: string, { message }: ReadMessage): boolean =>
  span !== null && spansOf(text, span.kind, message.at).some(({ normal }) => normal === span.normal);

const DATED = new Set<Question["type"]>(["when", "deadline"]);
/** Words by which the author of a later message agrees to a day, or asks for another. */
const AGREES =
  /(?<!\p{L})(?:fine|works|suits|make it|say|later|earlier|leben|passt|ginge|leider|convient|plutôt|mejor|vale|melhor|pode ser|va bene|meglio|liever|beter|kan)(?!\p{L})/iu;

/** Returns whether a later message of the thread speaks of another day, and not of the one that was found. */
function hasNewDay(best: Candidate, messages: readonly ReadMessage[]): boolean {
  const { span, read } = best;
  if (span?.kind !== "date" || span.normal.length <= 7) return false;
  return messages.some((later) => {
    if (later.message.thread_id !== read.message.thread_id || later.message.at <= read.message.at) return false;
    const own = later.passages.filter(({ isQuoted }) => !isQuoted);
    return (
      !own.some(({ text }) => namesValue(best, text, later)) &&
      own.some(
        ({ text }) =>
          AGREES.test(text) && spansOf(text, "date", later.message.at).some(({ normal }) => normal.length > 7),
      )
    );
  });
}
