import type { RuledMessage } from "../../mailbox/queries/rules.ts";
import type { Address } from "../../mailbox/store/envelope.ts";
import type { Condition, Field, Op, RuleKind } from "./allowed.ts";

/** The parts of a message that conditions test. */
export type Facts = Pick<RuledMessage, "head" | "body" | "has_attachment" | "account_id" | "category">;

/** A compiled condition. */
export type Test = (facts: Facts) => boolean;

/** Normalizes case and Unicode form, so that neither affects a comparison. */
const fold = (text: string) => text.normalize("NFC").toLowerCase();

const OPPOSITE: Partial<Record<Op, Op>> = { not_equals: "equals", not_contains: "contains" };

/**
 * Compiles conditions, all of which must hold. Cheap ones are tested first, because a body has to be decrypted. Rules
 * of kind `agent` give authority, so they ignore the sender's name: anyone can put any text there.
 */
export function compile(kind: RuleKind, conditions: readonly Condition[]): Test {
  const tests = [...conditions]
    .sort((a, b) => Number(a.field === "body") - Number(b.field === "body"))
    .map((condition) => testOf(kind, condition));
  return (facts) => tests.every((test) => test(facts));
}

function testOf(kind: RuleKind, { field, op, value }: Condition): Test {
  const read = (facts: Facts) =>
    kind === "agent" && field === "from" ? [fold(facts.head.from.email)] : valuesOf(facts, field);
  if (op === "exists") return (facts) => read(facts).length > 0 === (value === "true");
  const wanted = fold(field === "from_domain" ? value.replace(/^@/, "") : value);
  const opposite = OPPOSITE[op];
  const compare = COMPARE[opposite ?? op]!;
  // A negation requires that no value matches: of several recipients, none.
  return (facts) => read(facts).some((text) => compare(text, wanted)) === (opposite === undefined);
}

const COMPARE: Partial<Record<Op, (text: string, wanted: string) => boolean>> = {
  equals: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  starts_with: (text, wanted) => text.startsWith(wanted),
  ends_with: (text, wanted) => text.endsWith(wanted),
};

/** Caches the folded values of a message for further rules, because folding a long text is most of the work. */
const readValues = new WeakMap<Facts, Partial<Record<Field, string[]>>>();

function valuesOf(facts: Facts, field: Field): string[] {
  const known = readValues.get(facts) ?? {};
  readValues.set(facts, known);
  known[field] ??= READERS[field](facts);
  return known[field];
}

/** Returns the values of a field, folded; none if the message has no such field. */
const READERS: Record<Field, (facts: Facts) => string[]> = {
  from: ({ head }) => spellings([head.from]),
  from_domain: ({ head }) => present(domainOf(head.from.email)),
  to: ({ head }) => spellings(head.to),
  cc: ({ head }) => spellings(head.cc),
  subject: ({ head }) => present(head.subject),
  body: (facts) => present(facts.body()),
  list_id: ({ head }) => present(head.list_id),
  has_attachment: ({ has_attachment }) => [String(has_attachment)],
  account_id: ({ account_id }) => [account_id],
  category: ({ category }) => [category],
};

function present(text: string | undefined): string[] {
  return text === undefined || text.trim() === "" ? [] : [fold(text.trim())];
}

/**
 * Returns the text after the last @: a quoted local part may contain others (RFC 5322 §3.4.1), and rules trust senders
 * by this domain.
 */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** Returns the forms in which people write an address: the address, its name, or both as in a header. */
function spellings(addresses: readonly Address[]): string[] {
  return addresses.flatMap(({ name, email }) =>
    [...new Set([email, name, name === "" ? "" : `${name} <${email}>`])].filter((text) => text !== "").map(fold),
  );
}
