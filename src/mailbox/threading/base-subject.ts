/**
 * Base subjects: what is left of a subject without reply and forward markers and mailing-list tags. Two messages of one
 * conversation have the same base subject, no matter which mail programs they passed through.
 */

/** A base subject. `base` is for comparing, not for display: lower case, white space collapsed. */
export interface BaseSubject {
  base: string;
  /** The outermost marker is a reply marker: "Re: Fwd: x" is a reply. */
  isReply: boolean;
  /**
   * The outermost marker is a forward marker: "Fwd: Re: x", "[Fwd: x]" and "x (fwd)" are forwards. Never set together
   * with `isReply`.
   */
  isForward: boolean;
}

type Marker = "reply" | "forward";

interface Grammar {
  /**
   * Matches tags and one marker at the start. Group 1 holds the tags, 2 the word of the marker, 3 a tag inside the
   * marker.
   */
  leader: RegExp;
  kind(word: string): Marker;
  /** Returns whether to keep a removed tag because it distinguishes conversations, such as a ticket number. */
  keepsTag(tag: string): boolean;
}

/** Longer subjects are cut, so that the work is bounded. In real subjects, nothing beyond this length matters. */
const MAX_LENGTH = 2000;
const TAG = /^\[[^[\]]*\] */;

/**
 * Markers that mail programs write, by language: reply words first, then forward words, all lower case and NFKC. "vs"
 * is "vastaus" (a reply) in Finnish and Estonian and "videresendt" (a forward) in Danish and Norwegian. It counts as a
 * reply, because `subjectLink` links a reply only if the messages share a participant as well.
 */
const REPLY_WORDS = [
  ...["re", "reply", "aw", "antw", "antwort", "antwoord", "sv", "svar", "vs", "r", "rif", "res", "resp", "rép"],
  ...[
    "odp",
    "odpověď",
    "odpoveď",
    "odg",
    "vá",
    "válasz",
    "ynt",
    "yanıt",
    "cevap",
    "atb",
    "ats",
    "bls",
    "balas",
    "tl",
    "trả lời",
  ],
  ...["απ", "απάντηση", "σχετ", "ответ", "отв", "на", "відп", "відповідь", "отг", "отговор", "одг"],
  ...["回复", "回覆", "答复", "答覆", "返信", "회신", "답장", "رد", "תגובה", "השב", "ตอบกลับ", "ตอบ"],
];
const FORWARD_WORDS = [
  ...[
    "fwd",
    "fw",
    "forward",
    "forwarded",
    "wg",
    "weitergeleitet",
    "tr",
    "transf",
    "rv",
    "renv",
    "reenv",
    "reenviado",
    "i",
    "inoltro",
  ],
  ...[
    "doorst",
    "doorgestuurd",
    "vb",
    "vl",
    "fs",
    "ed",
    "enc",
    "pd",
    "przek",
    "továbbítás",
    "továbbítva",
    "ilt",
    "i̇lt",
    "yml",
  ],
  ...["prosl", "posr", "pārs", "pers", "trs", "ct", "πρθ", "пересл", "переслать", "пер", "прпр", "препр", "проследено"],
  ...["转发", "轉寄", "轉發", "転送", "전달", "إعادة توجيه", "הועבר", "ส่งต่อ", "chuyển tiếp"],
];

const RFC5256: Grammar = {
  leader: /^((?:\[[^[\]]*\] *)*)(re|fwd?) *(\[[^[\]]*\] *)?:/,
  kind: (word) => (word === "re" ? "reply" : "forward"),
  keepsTag: () => false,
};

const replies = new Set(REPLY_WORDS);
const words = [...REPLY_WORDS, ...FORWARD_WORDS].sort((a, b) => b.length - a.length).join("|");

const EXTENDED: Grammar = {
  // "Re[2]:", "Re(3):" and "Re^2:" count replies; "RE :" is French typography.
  leader: new RegExp(`^((?:\\[[^[\\]]*\\] *)*)(${words})(?:\\[\\d+\\]|\\(\\d+\\)|\\^\\d+)? *(\\[[^[\\]]*\\] *)?:`),
  kind: (word) => (replies.has(word) ? "reply" : "forward"),
  // "[#1234]", "[Ticket 1234]" and "[ABC-12]" name one conversation; "[list]" and the list counter "[list:00123]" do
  // not.
  keepsTag: (tag) => /(?:^|[\s#-])\d+$/.test(tag),
};

/** Applies steps 2 to 6 of RFC 5256 §2.1 to a subject that is already in lower case with single spaces. */
function strip(subject: string, grammar: Grammar): { base: string; marker: Marker | null; tags: string[] } {
  let rest = subject.trim();
  let marker: Marker | null = null;
  let trailing = false;
  const tags = new Set<string>();
  const drop = (text: string | undefined) => {
    for (const [, tag = ""] of (text ?? "").matchAll(/\[([^[\]]*)\]/g))
      if (grammar.keepsTag(tag.trim())) tags.add(tag.trim());
  };

  for (;;) {
    while (rest.endsWith("(fwd)")) {
      rest = rest.slice(0, -5).trimEnd();
      trailing = true;
    }
    for (;;) {
      rest = rest.trimStart();
      const leader = grammar.leader.exec(rest);
      if (leader) {
        marker ??= grammar.kind(leader[2] ?? "");
        drop(leader[1]);
        drop(leader[3]);
        rest = rest.slice(leader[0].length);
        continue;
      }
      const tag = TAG.exec(rest)?.[0];
      if (tag === undefined || tag.length === rest.length) break;
      drop(tag);
      rest = rest.slice(tag.length);
    }
    if (!(rest.startsWith("[fwd:") && rest.endsWith("]"))) break;
    rest = rest.slice(5, -1).trim();
    marker ??= "forward";
  }
  return { base: rest, marker: marker ?? (trailing ? "forward" : null), tags: [...tags] };
}

/**
 * Returns the base subject exactly as RFC 5256 §2.1 defines it: only "re", "fw" and "fwd" are markers, and every
 * leading "[tag]" is removed. `subject` is decoded text (RFC 2047). A subject that contains U+0000, which no header may
 * contain, has an empty base.
 */
export function baseSubjectRfc5256(subject: string): BaseSubject {
  const text = subject
    .slice(0, MAX_LENGTH)
    .replace(/[ \t\r\n]+/g, " ")
    .toLowerCase();
  const { base, marker } = strip(text, RFC5256);
  return { base: base.includes("\0") ? "" : base, isReply: marker === "reply", isForward: marker === "forward" };
}

/**
 * Returns the base subject by RFC 5256 §2.1, extended for the mail programs in use: localized markers count as well,
 * full-width forms equal plain ones, invisible characters are ignored, and a ticket number in brackets is kept (in
 * front), because it names the conversation. `subject` is decoded text. Never throws.
 */
export function baseSubject(subject: string): BaseSubject {
  // Threading requests the base of the same subject several times in a row.
  if (latest?.subject !== subject) latest = { subject, base: readBaseSubject(subject) };
  return latest.base;
}

let latest: { subject: string; base: Readonly<BaseSubject> } | null = null;

function readBaseSubject(subject: string): BaseSubject {
  const text = subject
    .slice(0, MAX_LENGTH)
    .normalize("NFKC")
    .replace(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .toLowerCase();
  const { base, marker, tags } = strip(text, EXTENDED);
  const named = tags.sort().map((tag) => `[${tag}]`);
  return { base: [...named, base].join(" ").trim(), isReply: marker === "reply", isForward: marker === "forward" };
}
