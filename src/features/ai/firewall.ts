import { amountsOf } from "../../ml/extract/amounts.ts";
import { daysIn } from "./days.ts";
import { rounded } from "./numeral-reading.ts";
import { backwards, lettersAndDigits, normalizeCharacters, ObfuscatedText, romanRuns } from "./obfuscation.ts";
import { plainNumbers } from "./plain-numbers.ts";
import { visible } from "./prompt.ts";
import { numbersIn, type Quantity, quantitiesOf, type Spelled, sharesOf } from "./quantities.ts";
import { namedBy } from "./wanted-variables.ts";

/**
 * The last check before a draft that a model wrote is stored (docs/ai.md, "Draft firewall"). The draft may contain only
 * links, addresses, amounts and long numbers that occur in the conversation, the context variables or the instructions.
 * Private values of the user must not reach mail that the user did not ask to disclose them in. The check reads only the
 * text, so it holds for any prompt. Nothing is repaired silently: a draft that fails is held for the user's review.
 */

/** The texts that a draft may draw on. */
export interface AllowedSources {
  /** The conversation that the draft answers, as the user sees it. */
  thread: string;
  instructions: string;
  /** Context variables by key, from the conversation's profile or global. */
  variables: Readonly<Record<string, string>>;
  /** Notes, a profile's summary and files. They may inform a draft, but must not be copied into it. */
  privateTexts: readonly { name: string; text: string }[];
  /** The user's own name and addresses, and those of the conversation. */
  people: readonly string[];
}

export interface Verdict {
  /** The text without invisible characters and without tags that would turn it into HTML. */
  body: string;
  /** Why a person must review the draft. Empty: it passed. */
  reasons: string[];
  /** Those of `reasons` that name something private in the draft. */
  disclosures: string[];
  /** Those that name something in the draft that occurs in no source. */
  unsupported: string[];
}

/**
 * These patterns read text of any length from strangers. Each can match only at the start of a run of its characters, and
 * in only one way, so that the time is linear in the length of the text and not quadratic.
 */
const URL_LIKE =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:mailto|tel|sms|data|javascript|bitcoin|magnet|skype|whatsapp):|www\.)[^\s<>"'“”]+|(?<![\p{L}\p{N}-]\.?)(?:[\p{L}\p{N}-]+\.)+(?:xn--[a-z0-9-]{1,59}|\p{L}{2,24})(?:\/[^\s<>"'“”]*)?/giu;
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Account numbers, telephone numbers and codes: at least six digits, with the usual separators. */
const LONG_NUMBER =
  /(?:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,8}(?:[ -]?[A-Z0-9]{1,4})?)|\+?\d(?:(?:\) |[ ().\-/])?\(?\d){5,}/gu;
/** Dates are neither secrets nor payment details. */
const DATE = /^(?:\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}-\d{2}-\d{2})$/;
/** Matches a day, a time of day, a year, and ranges of them: "9.30-10.30", "2019-2024", "12 2026". */
const isTimes = (number: string): boolean => DATE.test(number) || TIMES.test(number);
const TIMES =
  /^(?:(?:[01]?\d|2[0-3])[.:][0-5]\d ?[ /-] ?(?:[01]?\d|2[0-3])[.:][0-5]\d|(?:19|20)\d\d ?[/-] ?(?:(?:19|20)\d\d|\d{1,2})|(?:\d{1,2}[ .])?(?:19|20)\d\d)$/;
const TAG = /<\/?[a-z!][^<>]*>/giu;
const MARKDOWN_LINK = /!?\[[^[\]]*\]\(([^()]*)\)/gu;
/** A long run without spaces may be encoded data that a later reader decodes and acts on. */
const ENCODED = /[A-Za-z0-9+/=_-]{48,}/gu;

/** Returns a text that no mail program treats as HTML. */
export const withoutTags = (text: string): string => {
  // Removing the inner tag of "<<b>b>" leaves another tag.
  for (let before = text; ; before = text) {
    text = text.replace(TAG, "");
    if (text === before) return text;
  }
};

/** Checks a draft against its sources and returns its cleaned text and the reasons to hold it. */
export function judge(text: string, sources: AllowedSources): Verdict {
  const reasons: string[] = [];
  const seen = visible(text);
  if (seen.length < text.length) reasons.push("Invisible characters were removed from the draft.");
  const body = withoutTags(seen).trim();
  if (body.length < seen.trim().length) reasons.push("HTML was removed from the draft.");
  const allowed = [sources.thread, sources.instructions, ...Object.values(sources.variables), ...sources.people].map(
    (source) => normalizeCharacters(visible(source)),
  );
  const read = normalizeCharacters(body);
  const numbers = allowed.map((text) => new Numbers(text));
  const stated = new Numbers(read);
  const unknown = unsupported(read, allowed, stated, new AllowedAmounts(numbers));
  const disclosed = disclosures(read, sources, stated, numbers);
  return {
    body,
    reasons: [...new Set([...reasons, ...unknown, ...disclosed])],
    disclosures: [...new Set(disclosed)],
    unsupported: [...new Set(unknown)],
  };
}

/** Returns a reason for each address, link, amount or number in the draft that occurs in none of its sources. */
function unsupported(body: string, allowed: readonly string[], stated: Numbers, amounts: AllowedAmounts): string[] {
  const reasons: string[] = [];
  const emails = new Set(allowed.flatMap((text) => text.match(EMAIL) ?? []).map(lower));
  const found = (body.match(EMAIL) ?? []).filter((email) => !emails.has(lower(email)));
  reasons.push(
    ...found.map((email) => `The draft contains the address ${email}, which does not occur in any of its sources.`),
  );
  const links = new Set(allowed.flatMap(linksOf).map(linkKey));
  const withoutEmails = body.replace(EMAIL, " ");
  const targets = [...body.matchAll(MARKDOWN_LINK)].map((match) => match[1]!);
  for (const link of [...linksOf(withoutEmails), ...targets]) {
    if (!links.has(linkKey(link)))
      reasons.push(`The draft contains the link ${short(link)}, which does not occur in any of its sources.`);
  }
  for (const amount of amounts.unsupportedIn(stated)) {
    reasons.push(`The draft contains the amount ${short(amount)}, which does not occur in any of its sources.`);
  }
  const numbers = new Set(allowed.flatMap((text) => text.match(LONG_NUMBER) ?? []).map(digits));
  for (const number of withoutAddresses(body).match(LONG_NUMBER) ?? []) {
    if (!isTimes(number) && !numbers.has(digits(number)) && !amounts.has(number))
      reasons.push(`The draft contains the number ${short(number)}, which does not occur in any of its sources.`);
  }
  const whole = allowed.join("\n");
  for (const run of body.match(ENCODED) ?? []) {
    if (!whole.includes(run)) reasons.push("The draft contains a long encoded string.");
  }
  return reasons;
}

/** The numbers of a text, parsed once. Days, times of day, links and addresses are excluded. */
class Numbers {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly spelled: readonly Spelled[];
  /** Sums with a currency, without a limit on how many: an unsupported one could be the last. */
  readonly sums: readonly { text: string; unit: string; value: number }[];
  /** Shares given as words such as "half", in percent. */
  readonly shares: readonly number[];

  constructor(text: string) {
    this.text = plainNumbers(withoutAddresses(text));
    const { quantities, spelled } = numbersIn(this.text);
    this.quantities = quantities;
    this.spelled = spelled;
    this.sums = amountsOf(this.text, Number.POSITIVE_INFINITY).map((sum) => ({ ...sum, unit: sum.currency }));
    this.shares = sharesOf(this.text);
  }
}

/** The amounts that the sources contain, compared by value and not by notation. */
class AllowedAmounts {
  readonly #money: ReadonlySet<string>;
  readonly #shares: ReadonlySet<number>;
  readonly #numbers: ReadonlySet<number>;

  constructor(sources: readonly Numbers[]) {
    const quantities = sources.flatMap((source) => source.quantities);
    const sums = sources.flatMap((source) => source.sums);
    const money = [...quantities.filter(({ unit }) => unit !== null), ...sums];
    this.#money = new Set(money.map(({ unit, value }) => `${unit} ${value}`));
    const bare = quantities.filter(({ unit }) => unit !== "%");
    const spelled = sources.flatMap((source) => source.spelled);
    this.#numbers = new Set([...bare, ...spelled, ...sums].map(({ value }) => value));
    const shares = quantities.filter(({ unit }) => unit === "%").map(({ value }) => value);
    const words = sources.flatMap((source) => source.shares);
    this.#shares = new Set([...shares, ...words, ...[...this.#numbers].map((n) => rounded(n * 100))]);
  }

  /** Returns the amounts of a draft that no source contains, as written in the draft. */
  unsupportedIn({ text, quantities, spelled, sums }: Numbers): string[] {
    const long = [...text.matchAll(LONG_NUMBER)].map(({ index, 0: { length } }) => [index, index + length] as const);
    // A number of six or more digits without a unit is checked as a long number, together with its separators.
    const isLong = (start: number, end: number) => long.some(([from, to]) => from <= start && end <= to);
    const unnamed = quantities.filter(
      (quantity) =>
        quantity.isAmount &&
        !this.#names(quantity) &&
        (quantity.unit !== null || !isLong(quantity.start, quantity.end)),
    );
    const unstated = spelled.filter(({ value, start, end }) => !this.#numbers.has(value) && !isLong(start, end));
    const unsupportedSums = sums.filter(({ unit, value }) => !this.#money.has(`${unit} ${value}`));
    return [...unnamed, ...unstated, ...unsupportedSums].map(({ text }) => text.trim());
  }

  /** Whether a number with separators is an amount that a source contains: "120 000" for "120,000". */
  has(number: string): boolean {
    return quantitiesOf(number).some((quantity) => quantity.text.length === number.length && this.#names(quantity));
  }

  #names({ unit, value }: Pick<Quantity, "unit" | "value">): boolean {
    if (unit === "%") return this.#shares.has(value);
    return unit === null ? this.#numbers.has(value) : this.#money.has(`${unit} ${value}`);
  }
}

/** Days, times of day, links and addresses contain digits that are not amounts. */
const ADDRESSES = new RegExp(
  `${EMAIL.source}|${URL_LIKE.source}|(?<!\\d)(?:\\d{1,2}([./-])\\d{1,2}\\1\\d{2,4}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}:\\d{2}(?::\\d{2})?)(?!\\d)`,
  "giu",
);
const withoutAddresses = (text: string): string =>
  text.replace(ADDRESSES, (place) =>
    /^[\d./:-]+$/.test(place) || place.includes("@") || isLink(place) || /^\p{L}/u.test(place) ? " ; " : place,
  );
const SHORTEST_SECRET_CHARS = 4;
/** Without spaces, a shorter run of letters can occur in the sources by chance. */
const MIN_MATCHED_CHARS = 6;
/** This many equal words in a row are no coincidence. */
const COPIED_WORDS = 6;
/** Variables that are meant to appear in mail. */
const PUBLIC_VARIABLE =
  /(?:^|\.)(?:name|first_name|signature|title|company|city|language|tone|greeting|sign_off|formality|words)$/i;

/** Returns a reason for each private value in the draft that neither the conversation nor the instructions contain. */
function disclosures(
  body: string,
  { thread, instructions, variables, privateTexts }: AllowedSources,
  numbers: Numbers,
  [inThread, inInstructions]: readonly Numbers[],
): string[] {
  const reasons: string[] = [];
  const sourceText = normalizeCharacters(visible(`${thread}\n${instructions}`)).toLowerCase();
  const sourceLetters = lettersAndDigits(sourceText);
  const isAskedFor = namedBy(instructions);
  const lowerBody = body.toLowerCase();
  const draftText = new ObfuscatedText(body);
  const stated = new StatedNumbers([numbers], backwardsIn(numbers.text));
  const days = new Days(body, sourceText);
  const sourceNumbers = new StatedNumbers([inThread!, inInstructions!]);
  const isInSources = (bare: string, letters: string) =>
    sourceText.includes(bare) || (letters.length >= MIN_MATCHED_CHARS && sourceLetters.includes(letters));
  for (const [key, value] of Object.entries(variables)) {
    const bare = normalizeCharacters(value).trim().toLowerCase();
    const letters = lettersAndDigits(bare);
    if (PUBLIC_VARIABLE.test(key) || isAskedFor(key)) continue;
    const spelled = bare.length >= SHORTEST_SECRET_CHARS && lowerBody.includes(bare);
    const secret = secretNumbers(bare);
    const unstated = secret.filter((number) => !sourceNumbers.includes(number));
    const isKnown = isInSources(bare, letters) || (secret.length > 0 && unstated.length === 0);
    const isStated = spelled || draftText.contains(value.trim()) || draftText.containsPart(value, sourceLetters);
    if ((isStated && !isKnown) || unstated.some((number) => stated.includes(number)) || days.reveal(bare))
      reasons.push(`The draft reveals the value of the variable ${key}, which no one asked for.`);
  }
  const words = wordsOf(body);
  const sourceRuns = privateTexts.length > 0 ? new Set(runs(wordsOf(sourceText))) : new Set<string>();
  const kept = privateTexts.map(({ text }) => runs(wordsOf(text)).filter((run) => !sourceRuns.has(run)));
  const copied = new Set([...runs(words), ...draftText.runsIn(new Set(kept.flat()))]);
  for (const [i, { name, text }] of privateTexts.entries()) {
    if (kept[i]!.some((run) => copied.has(run))) reasons.push(`The draft copies text from ${name}.`);
    const codes = codesIn(text).filter((code) => !isInSources(code.toLowerCase(), lettersAndDigits(code)));
    if (codes.some((code) => draftText.contains(code)))
      reasons.push(`The draft reveals a number or a code from ${name}.`);
  }
  return reasons;
}

/** The days in a draft, read forwards and backwards, and the days in what was said. */
class Days {
  #inDraft: ReadonlySet<string> | null = null;
  #sourceDays: ReadonlySet<string> | null = null;

  constructor(
    private readonly body: string,
    private readonly said: string,
  ) {}

  /** Whether the draft contains a day of this variable that was not said. */
  reveal(value: string): boolean {
    const kept = [...daysIn(value)];
    if (kept.length === 0) return false;
    this.#inDraft ??= new Set([...daysIn(this.body), ...daysIn(backwards(this.body))]);
    const stated = kept.filter((day) => this.#inDraft!.has(day));
    if (stated.length === 0) return false;
    this.#sourceDays ??= daysIn(this.said);
    return stated.some((day) => !this.#sourceDays!.has(day));
  }
}

/** Shorter numbers without a unit occur in any message. */
const SHORTEST_NUMBER_DIGITS = 3;

/** Returns the numbers of a variable that are worth protecting: the whole value, or amounts within it. */
function secretNumbers(value: string): Quantity[] {
  const all = quantitiesOf(value);
  const alone = all.length === 1 && all[0]!.text.trim().length === value.length ? all[0]! : null;
  if (alone && alone.unit === null)
    return alone.digits.length >= SHORTEST_NUMBER_DIGITS || alone.value % 1 !== 0 ? [alone] : [];
  return all.filter(({ isAmount }) => isAmount);
}

/** Returns the values of amounts with cents in words: "ninety-five euros fifty", "95 EUR and 50 cents". */
function withCents(text: string, quantities: readonly Quantity[]): number[] {
  return quantities.flatMap(({ start, value }, i) => {
    const before = quantities[i - 1];
    if (!before || before.unit === null || before.unit === "%" || value % 1 !== 0 || value >= 100) return [];
    return /^\s?(?:(?:and|und|et|y|con|e|en) )?$/i.test(text.slice(before.end, start))
      ? [rounded(before.value + value / 100)]
      : [];
  });
}

/** Returns the shares and large numbers in words that a text contains backwards, letter by letter or word by word. */
const backwardsIn = (text: string): Quantity[] =>
  [
    backwards(text),
    text
      .split(/[\s-]+/)
      .toReversed()
      .join(" "),
  ]
    .flatMap(quantitiesOf)
    .filter(({ text, unit, value }) => /\p{L}/u.test(text) && (unit === "%" || value >= 1_000));

/** All numbers that a text states, in any notation. */
class StatedNumbers {
  readonly #shares: ReadonlySet<number>;
  readonly #numbers: ReadonlySet<number>;
  /** Numbers that may mean a share, because no word after them says what they count. */
  readonly #loose: ReadonlySet<number>;

  constructor(texts: readonly Numbers[], more: readonly Quantity[] = []) {
    const quantities = [...texts.flatMap((text) => text.quantities), ...more];
    const values = (list: readonly Quantity[]) => list.flatMap(({ values }) => values);
    const bare = quantities.filter(({ unit }) => unit !== "%");
    const shares = texts.flatMap((text) => text.shares);
    this.#shares = new Set([...values(quantities.filter(({ unit }) => unit === "%")), ...shares]);
    const others = texts.flatMap(({ text, quantities, sums, spelled }) => [
      ...[...sums, ...spelled].map(({ value }) => value),
      ...withCents(text, quantities),
      ...romanRuns(text),
    ]);
    this.#numbers = new Set([...values(bare), ...others]);
    this.#loose = new Set(values(bare.filter(({ countsThings }) => !countsThings)));
  }

  includes({ unit, value }: Quantity): boolean {
    if (unit === "%")
      return this.#shares.has(value) || this.#loose.has(value) || this.#numbers.has(rounded(value / 100));
    return this.#numbers.has(value) || (value < 1 && this.#shares.has(rounded(value * 100)));
  }
}

/** Passwords, access codes, contract numbers: at least six characters with a digit, and neither a day nor a time. */
const CODE = /(?<![\p{L}\p{N}])(?=[^\s\d]{0,40}\d)[\p{L}\p{N}][^\s,;"'()<>“”]{4,60}[\p{L}\p{N}]/gu;
const TIME = /^\d{1,2}[:.]\d{2}(?:-\d{1,2}[:.]\d{2}|[ap]m)?$/i;
const MAX_CODES = 500;

function codesIn(text: string): string[] {
  const found = (normalizeCharacters(visible(text)).match(CODE) ?? []).slice(0, MAX_CODES);
  return [...new Set(found)].filter((code) => !DATE.test(code) && !TIME.test(code));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function runs(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i + COPIED_WORDS <= words.length; i++) found.push(words.slice(i, i + COPIED_WORDS).join(" "));
  return found;
}

/** Returns the links of a text, without trailing punctuation. */
function linksOf(text: string): string[] {
  return (text.match(URL_LIKE) ?? []).map((link) => link.replace(/[.,;:!?)\]]+$/, "")).filter(isLink);
}

/** Mail programs turn "acme.com" into a link. "e.g", "report.pdf" and "end.Next" (a missing space) are not links. */
function isLink(text: string): boolean {
  if (/[:/]|^www\./i.test(text) || KNOWN_ENDING.test(text)) return true;
  const labels = text.split(".");
  const ending = labels.at(-1)!;
  return ending === lower(ending) && labels.every((label) => label.length > 1) && !FILE_ENDING.test(ending);
}

const KNOWN_ENDING =
  /\.(?:com|net|org|io|dev|app|ai|co|me|info|biz|xyz|top|online|site|club|shop|link|click|live|cloud|tech|eu|uk|de|fr|es|it|nl|pt|pl|ru|cn|jp|in|br|ch|at|be|se|no|dk|fi|ie|us|ca|au|tk|ml|ga|cf|gq|example|test|zip|mov)$/i;
const FILE_ENDING =
  /^(?:pdf|docx?|xlsx?|pptx?|od[tsp]|txt|rtf|csv|tsv|json|xml|html?|jpe?g|png|gif|svg|webp|heic|mp[34]|wav|ics|eml|js|ts|css)$/;

/** Normalizes a link: case, scheme, "www." and trailing slashes do not matter. */
const linkKey = (link: string): string =>
  lower(link)
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/+$/, "");
const lower = (text: string): string => text.toLowerCase();
const digits = (text: string): string => text.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
