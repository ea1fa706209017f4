/** Writes the rules of a mail's style sheets into the style attributes of its elements. */
import { collectStyles } from "./collect.ts";
import { ElementTree, type StyledElement } from "./elements.ts";
import { type Rule, readRules } from "./rules.ts";
import { type CompiledSelector, compileSelectors, matches, TooMuchWork, type Work } from "./selectors.ts";

/** Further selectors are not read. */
const MAX_SELECTORS = 6_000;
/** Comparisons of an element with a part of a selector. A newsletter takes some 10,000. */
const MAX_WORK = 2_000_000;
/** Characters of rules in all style attributes. */
const MAX_INLINED_CHARS = 8_000_000;
const MAX_REMEMBERED = 5_000;

interface IndexedSelector extends CompiledSelector {
  /** Position in the source. */
  rule: number;
}

/** Applies the style sheets of one mail. */
export class StyleInliner {
  readonly tree: ElementTree;
  readonly #rules: readonly Rule[];
  /** Selectors by what their element must have. */
  readonly #index = new Map<string, IndexedSelector[]>();
  readonly #work: Work = { left: MAX_WORK };
  readonly #remembered = new Map<string, string>();
  readonly #maxStyleChars: number;
  #inlinedChars = 0;

  private constructor(css: string, isLast: (ordinal: number) => boolean, quirks: boolean, maxStyleChars: number) {
    this.tree = new ElementTree(quirks, isLast);
    this.#maxStyleChars = maxStyleChars;
    this.#rules = readRules(css);
    let selectors = 0;
    for (const [rule, { selectors: list }] of this.#rules.entries()) {
      for (const selector of compileSelectors(list, quirks)) {
        if (++selectors > MAX_SELECTORS) return;
        const known = this.#index.get(selector.key);
        if (known) known.push({ ...selector, rule });
        else this.#index.set(selector.key, [{ ...selector, rule }]);
      }
    }
  }

  /**
   * Reads the style sheets in `html`. Returns null when there is none. @param quirks classes and ids in any case
   * @param maxStyleChars the least important rules are left out of longer style attributes
   */
  static of(html: string, options: { quirks: boolean; maxStyleChars: number }): StyleInliner | null {
    const found = collectStyles(html);
    return found === null ? null : new StyleInliner(found.css, found.isLast, options.quirks, options.maxStyleChars);
  }

  /**
   * Returns the declarations of the rules for an element, least important first, to be put before those of its style
   * attribute. `!important` is kept. @param room characters that the element's own style takes @throws TooMuchWork
   */
  rulesFor(element: StyledElement, room = 0): string {
    const found = this.#matching(element);
    if (found.length === 0) return "";
    const key = found.join();
    let text = this.#remembered.get(key);
    if (text === undefined) {
      text = this.#join(found, this.#maxStyleChars);
      if (this.#remembered.size < MAX_REMEMBERED) this.#remembered.set(key, text);
    }
    if (text.length + room > this.#maxStyleChars) text = this.#join(found, this.#maxStyleChars - room);
    this.#inlinedChars += text.length;
    if (this.#inlinedChars > MAX_INLINED_CHARS) throw new TooMuchWork();
    return text;
  }

  /**
   * Returns the matching rules in the order of the cascade (CSS Cascade 4 §6.1). A negative number, -1 for the first
   * rule, is a rule whose selector asks for the content of an attribute.
   */
  #matching(element: StyledElement): number[] {
    const { name, id, classes } = element;
    const best = new Map<number, IndexedSelector>();
    for (const key of ["*", name, `#${id}`, ...classes.map((each) => `.${each}`)]) {
      for (const selector of this.#index.get(key) ?? []) {
        if (--this.#work.left < 0) throw new TooMuchWork();
        const known = best.get(selector.rule);
        if (known !== undefined && known.specificity >= selector.specificity) continue;
        if (matches(selector, element, this.#work)) best.set(selector.rule, selector);
      }
    }
    return [...best.values()]
      .sort((one, other) => one.specificity - other.specificity || one.rule - other.rule)
      .map(({ rule, readsContent }) => (readsContent ? -1 - rule : rule));
  }

  #join(found: readonly number[], room: number): string {
    const parts: string[] = [];
    let left = room;
    for (const rule of found.toReversed()) {
      const { declarations } = this.#rules[rule < 0 ? -1 - rule : rule]!;
      const texts = declarations.map(({ text, important }) => (important ? `${text}!important` : text));
      const text = rule < 0 ? withoutPictures(texts) : texts.join(";");
      left -= text.length + 1;
      if (left < 0) break;
      parts.unshift(text);
    }
    return parts.join(";");
  }
}

/** The address of a picture must not depend on what a mail contains, such as the links of someone quoted in it. */
function withoutPictures(texts: string[]): string {
  return texts.map((text) => text.replace(/url\([^()]*\)/gi, "url()")).join(";");
}
