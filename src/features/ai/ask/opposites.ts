import { type Concept, conceptsNamed } from "./concepts.ts";
import type { Bag, Passage } from "./passages.ts";
import type { Question, Term } from "./question.ts";

const OPPOSITES =
  "open closed|functioning broken|land leave|land drive|begin end|buy sell|approve reject|win lose|begin expire|lose find|pass fail|included excluded"
    .split("|")
    .map((pair) => pair.split(" ").map((name) => conceptsNamed(name)) as [Set<Concept>, Set<Concept>]);

/** "We do not accept it" says what is asked by "was it rejected?". */
const DENIED =
  /(?<!\p{L})(?:not|\p{L}+n['’]t|cannot|nicht|kein\p{L}*|pas|non|não|niet|geen)(?!\p{L})|(?<!\p{L})no (?=\p{L})/iu;

/** Returns whether a text has the opposite of a term: "failed" of "pass". */
export function isOpposed({ concepts }: Term, bag: Bag): boolean {
  if (!bag.concepts.isDisjointFrom(concepts)) return false;
  return OPPOSITES.some(
    ([one, other]) =>
      (!concepts.isDisjointFrom(one) && !bag.concepts.isDisjointFrom(other)) ||
      (!concepts.isDisjointFrom(other) && !bag.concepts.isDisjointFrom(one)),
  );
}

/** Returns whether a passage says the opposite of what is asked: "opens" instead of "closes". */
export const saysOpposite = ({ terms }: Question, { bag }: Passage): boolean =>
  !DENIED.test(bag.text) && terms.some((term) => term.role !== "light" && isOpposed(term, bag));
