import { pattern } from "./act.ts";

const compiled = new Map<string, RegExp>();

/** Returns the pattern of a sentence of the lexicon, with a group for each of its slots. */
export function cellPattern(cell: string): RegExp {
  const known = compiled.get(cell);
  if (known) return known;
  const source = cell
    .replace(/^(?:Unfortunately|Malheureusement|Lamentablemente|Purtroppo|Infelizmente),? /u, "~")
    .replace(/[.*+?^$()[\]\\]/g, "\\$&")
    .replaceAll("'", "['’]")
    .replace("~", "(?:(?:unfortunately|malheureusement|lamentablemente|purtroppo|infelizmente),? )?")
    .replace("{t}", "(?: (?<t>.+?))?")
    .replace("{T}", "(?<T>.+?)")
    .replace("{N}", "(?<N>\\d{1,3})")
    .replaceAll("{you}", "(?:you|he|she|they)")
    .replace(/<([^#>]*)#([^#>]*)#([^>]*)>/gu, "(?:$1|$2|$3)")
    .replace(/\{([nsSd])\}/u, "(?<n>.+?)");
  const form = pattern(`^${source}$`, "isu");
  compiled.set(cell, form);
  return form;
}
