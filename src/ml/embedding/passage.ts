/** The text of a message that a model reads: its subject and the beginning of its new text. */
export interface Passage {
  subject: string;
  /** Without quoted history, signature and forwarded messages. */
  new_text: string;
  text: string;
}

/** A model reads at most a few hundred words. */
const PASSAGE_CHARS = 2_000;
const BLANKS = /\s+/g;
const REPLY_MARK = /^(?:(?:re|fwd?|aw|wg|sv|vs)\s*:\s*)+/i;
/** Characters that draw separator lines and frames. */
const ORNAMENT = /[-_=*#~+|>]{3,}/g;

/** Returns the text to embed for a message: the subject, then the beginning of the new text. */
export function passageOf({ subject, new_text, text }: Passage): string {
  const said = new_text.trim() === "" ? text : new_text;
  const about = subject.replace(REPLY_MARK, "").trim();
  const body = said
    .slice(0, PASSAGE_CHARS * 2)
    .replace(ORNAMENT, " ")
    .replace(BLANKS, " ")
    .trim();
  // Some messages repeat the subject as the first sentence.
  const whole = about === "" || body.toLowerCase().startsWith(about.toLowerCase()) ? body : `${about}. ${body}`;
  return whole.slice(0, PASSAGE_CHARS);
}
