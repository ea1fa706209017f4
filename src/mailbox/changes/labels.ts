import { invalidParam } from "../../kernel/errors.ts";

const LONGEST_LABEL_CHARS = 200;
/** Maximum number of labels that one call can add, and that it can remove. */
const MAX_LABELS = 50;

export interface LabelChange {
  add: string[];
  remove: string[];
}

/**
 * Returns the names to add and to remove, trimmed, in NFC and without duplicates.
 * @throws ApiError invalid_params naming the field, such as `add_labels[2]`
 */
export function checkLabels(add: readonly string[] | undefined, remove: readonly string[] | undefined): LabelChange {
  const added = checkNames("add_labels", add ?? []);
  const removed = checkNames("remove_labels", remove ?? []);
  for (const [name, index] of removed) {
    if (added.has(name))
      throw invalidParam(
        `remove_labels[${index}]`,
        "A label cannot be added and removed in the same call. Remove it from one of the lists.",
      );
  }
  return { add: [...added.keys()], remove: [...removed.keys()] };
}

/** Returns the names, each with the index of its first occurrence. */
function checkNames(field: string, names: readonly string[]): Map<string, number> {
  if (names.length > MAX_LABELS) throw invalidParam(field, `${field} can have at most ${MAX_LABELS} entries.`);
  const checked = new Map<string, number>();
  for (const [index, given] of names.entries()) {
    const param = `${field}[${index}]`;
    const name = checkLabel(given, param);
    if (!checked.has(name)) checked.set(name, index);
  }
  return checked;
}

/** Returns those names from imported files that can be labels, at most as many as one call can add. */
export function validLabels(names: readonly string[]): string[] {
  const sound = names.slice(0, 4 * MAX_LABELS).flatMap((name) => {
    try {
      return [checkLabel(name, "label")];
    } catch {
      return [];
    }
  });
  return [...new Set(sound)].slice(0, MAX_LABELS);
}

/** A character that a reader sees: neither white space nor a format character such as a zero-width space. */
const VISIBLE = /[^\s\p{Cf}]/u;

/** Returns a label's name in the form in which it is stored. @throws ApiError invalid_params */
export function checkLabel(given: string, param: string): string {
  const name = given.normalize("NFC").trim();
  if (!VISIBLE.test(name)) throw invalidParam(param, `${param} must not be empty.`);
  if ([...name].length > LONGEST_LABEL_CHARS) {
    throw invalidParam(param, `${param} can have at most ${LONGEST_LABEL_CHARS} characters.`);
  }
  if (!name.isWellFormed() || /\p{Cc}/u.test(name))
    throw invalidParam(param, `${param} must not contain control characters.`);
  // IMAP's own flags start with a backslash (RFC 9051 §2.3.2); they are not labels.
  if (name.startsWith("\\")) throw invalidParam(param, `${param} must not start with a backslash.`);
  return name;
}
