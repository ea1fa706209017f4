import type { Span } from "../sentences.ts";

/** What a piece of text states. `code` is a reference: of an order, flight, booking, room, seat or account. */
export type SpanKind =
  | "date"
  | "time"
  | "duration"
  | "amount"
  | "measure"
  | "count"
  | "phone"
  | "email"
  | "link"
  | "address"
  | "code"
  | "name";

/** A piece of a text with a meaning, and the form in which equal meanings are equal. */
export interface TypedSpan extends Span {
  kind: SpanKind;
  text: string;
  /** Dates: YYYY-MM-DD, or a part of it; times: HH:MM; amounts: VALUE CODE; phones: digits; others: lower case. */
  normal: string;
}

/** Returns a typed span for a match of a pattern. */
export function spanOf(kind: SpanKind, text: string, start: number, normal: string): TypedSpan {
  return { kind, text, start, end: start + text.length, normal };
}

/** Removes spans that overlap an earlier one of the list, and sorts the rest by position. */
export function withoutOverlaps(spans: readonly TypedSpan[]): TypedSpan[] {
  const kept: TypedSpan[] = [];
  for (const span of spans) {
    if (!kept.some((other) => span.start < other.end && other.start < span.end)) kept.push(span);
  }
  return kept.sort((a, b) => a.start - b.start);
}
