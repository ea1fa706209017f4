/**
 * Base subjects: what is left of a subject once reply and forward markers and mailing-list tags are gone.
 * Two messages of one conversation have the same base subject, whatever mail programs they passed through.
 */

/** A base subject. `base` is for comparing, not for showing: lower case, white space collapsed. */
export interface BaseSubject {
  base: string;
  /** The outermost marker says reply: "Re: Fwd: x" is a reply. */
  isReply: boolean;
  /**
   * The outermost marker says forward: "Fwd: Re: x", "[Fwd: x]" and "x (fwd)" are forwards. Never together with
   * `isReply`.
   */
  isForward: boolean;
}

type Marker = "reply" | "forward";

interface Grammar {
  /**
   * Matches tags and one marker at the start; group 1 holds the tags, 2 the marker's word, 3 a tag inside the marker.
   */
  leader: RegExp;
  kind(word: string): Marker;
  /** Collects a removed tag that tells conversations apart, such as a ticket number. */
  keepsTag(tag: string): boolean;
}

/** Longer subjects are cut: nothing in a real subject's tail past this decides anything, and work stays bounded. */
const MAX_LENGTH = 2000;
const TAG = /^\[[^[\]]*\] */;

/**
 * Markers that mail programs write, by language. Reply words first, then forward words, all lower case and NFKC. "vs"
 * is "vastaus" (a reply) in Finnish and Estonian and "videresendt" (a forward) in Danish and Norwegian: it counts as
 * a reply, because what follows from that (`subjectLink`) asks for a shared participant as well.
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
  // "[#1234]", "[Ticket 1234]" and "[ABC-12]" name one matter; "[list]" and the list counter "[list:00123]" do not.
  keepsTag: (tag) => /(?:^|[\s#-])\d+$/.test(tag),
};

/** Steps 2 to 6 of RFC 5256 §2.1 over a subject that is already in lower case with single spaces. */
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
 * RFC 5256 §2.1 to the letter: only "re", "fw" and "fwd" mark, and every leading "[tag]" goes.
 * `subject` is decoded text (RFC 2047 done). A subject that holds U+0000, which no header may, has an empty base.
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
 * RFC 5256 §2.1 as the world's mail programs need it: their localised markers count as well, full-width forms equal
 * plain ones, invisible characters do not matter, and a ticket number in brackets stays (in front), because it names
 * the conversation. `subject` is decoded text. Never throws.
 */
export function baseSubject(subject: string): BaseSubject {
  // Threading asks for the same subject several times in a row.
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
