import { amountsOf } from "../../ml/extract/amounts.ts";
import { daysIn } from "./days.ts";
import { backwards, romanRuns, sameCharacters, squashed, Telling } from "./disguise.ts";
import { rounded } from "./numeral-reading.ts";
import { plainNumbers } from "./plain-numbers.ts";
import { visible } from "./prompt.ts";
import { numbersIn, type Quantity, quantitiesOf, type Spelled, sharesOf } from "./quantities.ts";
import { namedBy } from "./wanted-variables.ts";

/**
 * The last gate before a draft that a model wrote is stored (decisions, "AI"): it may name only links, addresses, amounts
 * and long numbers that occur in the conversation, in the context variables or in the instructions, and may not carry what
 * the user keeps for themselves into mail that did not ask for it in their name. It reads the text alone, so it holds
 * whatever the model was told. Nothing is repaired in silence: what does not pass is held for the user's review.
 */

/** What a draft may draw on. */
export interface AllowedSources {
  /** The conversation that is answered, as the user sees it. */
  thread: string;
  instructions: string;
  /** Context variables by key, of this conversation's profile or global. */
  variables: Readonly<Record<string, string>>;
  /** What the user keeps for themselves: notes, a profile's summary, files. It may inform a draft, not be copied into it. */
  private_texts: readonly { name: string; text: string }[];
  /** The user's own name and addresses, and those of the conversation. */
  people: readonly string[];
}

export interface Verdict {
  /** The text, without what no reader would see and without tags, which would make HTML of it. */
  body: string;
  /** Why a person must look at it; empty: it passed. */
  reasons: string[];
}

/**
 * These patterns read what strangers wrote, at any length: each begins only where a run of its characters begins and can read
 * it in one way, so that their time grows with the text and not with its square.
 */
const URL_LIKE =
  /(?<![\p{L}\p{N}])(?:[a-z][a-z0-9+.-]{1,20}:\/\/|(?:mailto|tel|sms|data|javascript|bitcoin|magnet|skype|whatsapp):|www\.)[^\s<>"'“”]+|(?<![\p{L}\p{N}-]\.?)(?:[\p{L}\p{N}-]+\.)+(?:xn--[a-z0-9-]{1,59}|\p{L}{2,24})(?:\/[^\s<>"'“”]*)?/giu;
const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;
/** Account numbers, telephone numbers, codes: six digits or more, with what is usually put between them. */
const LONG_NUMBER =
  /(?:[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{4}){2,8}(?:[ -]?[A-Z0-9]{1,4})?)|\+?\d(?:(?:\) |[ ().\-/])?\(?\d){5,}/gu;
/** Days are no secret and pay nobody. */
const DATE = /^(?:\d{1,2}([./-])\d{1,2}\1\d{2,4}|\d{4}-\d{2}-\d{2})$/;
/** A day, a time of day, a year, and spans of them: "9.30-10.30", "2019-2024", "12 2026". */
const isTimes = (number: string): boolean => DATE.test(number) || TIMES.test(number);
const TIMES =
  /^(?:(?:[01]?\d|2[0-3])[.:][0-5]\d ?[ /-] ?(?:[01]?\d|2[0-3])[.:][0-5]\d|(?:19|20)\d\d ?[/-] ?(?:(?:19|20)\d\d|\d{1,2})|(?:\d{1,2}[ .])?(?:19|20)\d\d)$/;
const TAG = /<\/?[a-z!][^<>]*>/giu;
const MARKDOWN_LINK = /!?\[[^[\]]*\]\(([^()]*)\)/gu;
/** What such a text hides can be run by whoever reads it next: long runs without a blank. */
const ENCODED = /[A-Za-z0-9+/=_-]{48,}/gu;

/** A text that no mail program takes for HTML. */
export const withoutTags = (text: string): string => {
  // "<<b>b>" holds another tag when the inner one is gone.
  for (let before = text; ; before = text) {
    text = text.replace(TAG, "");
    if (text === before) return text;
  }
};

export function judge(text: string, sources: AllowedSources): Verdict {
  const reasons: string[] = [];
  const seen = visible(text);
  if (seen.length < text.length) reasons.push("Invisible characters were removed from the draft.");
  const body = withoutTags(seen).trim();
  if (body.length < seen.trim().length) reasons.push("HTML was removed from the draft.");
  const allowed = [sources.thread, sources.instructions, ...Object.values(sources.variables), ...sources.people].map(
    (source) => sameCharacters(visible(source)),
  );
  const read = sameCharacters(body);
  const numbers = allowed.map((text) => new Numbers(text));
  const told = new Numbers(read);
  reasons.push(...strangers(read, allowed, told, new Amounts(numbers)), ...disclosures(read, sources, told, numbers));
  return { body, reasons: [...new Set(reasons)] };
}

/** What the draft names that none of its sources does. */
function strangers(body: string, allowed: readonly string[], told: Numbers, amounts: Amounts): string[] {
  const reasons: string[] = [];
  const emails = new Set(allowed.flatMap((text) => text.match(EMAIL) ?? []).map(lower));
  const found = (body.match(EMAIL) ?? []).filter((email) => !emails.has(lower(email)));
  reasons.push(
    ...found.map((email) => `The draft contains the address ${email}, which does not occur in any of its sources.`),
  );
  const links = new Set(allowed.flatMap(linksOf).map(linkKey));
  const without_emails = body.replace(EMAIL, " ");
  const targets = [...body.matchAll(MARKDOWN_LINK)].map((match) => match[1]!);
  for (const link of [...linksOf(without_emails), ...targets]) {
    if (!links.has(linkKey(link)))
      reasons.push(`The draft contains the link ${short(link)}, which does not occur in any of its sources.`);
  }
  for (const amount of amounts.strangersIn(told)) {
    reasons.push(`The draft contains the amount ${short(amount)}, which does not occur in any of its sources.`);
  }
  const numbers = new Set(allowed.flatMap((text) => text.match(LONG_NUMBER) ?? []).map(digits));
  for (const number of withoutPlaces(body).match(LONG_NUMBER) ?? []) {
    if (!isTimes(number) && !numbers.has(digits(number)) && !amounts.has(number))
      reasons.push(`The draft contains the number ${short(number)}, which does not occur in any of its sources.`);
  }
  const whole = allowed.join("\n");
  for (const run of body.match(ENCODED) ?? []) {
    if (!whole.includes(run)) reasons.push("The draft contains a long encoded string.");
  }
  return reasons;
}

/** What a text says in numbers, read once. Days, times of day, links and addresses are left out. */
class Numbers {
  readonly text: string;
  readonly quantities: readonly Quantity[];
  readonly spelled: readonly Spelled[];
  /** Sums with a currency. All of them: the one too many would be the last. */
  readonly sums: readonly { text: string; unit: string; value: number }[];
  /** In words of their own, as per cent. */
  readonly shares: readonly number[];

  constructor(text: string) {
    this.text = plainNumbers(withoutPlaces(text));
    const { quantities, spelled } = numbersIn(this.text);
    this.quantities = quantities;
    this.spelled = spelled;
    this.sums = amountsOf(this.text, Number.POSITIVE_INFINITY).map((sum) => ({ ...sum, unit: sum.currency }));
    this.shares = sharesOf(this.text);
  }
}

/** The amounts that the sources of a draft name, by what they are worth and not by how they are written. */
class Amounts {
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

  /** The amounts of a draft that no source names, as they are written. */
  strangersIn({ text, quantities, spelled, sums }: Numbers): string[] {
    const long = [...text.matchAll(LONG_NUMBER)].map(({ index, 0: { length } }) => [index, index + length] as const);
    // A number of six digits and more without a unit is judged as such, with the marks that stand in it.
    const isLong = (start: number, end: number) => long.some(([from, to]) => from <= start && end <= to);
    const unnamed = quantities.filter(
      (quantity) =>
        quantity.telling && !this.#names(quantity) && (quantity.unit !== null || !isLong(quantity.start, quantity.end)),
    );
    const unsaid = spelled.filter(({ value, start, end }) => !this.#numbers.has(value) && !isLong(start, end));
    const strange = sums.filter(({ unit, value }) => !this.#money.has(`${unit} ${value}`));
    return [...unnamed, ...unsaid, ...strange].map(({ text }) => text.trim());
  }

  /** Whether a number with marks in it is an amount that a source names: "120 000" where it says "120,000". */
  has(number: string): boolean {
    return quantitiesOf(number).some((quantity) => quantity.text.length === number.length && this.#names(quantity));
  }

  #names({ unit, value }: Pick<Quantity, "unit" | "value">): boolean {
    if (unit === "%") return this.#shares.has(value);
    return unit === null ? this.#numbers.has(value) : this.#money.has(`${unit} ${value}`);
  }
}

/** Days, times of day, links and addresses hold figures that are no amounts. */
const PLACES = new RegExp(
  `${EMAIL.source}|${URL_LIKE.source}|(?<!\\d)(?:\\d{1,2}([./-])\\d{1,2}\\1\\d{2,4}|\\d{4}-\\d{2}-\\d{2}|\\d{1,2}:\\d{2}(?::\\d{2})?)(?!\\d)`,
  "giu",
);
const withoutPlaces = (text: string): string =>
  text.replace(PLACES, (place) =>
    /^[\d./:-]+$/.test(place) || place.includes("@") || isLink(place) || /^\p{L}/u.test(place) ? " ; " : place,
  );
const SHORTEST_SECRET_CHARS = 4;
/** Fewer letters in a row are found in what was said by chance, once its blanks are gone. */
const SHORTEST_HEARD_CHARS = 6;
/** As many words in a row are not the same by chance. */
const COPIED_WORDS = 6;
/** Variables that are there to be written into mail. */
const MEANT_FOR_MAIL =
  /(?:^|\.)(?:name|first_name|signature|title|company|city|language|tone|greeting|sign_off|formality|words)$/i;

/** What the user keeps for themselves and did not say into this draft. */
function disclosures(
  body: string,
  { thread, instructions, variables, private_texts }: AllowedSources,
  numbers: Numbers,
  [inThread, inInstructions]: readonly Numbers[],
): string[] {
  const reasons: string[] = [];
  const said = sameCharacters(visible(`${thread}\n${instructions}`)).toLowerCase();
  const said_squashed = squashed(said);
  const isAskedFor = namedBy(instructions);
  const lower_body = body.toLowerCase();
  const telling = new Telling(body);
  const told = new Told([numbers], backwardsIn(numbers.text));
  const days = new Days(body, said);
  const saidNumbers = new Told([inThread!, inInstructions!]);
  const wasSaid = (bare: string, letters: string) =>
    said.includes(bare) || (letters.length >= SHORTEST_HEARD_CHARS && said_squashed.includes(letters));
  for (const [key, value] of Object.entries(variables)) {
    const bare = sameCharacters(value).trim().toLowerCase();
    const letters = squashed(bare);
    if (MEANT_FOR_MAIL.test(key) || isAskedFor(key)) continue;
    const spelled = bare.length >= SHORTEST_SECRET_CHARS && lower_body.includes(bare);
    const secret = secretNumbers(bare);
    const unsaid = secret.filter((number) => !saidNumbers.tells(number));
    const wasHeard = wasSaid(bare, letters) || (secret.length > 0 && unsaid.length === 0);
    const isTold = spelled || telling.tells(value.trim()) || telling.tellsPart(value, said_squashed);
    if ((isTold && !wasHeard) || unsaid.some((number) => told.tells(number)) || days.tell(bare))
      reasons.push(`The draft reveals the value of the variable ${key}, which no one asked for.`);
  }
  const words = wordsOf(body);
  const heard = private_texts.length > 0 ? new Set(runs(wordsOf(said))) : new Set<string>();
  for (const { name, text } of private_texts) {
    const kept = new Set(runs(wordsOf(text)));
    if (runs(words).some((run) => kept.has(run) && !heard.has(run)))
      reasons.push(`The draft copies text from ${name}.`);
    const codes = codesIn(text).filter((code) => !wasSaid(code.toLowerCase(), squashed(code)));
    if (codes.some((code) => telling.tells(code))) reasons.push(`The draft reveals a number or a code from ${name}.`);
  }
  return reasons;
}

/** The days of a draft, read the way it is written and backwards, and those that were said. */
class Days {
  #told: ReadonlySet<string> | null = null;
  #heard: ReadonlySet<string> | null = null;

  constructor(
    private readonly body: string,
    private readonly said: string,
  ) {}

  /** Whether the draft tells a day that a variable keeps, and that was not said. */
  tell(value: string): boolean {
    const kept = [...daysIn(value)];
    if (kept.length === 0) return false;
    this.#told ??= new Set([...daysIn(this.body), ...daysIn(backwards(this.body))]);
    const told = kept.filter((day) => this.#told!.has(day));
    if (told.length === 0) return false;
    this.#heard ??= daysIn(this.said);
    return told.some((day) => !this.#heard!.has(day));
  }
}

/** Fewer digits without a unit are found in any mail. */
const SHORTEST_NUMBER_DIGITS = 3;

/** The numbers of a variable that are worth keeping: all of it, or an amount within it. */
function secretNumbers(value: string): Quantity[] {
  const all = quantitiesOf(value);
  const alone = all.length === 1 && all[0]!.text.trim().length === value.length ? all[0]! : null;
  if (alone && alone.unit === null)
    return alone.digits.length >= SHORTEST_NUMBER_DIGITS || alone.value % 1 !== 0 ? [alone] : [];
  return all.filter(({ telling }) => telling);
}

/** "ninety-five euros fifty" and "95 EUR and 50 cents". */
function withCents(text: string, quantities: readonly Quantity[]): number[] {
  return quantities.flatMap(({ start, value }, i) => {
    const before = quantities[i - 1];
    if (!before || before.unit === null || before.unit === "%" || value % 1 !== 0 || value >= 100) return [];
    return /^\s?(?:(?:and|und|et|y|con|e|en) )?$/i.test(text.slice(before.end, start))
      ? [rounded(before.value + value / 100)]
      : [];
  });
}

/** Shares and large numbers in words that are written backwards, letter by letter or word by word. */
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

/** What a text says in numbers. */
class Told {
  readonly #shares: ReadonlySet<number>;
  readonly #numbers: ReadonlySet<number>;
  /** Numbers that may stand for a share: no word behind them says what they count. */
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

  tells({ unit, value }: Quantity): boolean {
    if (unit === "%")
      return this.#shares.has(value) || this.#loose.has(value) || this.#numbers.has(rounded(value / 100));
    return this.#numbers.has(value) || (value < 1 && this.#shares.has(rounded(value * 100)));
  }
}

/** Passwords, access codes, contract numbers: words of six characters at least with a figure in them that are no day or time. */
const CODE = /(?<![\p{L}\p{N}])(?=[^\s\d]{0,40}\d)[\p{L}\p{N}][^\s,;"'()<>“”]{4,60}[\p{L}\p{N}]/gu;
const TIME = /^\d{1,2}[:.]\d{2}(?:-\d{1,2}[:.]\d{2}|[ap]m)?$/i;
const MOST_CODES = 500;

function codesIn(text: string): string[] {
  const found = (sameCharacters(visible(text)).match(CODE) ?? []).slice(0, MOST_CODES);
  return [...new Set(found)].filter((code) => !DATE.test(code) && !TIME.test(code));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function runs(words: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i + COPIED_WORDS <= words.length; i++) found.push(words.slice(i, i + COPIED_WORDS).join(" "));
  return found;
}

/** Links in a text, without the full stop behind them. */
function linksOf(text: string): string[] {
  return (text.match(URL_LIKE) ?? []).map((link) => link.replace(/[.,;:!?)\]]+$/, "")).filter(isLink);
}

/** "acme.com" is a link to every mail program; "e.g", "report.pdf" and "end.Next", a forgotten blank, are none. */
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

/** One spelling of a link: case and a last slash say nothing. */
const linkKey = (link: string): string =>
  lower(link)
    .replace(/^https?:\/\//, "")
    .replace(/^www\./, "")
    .replace(/\/+$/, "");
const lower = (text: string): string => text.toLowerCase();
const digits = (text: string): string => text.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
const short = (text: string): string => (text.length > 80 ? `${text.slice(0, 80)}…` : text);
