import ICAL from "ical.js";

/** One person in an address book. */
export interface Card {
  name: string;
  emails: string[];
  note: string;
}

const LONGEST_NOTE_CHARS = 10_000;
const MAX_ADDRESSES = 20;

/**
 * Reads an address book: vCard 3.0 (RFC 2426), 4.0 (RFC 6350) and the older 2.1 that phones export, one or many in a
 * file. Never throws.
 * @returns the cards, at most `most`, and how many could not be read
 */
export function readVcards(text: string, most: number): { cards: Card[]; unreadable: number } {
  const cards: Card[] = [];
  let unreadable = 0;
  // Parsed card by card, so a broken one affects only itself.
  for (const block of blocksOf(text)) {
    if (cards.length + unreadable >= most) break;
    try {
      cards.push(readCard(block));
    } catch {
      unreadable++;
    }
  }
  return { cards, unreadable };
}

/**
 * Yields the cards of a file as text; one that does not end affects only itself. Works line by line, because files may
 * be large and are not trusted.
 */
function* blocksOf(text: string): Generator<string> {
  const lineEnds = /\r\n|\n|\r/g;
  let begin: number | null = null;
  for (let at = 0; at < text.length; ) {
    const found = lineEnds.exec(text);
    const line = text.slice(at, found?.index ?? text.length);
    const end = found ? lineEnds.lastIndex : text.length;
    if (BEGIN.test(line)) begin = at;
    else if (begin !== null && END.test(line)) {
      yield text.slice(begin, end);
      begin = null;
    }
    at = end;
  }
}

const BEGIN = /^\ufeff?BEGIN:VCARD[ \t]*$/i;
const END = /^END:VCARD[ \t]*$/i;

function readCard(block: string): Card {
  const lines = block.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const source = /^VERSION:2\.1[ \t]*$/im.test(lines) ? modernise(lines) : lines;
  const card = new ICAL.Component(ICAL.parse(source) as unknown as string);
  const first = (name: string) => textOf(card.getFirstPropertyValue(name));
  const emails = card
    .getAllProperties("email")
    .map((property) =>
      textOf(property.getFirstValue())
        .replace(/^mailto:/i, "")
        .trim(),
    )
    .filter(Boolean);
  return {
    name: first("fn").trim() || nameOf(card.getFirstPropertyValue("n")),
    emails: [...new Set(emails)].slice(0, MAX_ADDRESSES),
    note: first("note").trim().slice(0, LONGEST_NOTE_CHARS),
  };
}

/** Builds a name from N: family name, given name, additional names, titles (RFC 6350 §6.2.2). */
function nameOf(value: unknown): string {
  const parts = Array.isArray(value) ? value.map(String) : textOf(value).split(";");
  return [parts[1], parts[2], parts[0]].filter(Boolean).join(" ").trim();
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : String(value);
}

/** Converts vCard 2.1, which has parameters without names, and quoted-printable text with soft line breaks. */
function modernise(block: string): string {
  return joinedLines(block)
    .map((line) => {
      const match = /^([^:;]+)((?:;[^:]*)?):(.*)$/s.exec(line);
      if (!match) return line;
      const [, name, parameters, value] = match as unknown as [string, string, string, string];
      const given = parameters.split(";").filter(Boolean);
      const quoted = given.some((parameter) => /(?:^|=)QUOTED-PRINTABLE$/i.test(parameter));
      const charset = given.find((parameter) => /^CHARSET=/i.test(parameter))?.slice("CHARSET=".length);
      const kept = given
        .filter((parameter) => !/QUOTED-PRINTABLE|^CHARSET=|^ENCODING=/i.test(parameter))
        .map((parameter) => (parameter.includes("=") ? parameter : `TYPE=${parameter}`));
      const decoded = quoted ? decodeQuoted(value, charset).replace(/\r?\n/g, "\\n") : value;
      return `${[name, ...kept].join(";")}:${decoded}`;
    })
    .join("\r\n");
}

/**
 * Returns the lines with the soft line breaks of quoted-printable text removed (RFC 2045 §6.7); a base64 photo may end
 * in "=", too.
 */
function joinedLines(block: string): string[] {
  const joined: string[] = [];
  let soft = false;
  for (const line of block.split("\n")) {
    if (soft) joined.push(`${joined.pop()!.slice(0, -1)}${line}`);
    else joined.push(line);
    soft = line.endsWith("=") && (soft || /^[^:]*;[^:]*QUOTED-PRINTABLE[^:]*:/i.test(line));
  }
  return joined;
}

function decodeQuoted(value: string, charset = "utf-8"): string {
  const bytes = Buffer.from(
    value.replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1",
  );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}
