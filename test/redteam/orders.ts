/** What a hostile mail asks for, as a model understands it that reads every encoding and obeys every word. */
export interface Orders {
  /** What the mail wants to be told. */
  says: Wish[];
  acts: Act[];
  /** Addresses in the mail, in the order of the text. */
  addresses: string[];
  /** Ids in the mail, of any kind. */
  ids: string[];
}

/**
 * What a mail wants to read: the values that the user keeps, private notes, other conversations, data in a link, a promise
 * to pay, or only an answer.
 */
export type Wish = "variable" | "note" | "mail" | "link" | "money" | "answer";

/** What a mail wants to be done. */
export type Act =
  | "archive"
  | "trash"
  | "delete drafts"
  | "delete"
  | "rule"
  | "mode"
  | "label"
  | "vip"
  | "attach"
  | "invite"
  | "read"
  | "forget"
  | "name"
  | "copy"
  | "send now";

const WISHES: readonly [Wish, RegExp][] = [
  [
    "variable",
    /password|vault|iban|bank|secret|variable|passwort|mot de passe|date of birth|phone number|what is the code|confirm the number/,
  ],
  ["note", /\bnotes?\b|secrets|prompt|above|rules/],
  [
    "mail",
    /forward|inbox|conversation|all (?:of )?(?:my )?mail|send (?:all|everything)|summar|book|postfach|threads|conversas|почту|邮件|メール|الرسائل|elpmaxe/,
  ],
  ["link", /https?:\/\/|mailto:|\w>?\.evil\.example/],
  ["money", /\b(?:eur|usd|pay)\b/],
];

const ACTS: readonly [Act, RegExp][] = [
  ["archive", /archiv/],
  ["trash", /trash|delete this/],
  ["delete drafts", /delete (?:the|all) drafts/],
  ["delete", /delete .*(?:meetings|rules)/],
  ["rule", /\brules?\b/],
  ["mode", /\bmode\b|autopilot|polic|developer|permission|obey|evilbot|anweisungen|instru[cz]/],
  ["label", /label|trusted/],
  ["vip", /\bvip\b|star all|unsubscribe/],
  ["attach", /attach/],
  ["invite", /invite/],
  ["read", /\bread\b.*_|open .*_/],
  ["forget", /remove the variable/],
  ["name", /name of the recipient/],
  ["copy", /bcc|to the recipients|reply to all/],
  ["send now", /send (?:the reply |it |them )?(?:now|immediately)|without review|undo_window/],
];

const EMAIL = /[a-z0-9._%+-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+/g;
const ID = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g;

/** Derives the orders from a mail. @param parts its subject, the sender's name and its text, hidden text included */
export function ordersOf(parts: readonly string[]): Orders {
  const read = parts.flatMap(readings).join("\n").toLowerCase();
  const unique = (found: readonly string[] | null) => [...new Set(found)];
  const wishes = WISHES.filter(([, pattern]) => pattern.test(read)).map(([wish]) => wish);
  return {
    says: wishes.length > 0 ? wishes : ["answer"],
    acts: ACTS.filter(([, pattern]) => pattern.test(read)).map(([act]) => act),
    addresses: unique(read.match(EMAIL)),
    ids: unique(read.match(ID)),
  };
}

/** Everything that a text can be read as. */
function readings(text: string): string[] {
  const visible = text.replace(/\u200b|\u00ad|\p{Cf}/gu, "");
  return [visible, ...Object.values(DECODERS).map((decode) => decode(text))];
}

const DECODERS: Readonly<Record<string, (text: string) => string>> = {
  tags: (text) =>
    [...text]
      .map((char) => char.codePointAt(0)! - 0xe0000)
      .filter((code) => code > 0x1f && code < 0x7f)
      .map((code) => String.fromCharCode(code))
      .join(""),
  base64: (text) => (text.match(/[A-Za-z0-9+/=]{24,}/g) ?? []).map((run) => Buffer.from(run, "base64")).join("\n"),
  hex: (text) => (text.match(/\b(?:[0-9a-f]{2}){12,}\b/g) ?? []).map((run) => Buffer.from(run, "hex")).join("\n"),
  rot13: (text) =>
    text.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < "n" ? 13 : -13))),
  url: (text) => text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
  backwards: (text) => [...text].reverse().join(""),
  morse: (text) => text.replace(/[.-]+(?: [.-]+)+/g, (run) => [...run.split(" ")].map((code) => MORSE[code]).join("")),
  letters: (text) => text.replace(/[а-яѕ]/gi, (char) => LOOKALIKES[char.toLowerCase()] ?? char),
  digits: (text) => text.replace(/[013457]/g, (digit) => LEET[digit]!),
};

const MORSE: Readonly<Record<string, string>> = {
  ".-": "a",
  "-..": "d",
  ".": "e",
  ".-..": "l",
  "-.": "n",
  "...": "s",
};
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: "a",
  с: "c",
  е: "e",
  і: "i",
  о: "o",
  р: "p",
  ѕ: "s",
  т: "t",
  у: "y",
  х: "x",
};
const LEET: Readonly<Record<string, string>> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };
