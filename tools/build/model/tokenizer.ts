/** A piece of the vocabulary and its score. */
type Piece = [text: string, score: number];

/** The original texts of pieces that a spreadsheet made identical, as their neighbors show. */
const MANGLED: Record<number, string> = { 230: ",”", 238: ".”", 4464: "?”" };
const MANGLED_TEXT = "”5";
const RESERVED = 6;
const NEVER = -100;

/** Control characters, soft hyphens, zero-width characters, marks of direction. */
const INVISIBLE =
  "[\\u0000-\\u0008\\u000E-\\u001F\\u007F-\\u009F\\u00AD\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u2064\\uFEFF\\uFFFD]+";

/**
 * Returns the pieces as originally intended: the published file passed through a spreadsheet, which dropped scores of
 * pieces with a colon and made one piece out of three. They are sorted by score, so a missing score is between its
 * neighbors'.
 */
export function repairVocabulary(published: readonly [string, number | null][]): Piece[] {
  const isBad = (i: number) => i >= RESERVED && ((published[i]?.[1] ?? 0) as number) >= 0;
  const scoreNear = (i: number, step: 1 | -1): number => {
    let at = i;
    while (isBad(at)) at += step;
    return published[at]?.[1] ?? NEVER;
  };
  const pieces = published.map(([text, score], i): Piece => {
    const meant = MANGLED[i];
    if (meant !== undefined && text !== MANGLED_TEXT) throw new Error(`piece ${i} of the vocabulary has changed`);
    // The first piece represents unknown text. Reserved pieces must never match text.
    if (i === 0) return ["<unk>", score ?? 0];
    if (i < RESERVED) return [text, NEVER];
    return [meant ?? text, isBad(i) ? (scoreNear(i, -1) + scoreNear(i, 1)) / 2 : (score as number)];
  });
  return [...pieces, ["<pad>", NEVER]];
}

/** Returns the tokenizer in the format of Hugging Face's `tokenizers`. */
export function tokenizerFile(vocabulary: readonly Piece[]): object {
  const metaspace = { type: "Metaspace", replacement: "▁", prepend_scheme: "always", split: false };
  const replace = (pattern: string, content: string) => ({ type: "Replace", pattern: { Regex: pattern }, content });
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [
      {
        id: vocabulary.length - 1,
        content: "<pad>",
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      },
    ],
    normalizer: {
      type: "Sequence",
      normalizers: [
        { type: "NFKC" },
        replace(INVISIBLE, ""),
        replace("\\s+", " "),
        { type: "Strip", strip_left: true, strip_right: true },
      ],
    },
    pre_tokenizer: metaspace,
    post_processor: null,
    decoder: metaspace,
    model: { type: "Unigram", unk_id: 0, vocab: vocabulary, byte_fallback: false },
  };
}
