/** Encodes unstructured header text (RFC 5322 §2.2.1) as encoded words (RFC 2047). */

/** RFC 2047 §2: an encoded word has at most 75 characters; 45 bytes take 60 of them in base64. */
const WORD_BYTES = 45;
/** Runs without a blank cannot be folded, so longer ones are encoded even if they are ASCII. */
const LONGEST_RUN = 60;

/** A subject as one line of text. `encoded` holds its encoded lines, or null when the text can be used unchanged. */
export interface HeaderText {
  text: string;
  encoded: string | null;
}

/**
 * Prepares a subject. Controls and line breaks become blanks. Text that is not plain ASCII, cannot be folded, or looks
 * like an encoded word is encoded completely, so that the receiver reads exactly this text.
 */
export function subjectHeader(subject: string): HeaderText {
  const text = subject
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  const plain = /^[\x20-\x7e]*$/.test(text) && !text.includes("=?") && !runsTooLong(text);
  return { text, encoded: plain ? null : encodedWords(text) };
}

function runsTooLong(text: string): boolean {
  return text.split(" ").some((run) => run.length > LONGEST_RUN);
}

/** Encodes `text` as folded base64 words, cut between characters (§5: a word holds whole characters). */
function encodedWords(text: string): string {
  const words: string[] = [];
  let bytes: Buffer[] = [];
  let length = 0;
  const flush = () => {
    if (length > 0) words.push(`=?UTF-8?B?${Buffer.concat(bytes).toString("base64")}?=`);
    bytes = [];
    length = 0;
  };
  for (const letter of text) {
    const encoded = Buffer.from(letter);
    if (length + encoded.length > WORD_BYTES) flush();
    bytes.push(encoded);
    length += encoded.length;
  }
  flush();
  return words.join("\r\n ");
}
