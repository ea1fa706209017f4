import { timesOf } from "./clock-times.ts";
import { codesOf } from "./codes.ts";
import { contactDetailsOf } from "./contact-details.ts";
import { datesOf } from "./dates.ts";
import { namesOf } from "./names.ts";
import { numbersOf } from "./numbers-with-units.ts";
import { type SpanKind, type TypedSpan, withoutOverlaps } from "./typed-span.ts";

/** A text that is longer is not searched beyond this, because it is a table or an attack. */
const LONGEST_CHARS = 1_200;

/**
 * Returns the spans of one kind in a text. A number that is part of a date, a time, an amount or a phone is not also a
 * count or a reference.
 * @param writtenAt when the text was written, ms
 */
export function spansOf(whole: string, kind: SpanKind, writtenAt: number): TypedSpan[] {
  const text = whole.slice(0, LONGEST_CHARS);
  switch (kind) {
    case "date":
      return datesOf(text, writtenAt);
    case "time":
      return timesOf(text);
    case "name":
      return namesOf(text);
    case "phone":
    case "email":
    case "link":
    case "address":
      return contactDetailsOf(text).filter((span) => span.kind === kind);
    case "code": {
      const taken = [...contactDetailsOf(text), ...datesOf(text, writtenAt)].filter(hasDigits);
      const amounts = numbersOf(text).filter((span) => span.kind === "amount");
      return without([...taken, ...timesOf(text), ...amounts], codesOf(text));
    }
    default: {
      const taken = [...contactDetailsOf(text), ...datesOf(text, writtenAt)].filter(hasDigits);
      return without([...taken, ...timesOf(text)], numbersOf(text)).filter((span) => span.kind === kind);
    }
  }
}

const hasDigits = ({ text }: TypedSpan): boolean => /\d/.test(text);

function without(taken: readonly TypedSpan[], spans: readonly TypedSpan[]): TypedSpan[] {
  const kept = withoutOverlaps([...taken, ...spans]);
  return spans.filter((span) => kept.includes(span));
}
