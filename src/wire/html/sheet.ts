/** Reads the `<style>` elements of a mail to find hidden elements. */
import { NO_STYLE, type VisibilityStyle, visibilityStyle } from "./visibility-style.ts";

/** Characters of rules that are read. Gmail's own limit for a mail is 16 KB. */
const MAX_CHARS = 128 * 1024;
const SIMPLE = /^(?:[a-z][a-z\d]*)?([.#][\w-]+)$/i;
/** The last part of a selector: the element that it styles. */
const SUBJECT = /(?:^|[\s>+~])([^\s>+~]+)$/;
const HIDES =
  /display\s*:\s*none|visibility|opacity|font|height\s*:\s*0|width\s*:\s*0|mso-hide|position|text-indent|color/i;
/** Declarations that show an element that another rule hides. */
const WHOLE = /display\s*:(?!\s*none)|max-height\s*:(?!\s*0)|opacity\s*:(?!\s*0)/i;

interface Shown {
  size: boolean;
  visible: boolean;
  ink: boolean;
  whole: boolean;
}

/**
 * Stores rules by the class, id or element that they style. Only a rule for one class or id, outside media queries, can
 * hide. Any rule can show, so nothing is lost that some readers see.
 */
export class StyleSheet {
  readonly #hiding = new Map<string, VisibilityStyle>();
  readonly #showing = new Map<string, Shown>();
  #read = 0;

  /**
   * Adds the content of one `<style>` element. @param media its attribute; rules of a sheet for only some readers can
   * only show
   */
  add(css: string, media = ""): void {
    if (this.#read >= MAX_CHARS || !HIDES.test(css)) return;
    const source = css.slice(0, MAX_CHARS - this.#read).replace(/<!--|-->|\/\*[\s\S]*?(?:\*\/|$)/g, " ");
    this.#read += css.length;
    const forAll = /^\s*(?:all|screen)?\s*$/i.test(media);
    let depth = 0;
    let start = 0;
    /** The text before the latest "{"; null after its block was closed. */
    let selectors: string | null = null;
    for (const { 0: brace, index } of source.matchAll(/[{}]/g)) {
      const part = source.slice(start, index);
      start = index + 1;
      if (brace === "{") {
        depth++;
        selectors = part;
        continue;
      }
      if (selectors !== null) this.#rule(selectors, part, forAll && depth === 1);
      depth = Math.max(0, depth - 1);
      selectors = null;
    }
  }

  /** Returns the style by which rules hide an element. Returns NO_STYLE if no rule hides it or another rule shows it. */
  hiddenBy(name: string, classes: string, id: string): VisibilityStyle {
    if (this.#hiding.size === 0) return NO_STYLE;
    let found = NO_STYLE;
    for (const key of keysOf(name, classes, id)) {
      const look = this.#hiding.get(key);
      if (!look) continue;
      found = {
        gone: found.gone || look.gone,
        size: look.size ?? found.size,
        visible: look.visible ?? found.visible,
        ink: look.ink ?? found.ink,
      };
    }
    if (found === NO_STYLE) return NO_STYLE;
    const shown = this.shownBy(name, classes, id);
    return {
      gone: found.gone && !shown.whole,
      size: shown.size ? null : found.size,
      visible: shown.visible ? null : found.visible,
      ink: shown.ink ? null : found.ink,
    };
  }

  /** Returns the properties that rules may set for an element, so that it does not inherit them from its parent. */
  shownBy(name: string, classes: string, id: string): Shown {
    const found = { size: false, visible: false, ink: false, whole: false };
    for (const key of keysOf(name, classes, id)) {
      const shown = this.#showing.get(key);
      if (!shown) continue;
      found.size ||= shown.size;
      found.visible ||= shown.visible;
      found.ink ||= shown.ink;
      found.whole ||= shown.whole;
    }
    return found;
  }

  #rule(selectors: string, declarations: string, outside: boolean): void {
    const look = visibilityStyle(declarations);
    const whole = WHOLE.test(declarations);
    if (look === NO_STYLE && !whole) return;
    // The text before a ";" is an at-rule without a block, such as @import.
    for (const selector of selectors.slice(selectors.lastIndexOf(";") + 1).split(",")) {
      this.#note(selector.trim(), look, whole, outside);
    }
  }

  #note(selector: string, look: VisibilityStyle, whole: boolean, outside: boolean): void {
    const simple = outside ? SIMPLE.exec(selector)?.[1] : undefined;
    const hides = look.gone || look.size === "tiny" || look.visible === false || look.ink === "blank";
    if (simple !== undefined && hides) this.#hiding.set(simple.toLowerCase(), look);
    const shows = { size: look.size === "legible", visible: look.visible === true, ink: look.ink === "seen", whole };
    if (!shows.size && !shows.visible && !shows.ink && !shows.whole) return;
    const subject = (SUBJECT.exec(selector)?.[1] ?? "*").replace(/::?[a-z-].*$/i, "").toLowerCase();
    const key = /[.#][\w-]+/.exec(subject)?.[0] ?? (/^[a-z][a-z\d]*/.exec(subject)?.[0] || "*");
    const known = this.#showing.get(key);
    this.#showing.set(key, {
      size: shows.size || known?.size === true,
      visible: shows.visible || known?.visible === true,
      ink: shows.ink || known?.ink === true,
      whole: shows.whole || known?.whole === true,
    });
  }
}

function keysOf(name: string, classes: string, id: string): string[] {
  const keys = ["*", name];
  if (classes !== "") for (const each of classes.split(/\s+/)) if (each !== "") keys.push(`.${each.toLowerCase()}`);
  if (id !== "") keys.push(`#${id.toLowerCase()}`);
  return keys;
}
