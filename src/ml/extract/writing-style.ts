/** The writing style of a person, measured from mail that they sent. */
export interface WritingStyle {
  /**
   * {name} is the recipient's first name: "Hi {name},". Null if the person uses no greeting. Measured for one recipient,
   * it is the greeting as the person writes it: "Hi Mum,".
   */
  greeting: string | null;
  /** For example "Best regards,"; null if the person uses none. */
  sign_off: string | null;
  /** The name below the sign-off. */
  name: string | null;
  formality: "formal" | "neutral" | "informal";
  /** ISO 639-1 of most of their mail; null if unknown. */
  language: string | null;
  /** Median number of words per message. */
  words: number;
  /** Number of messages measured. */
  samples: number;
}

/** A message that the person sent, without quotes of others. */
export interface SentText {
  text: string;
  language: string | null;
  /** First names of the recipients, as the headers spell them. */
  recipients: readonly string[];
}

const GREETING =
  /^(?:hi(?:ya)?|hey|hello|hej|hee|hoi|hallo|halli|moin|servus|grüezi|grüß (?:gott|dich)|dear|good (?:morning|afternoon|evening)|morning|guten (?:tag|morgen|abend)|liebe[rs]?|lieve|sehr geehrte[rs]?|bonjour|salut|coucou|ch[eè]re?s?|bonsoir|madame|monsieur|hola|buen[oa]s(?: d[ií]as| tardes| noches)?|estimad[oa]s?|querid[oa]s?|ciao|buongiorno|buonasera|salve|gentil[ei](?:ssim[oa])?|egregi[oa]|car[oaie]|beste|geachte|goede(?:morgen|middag|navond|ndag)|ol[aá]|oi|prezad[oa]s?|exm[oa]|bo[am] (?:dia|tarde|noite))(?!\p{L})(?:[^.?!\n]|(?<=\b(?:sra?|dra?|dott|ssa|sig|ra|mrs?|ms|prof|mme|d|m))\.){0,60}[!.]?$/iu;
const SIGN_OFF =
  /^(?:(?:kind|best|warm|many|with (?:kind|best)) (?:regards|wishes|thanks)|(?:best|regards|cheers|thanks|thank you|thx|sincerely|yours(?: sincerely| truly| faithfully)?|all the best|take care|love|talk soon|see you|warmly|ciao|xo+|lots of love|liefs|beijinhos|beijos|un b(?:acio|eso)|bacioni?|bisous|à bientôt|bien amicalement|atentamente|a(?:tt|d presto)|tot (?:snel|dan)|(?:mit )?(?:freundlichen|besten|herzlichen|liebe[n]?|viele[n]?|beste|herzliche|freundliche) gr[uü](?:ß|ss)e?n?|lg|mfg|vg|gru(?:ß|ss)|cordialement|bien cordialement|bien à vous|amicalement|bises|cordiales? saludos|un (?:cordial )?saludo|saludos(?: cordiales)?|un abrazo|cordiali saluti|distinti saluti|un saluto|saluti|a presto|met vriendelijke groet(?:en)?|groet(?:en|jes)?|mvg|abra[cç]os?|atenciosamente|cumprimentos|merci|danke|gracias|grazie|obrigad[oa]))[,.!]?$/iu;
const FORMAL =
  /^(?:dear (?:mr|mrs|ms|dr|prof|sir|madam)|sehr geehrte|estimad|gentile|geachte|prezad|madame|monsieur)|\b(?:kind regards|yours (?:sincerely|faithfully)|sincerely|mit freundlichen grüßen|cordialement|distinti saluti|met vriendelijke groet|atenciosamente)\b/iu;
const INFORMAL =
  /^(?:hey|yo|hi all|hej|hoi|salut|ciao)\b|\b(?:cheers|thx|lol|haha|btw|gonna|xx|lg|bises|un abrazo|talk soon)\b|[\u{1f300}-\u{1faff}]|[:;]-?[)D]/iu;
const NAME_LINE = /^\p{Lu}[\p{L}'’.-]{1,20}(?: \p{Lu}[\p{L}'’.-]{0,20}){0,2}$/u;
const SHARE = 0.3;

interface Marks {
  greeting: string | null;
  /** The greeting as it is written, with the name. */
  line: string | null;
  sign_off: string | null;
  name: string | null;
}

/** Style features of one message. */
export interface MessageStyle extends Marks {
  language: string | null;
  words: number;
  /** 1 for informal, -1 for formal, 0 for neither or both. */
  tone: number;
}

/**
 * Returns the writing style that most of these messages share. A feature that is not frequent enough is null. Returns
 * null without messages.
 */
export function measureWritingStyle(sent: readonly MessageStyle[]): WritingStyle | null {
  if (sent.length === 0) return null;
  const least = Math.max(1, sent.length * SHARE);
  const usual = (field: keyof Marks) =>
    mostFrequent(
      sent.map((manner) => manner[field]),
      least,
    );
  // A title belongs to a name, so it greets no one else: "Dear Mr {name},".
  const greeting = mostFrequent(
    sent.map((manner) => (manner.greeting !== null && TITLE.test(manner.greeting) ? null : manner.greeting)),
    least,
  );
  const lengths = sent.map(({ words }) => words).sort((a, b) => a - b);
  const tone = sent.reduce((sum, manner) => sum + manner.tone, 0);
  return {
    greeting: greeting ?? usual("greeting"),
    sign_off: usual("sign_off"),
    name: usual("name"),
    formality: tone > sent.length * 0.2 ? "informal" : tone < -sent.length * 0.2 ? "formal" : "neutral",
    language: mostFrequent(
      sent.map(({ language }) => language),
      1,
    ),
    words: lengths[Math.floor(lengths.length / 2)]!,
    samples: sent.length,
  };
}

/** Whether a greeting has a title, which fits only the person it was written to. */
export const TITLE =
  /(?<!\p{L})(?:herrn?|frau|mrs?|ms|dr|prof|sir|madam|madame|monsieur|mme|sra?|señora?|don|doña|sig(?:\.|\.ra|nora?)?|dott(?:\.|\.ssa|oressa|ore)?|senhora?|heer|mevrouw|meneer)(?!\p{L})/iu;

/** Returns how a person writes to one recipient: the greeting is the usual one, as it is written. Null without mail. */
export function measureForOne(sent: readonly MessageStyle[]): WritingStyle | null {
  const style = measureWritingStyle(sent);
  const usual = (field: keyof Marks) =>
    mostFrequent(
      sent.map((manner) => manner[field]),
      1,
    );
  return style && { ...style, greeting: usual("line"), sign_off: usual("sign_off"), name: usual("name") };
}

/** Extracts the style features of one message. */
export function messageStyle({ text, language, recipients }: SentText): MessageStyle {
  return {
    ...marksOf(text, recipients),
    language,
    words: text.split(/\s+/).filter(Boolean).length,
    tone: Number(lineWith(text, INFORMAL)) - Number(lineWith(text, FORMAL)),
  };
}

const LONGEST_MARK_WORDS = 5;

/** Whether a line before the name at the end closes the message: "Lots of love". */
const closes = (line: string | undefined): line is string =>
  line !== undefined &&
  line.split(/\s+/).length <= LONGEST_MARK_WORDS &&
  /^\p{L}[^\d?:;@/]*$/u.test(line) &&
  !/[.?]$/.test(line);

/** Whether a first line greets a recipient by name: "Servus Bob!" */
function greetsByName(line: string, recipients: readonly string[]): boolean {
  if (!/[,:!]$/.test(line) || line.split(/\s+/).length > LONGEST_MARK_WORDS) return false;
  return recipients.some((name) => name.length > 1 && line.toLowerCase().includes(name.toLowerCase()));
}

/** Returns the greeting, sign-off and name of one message, with {name} in place of the recipient's name. */
function marksOf(text: string, recipients: readonly string[]): Marks {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const [first] = lines;
  const greets = first !== undefined && (GREETING.test(first) || greetsByName(first, recipients));
  const greeting = greets ? withoutName(first, recipients) : null;
  const from = Math.max(1, lines.length - 5);
  const known = lines.findLastIndex((line, i) => i >= from - 1 && SIGN_OFF.test(line));
  const last = lines.at(-1);
  const isName = last !== undefined && lines.length > 1 && NAME_LINE.test(last) && !SIGN_OFF.test(last);
  // A blank line separates a closing from the text: "Lots of love" is one, "See you on Monday then" of a short text is not.
  const before = lines.at(-2);
  const apart =
    before !== undefined && new RegExp(`\\n\\s*\\n[ \\t]*${escaped(before)}\\s*\\n`, "u").test(`\n\n${text}`);
  const at = known >= 0 ? known : isName && lines.length > 2 && apart && closes(before) ? lines.length - 2 : -1;
  const below = at >= 0 ? lines[at + 1] : last;
  const named =
    below !== undefined &&
    lines.length > 1 &&
    (NAME_LINE.test(below) || (at >= 0 && at + 2 === lines.length && /^\p{Ll}[\p{L}'’-]{0,14}$/u.test(below))) &&
    !SIGN_OFF.test(below);
  return { greeting, line: greets ? first : null, sign_off: at >= 0 ? lines[at]! : null, name: named ? below : null };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function withoutName(line: string, recipients: readonly string[]): string | null {
  for (const name of recipients) {
    // Whole words only: "Guten Tag" does not name Ute.
    const at = name === "" ? -1 : line.search(new RegExp(`(?<!\\p{L})${escaped(name)}(?!\\p{L})`, "iu"));
    if (at >= 0) return `${line.slice(0, at)}{name}${line.slice(at + name.length)}`;
  }
  // "Hi all," addresses everyone; "Hi Bob," may address someone whose name in the headers differs.
  return line.split(/\s+/).length <= 1 ||
    /\b(?:all|everyone|team|folks|there|zusammen|tous|todos|tutti|allemaal)\b/i.test(line)
    ? line
    : line.replace(/\s\p{Lu}[\p{L}'’-]+(?=[,!]?$)/u, " {name}");
}

function mostFrequent<T extends string>(values: readonly (T | null)[], least: number): T | null {
  const counts = new Map<T, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort((a, b) => b[1] - a[1]);
  return first && first[1] >= least ? first[0] : null;
}

const lineWith = (text: string, pattern: RegExp): boolean => text.split("\n").some((line) => pattern.test(line.trim()));
