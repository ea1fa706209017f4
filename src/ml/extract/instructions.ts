import { sentencesOf } from "./sentences.ts";

type Rewrite = readonly [pattern: RegExp, as: (rest: string) => string];

const OBJECT = "(?:him|her|them|it|[A-Z][\\p{L}'-]+)";
const question = (text: string) => text.replace(/[.\s]*$/, "?");

/** Rewrites common instructions as text for the recipient. The first match is used. */
const REWRITES: readonly Rewrite[] = [
  [
    new RegExp(
      `^(?:please )?(?:say|tell ${OBJECT}|write|let ${OBJECT} know|inform ${OBJECT}|mention|explain|answer|reply|respond)(?: to ${OBJECT})?(?: that|:)? (?=\\S)`,
      "iu",
    ),
    (rest) => rest,
  ],
  [
    new RegExp(`^(?:please )?(?:ask|find out)(?: ${OBJECT})? (?:if|whether) `, "iu"),
    (rest) => question(`Could you tell me whether ${inSecondPerson(rest)}`),
  ],
  [
    new RegExp(`^(?:please )?(?:ask|find out)(?: ${OBJECT})? (?=(?:when|what|where|who|how|which|why)\\b)`, "iu"),
    (rest) => question(`Could you tell me ${inSecondPerson(rest)}`),
  ],
  [
    new RegExp(`^(?:please )?(?:ask|request|beg)(?: ${OBJECT})? (?:for )(?=\\S)`, "iu"),
    (rest) => question(`Could you please send me ${inSecondPerson(rest)}`),
  ],
  [
    new RegExp(`^(?:please )?(?:ask|request|remind|tell)(?: ${OBJECT}) to `, "iu"),
    (rest) => question(`Could you please ${inSecondPerson(rest)}`),
  ],
  [
    new RegExp(`^(?:please )?(?:thank)(?: ${OBJECT})?(?= for\\b)`, "iu"),
    (rest) => `Thank you ${inSecondPerson(rest.trim())}`,
  ],
  [new RegExp(`^(?:please )?thank(?: ${OBJECT})?[.!]*$`, "iu"), () => "Thank you very much."],
  [
    /^(?:politely )?(?:decline|refuse|say no|turn (?:it |them )?down)(?: politely| the (?:invitation|offer|request))*[.!]*$/iu,
    () => "Unfortunately I have to decline this time.",
  ],
  [
    /^(?:accept|agree|confirm|say yes|approve)(?: (?:the )?(?:invitation|offer|it|request|proposal|date|time))?[.!]*$/iu,
    () => "Yes, that works for me.",
  ],
  [
    /^confirm (?:that )?(?=\S)/iu,
    (rest) =>
      `I confirm ${/^(?:the|a|an|our|your|my|his|her|their)\b/i.test(rest) ? "" : "that "}${inSecondPerson(rest)}`,
  ],
  [/^(?:apologi[sz]e|say sorry) for /iu, (rest) => `I am sorry for ${rest}`],
  [/^(?:propose|suggest|offer) (?=\S)/iu, (rest) => question(`How about ${rest}`)],
];

/** One sentence of a draft, and the instruction behind it. */
export interface InstructedSentence {
  text: string;
  from: string;
}

/**
 * Turns instructions into sentences addressed to the reader. "Say yes to Tuesday, ask for the invoice" becomes two.
 * Text that matches no pattern is used unchanged.
 */
export function instructedSentences(instructions: string): InstructedSentence[] {
  return sentencesOf(instructions).flatMap(({ text }) =>
    clausesOf(text).map((clause) => ({ text: finished(rewrite(clause)), from: clause })),
  );
}

const CLAUSE =
  /(?:,| and|;|, and|, then| then)\s+(?=(?:please )?(?:ask|tell|say|thank|decline|accept|confirm|apologi[sz]e|propose|suggest|request|mention|remind|let (?:him|her|them) know)\b)/iu;

const clausesOf = (text: string): string[] =>
  text
    .split(CLAUSE)
    .map((part) => part.trim())
    .filter((part) => part !== "");

function rewrite(clause: string): string {
  for (const [pattern, as] of REWRITES) {
    const match = pattern.exec(clause);
    if (match) return as(clause.slice(match[0].length));
  }
  return clause;
}

/** Rewrites text about the reader as text addressed to the reader. */
function inSecondPerson(text: string): string {
  return text
    .replace(/\b(?:he|she|they) (?:is|are)\b/gi, "you are")
    .replace(/\b(?:he|she|they) has\b/gi, "you have")
    .replace(/\b(?:he|she|they)\b/gi, "you")
    .replace(/\b(?:his|her|their)\b/gi, "your");
}

function finished(text: string): string {
  const trimmed = text.trim();
  const capital = trimmed.charAt(0).toUpperCase() + trimmed.slice(1);
  return /[.!?…:]["')]?$/.test(capital) ? capital : `${capital}.`;
}
