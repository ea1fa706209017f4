/** What an instruction wants the draft to do. `text` is the rest of the instruction, in the language it was given in. */
export interface Act {
  kind: ActKind;
  text: string;
}

export type ActKind =
  /** Passes on a statement: a main clause. */
  | "tell"
  /** Complains: a statement or a thing. */
  | "complain"
  /** Offers to do something: an infinitive. */
  | "glad"
  /** Asks to be allowed or given something: an infinitive of the user's. */
  | "may"
  /** Passes on a statement: a subordinate clause, as it follows "that" in German and Dutch. */
  | "that"
  /** Asks whether something is so: the clause after "whether". */
  | "whether"
  /** Asks for a fact: the clause with its question word. */
  | "which"
  /** Asks the reader to do something: an infinitive with what belongs to it. */
  | "do"
  /** Asks for a thing. */
  | "have"
  /** Asks about a thing. */
  | "about"
  | "thank"
  | "accept"
  | "decline"
  | "confirm"
  | "propose"
  | "sorry"
  /** Apologizes: a subordinate clause. */
  | "sorryThat"
  | "congratulate"
  | "wish"
  | "invite"
  /** Announces what the user does: an infinitive with what belongs to it. */
  | "will"
  /** Says how to write, not what. */
  | "manner"
  /** Names a subject, but not what to say about it. */
  | "vague";

/** The person or people that a draft is for, as its sentences address them. */
export interface Reader {
  /** Whether they are addressed formally: "Sie", "vous", "usted". */
  formal: boolean;
  /** Whether they are addressed as several. */
  several: boolean;
  /** How the instructions refer to them: "him", "her", "them"; null if they do not say. */
  sex: "m" | "f" | "p" | null;
  /** Their names, as words. */
  names: readonly string[];
  /** Whether "tu" is used in Portuguese; otherwise "você". */
  tu: boolean;
}

/** A pattern at the start of an instruction. The group `x`, or else what follows the match, is the act's text. */
type ActPattern = readonly [pattern: RegExp, kind: ActKind];

/** How instructions are given, and sentences are written, in one language. */
export interface Grammar {
  acts: readonly ActPattern[];
  /** Matches between two instructions of one sentence. */
  split: RegExp;
  /** Matches between a complete act ("decline") and a statement that follows it ("I am away"). */
  statement: RegExp;
  /**
   * Matches where another clause of the same instruction begins: group `whether` is set for "whether", `which` is a
   * question word, and neither is set for "that".
   */
  again?: RegExp;
  /** Matches how the instructions name the reader: groups `m`, `f` and `p`. */
  reader: RegExp;
  /** Words of instructions that are rare in other languages, separated by spaces. */
  words: string;
  /** Returns the sentence, or null if the act does not say enough for a whole sentence. */
  render(act: Act, reader: Reader): string | null;
  /** Returns a statement to the reader, or null if the text is not a whole sentence. */
  plain(text: string, reader: Reader): string | null;
  /** Returns a text about the reader as a text addressed to them. Infinitives lose their "zu" and "te". */
  address(text: string, reader: Reader): string;
  /** First words that begin with a small letter after a greeting that ends with a comma. */
  small?: RegExp;
}

/** Kinds whose text can be followed by a statement. */
export const CLOSED: ReadonlySet<ActKind> = new Set([
  "accept",
  "decline",
  "confirm",
  "propose",
  "thank",
  "sorry",
  "congratulate",
]);

/** Removes the punctuation that ends an instruction, and the spaces around it. */
export const bare = (text: string): string =>
  text
    .trim()
    .replace(/[\s.,;:!?…]+$/u, "")
    .replace(/^[\s,;:–-]+/u, "");

/** Returns a text with a question mark at its end. */
export const asked = (text: string): string => `${bare(text)}?`;

/** Returns a text with a capital at its start. */
export const capital = (text: string): string =>
  text.replace(/^([¿¡"“«(]*)(\p{Ll})/u, (_, a, b) => a + b.toUpperCase());

/** Returns a pattern for one of these words, given with spaces between them. */
export const oneOf = (words: string): string => `(?:${words.trim().split(/\s+/).join("|").replaceAll("_", " ")})`;

/** Pairs of words as "from:to", with spaces between the pairs, as a table. */
export const table = (pairs: string): ReadonlyMap<string, string> =>
  new Map(
    pairs
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(":") as [string, string]),
  );

const EDGE = "(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))";

/** Compiles a pattern in which `\\b` is the edge of a word in any language; JavaScript's own knows only ASCII letters. */
export const pattern = (source: string, flags = "iu"): RegExp => new RegExp(source.replaceAll("\\b", EDGE), flags);
