/**
 * Characters that end a line, move a cursor or change the direction of the surrounding text. They would make a name
 * look different from what it is.
 */
const HIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;
/** A visible character: neither white space nor a format character such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;
const ADDRESS = /^[^\s\p{Cf}@<>]+@[^\s\p{Cf}@<>]+$/u;
/** RFC 5321 §4.5.3.1: 64 before the @, 255 after it. */
const LONGEST_ADDRESS_CHARS = 320;

/**
 * Returns what is wrong with a name that a user gives to a key, a team or a device, as the end of a sentence; null if
 * nothing is.
 */
export function nameFault(name: string): string | null {
  if (!VISIBLE.test(name)) return "must not be empty";
  return name.isWellFormed() && !HIDDEN.test(name) ? null : "must not contain control characters";
}

/**
 * Returns whether `text` has the form of an address and is safe to show on a line of text. Only sending shows whether
 * the address exists.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_ADDRESS_CHARS && ADDRESS.test(text) && text.isWellFormed() && !HIDDEN.test(text);
}
