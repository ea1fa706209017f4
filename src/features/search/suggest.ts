import type { MailScope } from "../../mailbox/queries/scope.ts";
import { CATEGORIES, FLAGS, FOLDER_NAMES } from "../../mailbox/search/filters.ts";
import { fold } from "../../mailbox/search/fold.ts";
import { OPERATORS } from "../../mailbox/search/operators.ts";
import { TAGS } from "../../mailbox/search/tags.ts";
import { type LastToken, lastToken } from "./last-token.ts";
import type { Suggestion } from "./suggest-model.ts";

/** A contact whose name or address completes a text. */
interface Person {
  name: string;
  email: string;
}

/** Where suggestions come from. Each function is fast in large mailboxes, too, and respects the scope. */
export interface SuggestionSources {
  contacts(scope: MailScope, text: string, limit: number): Person[];
  /** Subjects of recent threads. */
  subjects(scope: MailScope, text: string, limit: number): { subject: string; from: Person }[];
  /** Names of all labels. */
  labels(scope: MailScope): string[];
  /** The user's own addresses. */
  addresses(scope: MailScope): string[];
  now(): number;
}

/** How many suggestions of each kind come first for a word without an operator. The rest follows in the same order. */
const SHARES = { operators: 3, contacts: 4, labels: 3, values: 2 };
/** A value without its operator, such as "unread", is suggested from this many letters on. */
const SHORTEST_VALUE = 2;

const PEOPLE = new Set(["from", "to", "cc", "bcc"]);
const FILE_KINDS = ["pdf", "docx", "xlsx", "pptx", "odt", "csv", "jpg", "png", "zip", "ics"];
const PERIODS = ["1d", "7d", "30d", "3m", "6m", "1y"];
const SIZES = ["100k", "1M", "5M", "10M", "25M"];
/** Days before today. */
const DAYS = [0, 1, 7, 30, 365];
const DAY_MS = 86_400_000;

/** A value that the parser reads without quotation marks. */
const BARE = /^[\p{L}\p{N}_@][\p{L}\p{M}\p{N}_@.+/&'-]*$/u;
const QUOTES = /["“”„«»]/g;
const LONGEST_PHRASE_CHARS = 80;

/** Completes queries as they are typed. */
export class Suggester {
  constructor(private readonly sources: SuggestionSources) {}

  /** Returns completions of the last token of a query, best first, at most `limit`. */
  suggest(scope: MailScope, query: string, limit: number): Suggestion[] {
    const token = lastToken(query.normalize("NFC"));
    if (!token) return [];
    const found = token.operator === null ? this.#ofWord(scope, token, limit) : this.#ofValue(scope, token, limit);
    const different = new Map(found.map((suggestion) => [suggestion.insert, suggestion]));
    return [...different.values()].slice(0, limit);
  }

  #ofWord(scope: MailScope, token: LastToken, limit: number): Suggestion[] {
    const { value, quoted } = token;
    // A lone minus, or a quotation mark without text, says nothing yet.
    if (value.trim() === "") return [];
    const operators = quoted ? [] : operatorsLike(token);
    const contacts = this.#contacts(scope, { ...token, operator: "from" }, limit);
    const labels = this.#labels(scope, { ...token, operator: "label" });
    const values = quoted || value.length < SHORTEST_VALUE ? [] : valuesLike(token);
    const subjects = this.#subjects(scope, { ...token, operator: "subject" }, limit);
    const lists = [
      [operators, SHARES.operators],
      [contacts, SHARES.contacts],
      [labels, SHARES.labels],
      [values, SHARES.values],
      [subjects, limit],
    ] as const;
    return [
      ...lists.flatMap(([list, share]) => list.slice(0, share)),
      ...lists.flatMap(([list, share]) => list.slice(share)),
    ];
  }

  #ofValue(scope: MailScope, token: LastToken, limit: number): Suggestion[] {
    const { operator, value } = token;
    const isPerson = PEOPLE.has(operator!);
    if (isPerson) return [...meLike(token), ...this.#contacts(scope, token, limit)];
    switch (operator) {
      case "deliveredto": {
        const own = this.sources.addresses(scope).filter((address) => address.toLowerCase().includes(fold(value)));
        return [...meLike(token), ...own.map((address) => suggestion("contact", token, address, ""))];
      }
      case "label":
        return this.#labels(scope, token);
      case "subject":
        return this.#subjects(scope, token, limit);
      default:
        return valuesOf(operator!, this.sources.now())
          .filter((candidate) => fold(candidate).startsWith(fold(value)))
          .map((candidate) =>
            suggestion(operator === "in" ? "folder" : "operator", token, candidate, described(operator!)),
          );
    }
  }

  #contacts(scope: MailScope, token: LastToken, limit: number): Suggestion[] {
    return this.sources
      .contacts(scope, token.value, limit)
      .filter(({ email }) => isQuotable(email))
      .map(({ name, email }) => suggestion("contact", token, email, name === "" ? "" : email, name || email));
  }

  #labels(scope: MailScope, token: LastToken): Suggestion[] {
    const wanted = fold(token.value.trim());
    const names = this.sources.labels(scope).filter(isQuotable);
    const starting = names.filter((name) => fold(name).startsWith(wanted));
    const containing = names.filter((name) => !fold(name).startsWith(wanted) && fold(name).includes(wanted));
    return [...starting, ...containing].map((name) => suggestion("label", token, name, described("label"), name));
  }

  #subjects(scope: MailScope, token: LastToken, limit: number): Suggestion[] {
    return this.sources.subjects(scope, token.value, limit).map(({ subject, from }) => {
      const phrase = phraseOf(subject);
      return { ...suggestion("subject", token, phrase, from.name || from.email, subject) };
    });
  }
}

/** Returns the suggestion of a value for the operator of a token. @param text absent: operator and value */
function suggestion(
  kind: Suggestion["kind"],
  { minus, operator, grouped, quoted }: LastToken,
  value: string,
  detail: string,
  text?: string,
): Suggestion {
  const written = BARE.test(value) && !quoted ? value : `"${value}"`;
  const prefix = grouped ? "" : `${operator}:`;
  return { kind, text: text ?? `${operator}:${value}`, insert: `${minus}${prefix}${written}`, detail };
}

function operatorsLike({ minus, value }: LastToken): Suggestion[] {
  const wanted = value.toLowerCase();
  return [...OPERATORS.keys()]
    .filter((name) => name.startsWith(wanted))
    .map((name) => ({ kind: "operator", text: `${name}:`, insert: `${minus}${name}:`, detail: described(name) }));
}

/** Returns operators whose value begins with a word: "unread" for is:unread. */
function valuesLike(token: LastToken): Suggestion[] {
  const wanted = fold(token.value);
  return (["is", "in", "has", "category"] as const).flatMap((operator) =>
    valuesOf(operator, 0)
      .filter((value) => value.startsWith(wanted))
      .map((value) =>
        suggestion(operator === "in" ? "folder" : "operator", { ...token, operator }, value, described(operator)),
      ),
  );
}

function meLike(token: LastToken): Suggestion[] {
  if (token.quoted || !"me".startsWith(token.value.toLowerCase())) return [];
  return [suggestion("operator", token, "me", "Your own addresses")];
}

/** Returns the values of an operator that compares one; none if they are not known. */
function valuesOf(operator: string, nowMs: number): readonly string[] {
  const days = () => DAYS.map((count) => new Date(nowMs - count * DAY_MS).toISOString().slice(0, "2026-03-01".length));
  switch (operator) {
    case "in":
      return FOLDER_NAMES;
    case "is":
      return FLAGS;
    case "has":
      return ["attachment", ...TAGS];
    case "category":
      return CATEGORIES;
    case "filename":
      return FILE_KINDS;
    case "older_than":
    case "newer_than":
      return PERIODS;
    case "older":
    case "newer":
      return [...PERIODS, ...days()];
    case "before":
    case "after":
      return days();
    case "larger":
    case "smaller":
    case "size":
      return SIZES;
    default:
      return [];
  }
}

/** Returns the description of an operator as a phrase, without Markdown. */
function described(operator: string): string {
  const { finds } = OPERATORS.get(operator)!;
  const plain = finds.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("`", "");
  return plain[0]!.toUpperCase() + plain.slice(1);
}

/** Returns whether a query can contain a value: a quotation mark cannot be written within quotation marks. */
const isQuotable = (name: string): boolean => name.search(QUOTES) < 0;

/** Returns the beginning of a subject, cut between words, as a phrase without quotation marks. */
function phraseOf(subject: string): string {
  const line = subject.replace(QUOTES, " ").replace(/\s+/g, " ").trim();
  if (line.length <= LONGEST_PHRASE_CHARS) return line;
  const cut = line.slice(0, LONGEST_PHRASE_CHARS + 1);
  return cut.slice(0, cut.lastIndexOf(" ") > 0 ? cut.lastIndexOf(" ") : LONGEST_PHRASE_CHARS);
}
