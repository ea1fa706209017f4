/** What would end a line, move a cursor or turn the direction of the text around it: a name shall look as it is. */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** Something that a reader sees: neither white space nor a format character such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;
const ADDRESS = /^[^\s\p{Cf}@<>]+@[^\s\p{Cf}@<>]+$/u;
/** RFC 5321 §4.5.3.1: 64 before the @, 255 behind it. */
const LONGEST_ADDRESS_CHARS = 320;

/** What is wrong with the name that somebody gives to a key, a team, a device: the end of a sentence; null: nothing. */
export function nameFault(name: string): string | null {
  if (!VISIBLE.test(name)) return "must not be empty";
  return name.isWellFormed() && !HIDDEN.test(name) ? null : "must not contain control characters";
}

/** Something with an @ that can stand in a line of text; whether mail reaches it, only sending shows. */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS_CHARS && ADDRESS.test(text) && text.isWellFormed() && !HIDDEN.test(text);
}
