import type { RuledMessage } from "../../mailbox/queries/rules.ts";
import type { Address } from "../../mailbox/store/envelope.ts";
import type { Condition, Field, Op, RuleKind } from "./allowed.ts";

/** What conditions look at. */
export type Facts = Pick<RuledMessage, "head" | "body" | "has_attachment" | "account_id" | "category">;

/** A condition ready to be asked. */
export type Test = (facts: Facts) => boolean;

/** Upper and lower case count for nothing, nor the way in which an accent is written. */
const fold = (text: string) => text.normalize("NFC").toLowerCase();

const OPPOSITE: Partial<Record<Op, Op>> = { not_equals: "equals", not_contains: "contains" };

/**
 * Compiles conditions, of which all must hold. The cheap ones are asked first: a body has to be opened. Rules of kind `agent`
 * give authority, so a sender's name counts for nothing there: everybody writes into it what they like.
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
  // A negation says that no value is or contains it: of several recipients, none.
  return (facts) => read(facts).some((text) => compare(text, wanted)) === (opposite === undefined);
}

const COMPARE: Partial<Record<Op, (text: string, wanted: string) => boolean>> = {
  equals: (text, wanted) => text === wanted,
  contains: (text, wanted) => text.includes(wanted),
  starts_with: (text, wanted) => text.startsWith(wanted),
  ends_with: (text, wanted) => text.endsWith(wanted),
};

/** What was read of a message stays for the rules that ask after it: folding a long text is most of the work. */
const readValues = new WeakMap<Facts, Partial<Record<Field, string[]>>>();

function valuesOf(facts: Facts, field: Field): string[] {
  const known = readValues.get(facts) ?? {};
  readValues.set(facts, known);
  known[field] ??= READERS[field](facts);
  return known[field];
}

/** The values of a field, folded; none where the message has nothing there. */
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

/** What stands behind the last @: a quoted local part may hold others (RFC 5322 §3.4.1), and rules trust senders by this. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}

/** An address as people think of it: by itself, by its name, or both as in a header. */
function spellings(addresses: readonly Address[]): string[] {
  return addresses.flatMap(({ name, email }) =>
    [...new Set([email, name, name === "" ? "" : `${name} <${email}>`])].filter((text) => text !== "").map(fold),
  );
}
