/** Finds the style sheets in the HTML of a mail. */
import { Parser } from "htmlparser2";
import { boundParse } from "../sanitize-bounds.ts";
import { ElementTree, type StyledElement } from "./elements.ts";
import { holdsOnScreen } from "./media.ts";

/** Further style sheets are ignored. Gmail's own limit for a mail is 16 KB, frameworks for newsletters have 40 KB. */
const MAX_CSS_CHARS = 128 * 1024;
/** A `<style>` inside is text, or belongs to a drawing. */
const WITHOUT_STYLE = new Set(
  "iframe math noembed noframes noscript script select svg template textarea title xmp".split(" "),
);

export interface Collected {
  css: string;
  /** Whether the nth start tag of the mail, from 0, is that of a last child. */
  isLast: (ordinal: number) => boolean;
}

/** Returns the style sheets that hold on a screen; null when the mail has none. */
export function collectStyles(html: string): Collected | null {
  const lastStart = lastIndexOf(html, /<style/gi);
  if (lastStart < 0) return null;
  // The position of last children is known only at the end of the mail.
  const needsLast = /:(?:last|only)-child/i.test(html);
  const end = needsLast ? -1 : html.indexOf("</", lastStart);
  const bounds = boundParse(html);
  const tree = new ElementTree(false);
  const ordinals = new Map<StyledElement, number>();
  const last = new Set<number>();
  let css = "";
  let unread = 0;
  let inStyle = false;
  let ordinal = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        bounds.opened(name);
        if (WITHOUT_STYLE.has(name)) unread += 1;
        if (name === "style") inStyle = unread === 0 && isRead(attributes);
        if (needsLast) {
          const element = tree.open(name, attributes);
          if (element.previous !== null) last.delete(ordinals.get(element.previous) ?? -1);
          ordinals.set(element, ordinal);
          last.add(ordinal++);
        }
      },
      onclosetag(name) {
        bounds.closed(name);
        if (WITHOUT_STYLE.has(name)) unread -= 1;
        if (name === "style") inStyle = false;
        if (needsLast) tree.close();
      },
      ontext(text) {
        if (inStyle && css.length < MAX_CSS_CHARS) css += text;
      },
    },
    { decodeEntities: true, Tokenizer: bounds.Tokenizer },
  );
  parser.write(end < 0 ? html : html.slice(0, end));
  parser.end();
  return { css: css.slice(0, MAX_CSS_CHARS), isLast: (nth) => last.has(nth) };
}

function isRead({ type, media }: Record<string, string>): boolean {
  return /^\s*(?:text\/css\s*)?$/i.test(type ?? "") && holdsOnScreen(media ?? "");
}

function lastIndexOf(text: string, pattern: RegExp): number {
  let last = -1;
  while (pattern.exec(text) !== null) last = pattern.lastIndex;
  return last;
}
