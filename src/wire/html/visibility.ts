/**
 * Decides which elements and letters of HTML mail are invisible, by the same rule for its text and for skimmed HTML.
 */

import { StyleSheet } from "./sheet.ts";
import type { Attributes } from "./text-events.ts";
import { NO_STYLE, type VisibilityStyle, visibilityStyle } from "./visibility-style.ts";

/** The visibility of an element. */
export interface Visibility {
  /** The element is hidden with all its content. */
  hidden: boolean;
  /** Reasons why its own text is invisible; its children may override them. */
  tiny: boolean;
  invisible: boolean;
  blank: boolean;
}

export const VISIBLE: Visibility = { hidden: false, tiny: false, invisible: false, blank: false };

/** Zero-width characters, soft hyphens and the joiners that newsletters use to pad their preview text. */
export const INVISIBLE_CHARACTERS =
  "\\u034f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u206a-\\u206f\\ufeff";

/** Number of styles to cache: a mail repeats few styles many times. */
const MAX_CACHED_STYLES = 1_000;
/** Characters kept of one `<style>` element; StyleSheet reads no more in total. */
const MAX_CSS_CHARS = 128 * 1024;

/** Reads styles while a document is being parsed. */
export class VisibilityReader {
  private readonly sheet = new StyleSheet();
  private readonly styleCache = new Map<string, VisibilityStyle>();
  /** Content of the open `<style>` element. */
  private css = "";
  private media = "";

  /** Returns the visibility of an element inside `parent`. `dropped`: names of elements that are never shown. */
  of(name: string, attributes: Attributes, parent: Visibility, dropped: ReadonlySet<string>): Visibility {
    const look = parent.hidden ? NO_STYLE : this.styleOf(name, attributes, parent);
    if (name === "style") this.media = attributes.get("media") ?? "";
    return {
      hidden: parent.hidden || dropped.has(name) || attributes.has("hidden") || look.gone,
      tiny: look.size === null ? parent.tiny : look.size === "tiny",
      invisible: look.visible === null ? parent.invisible : !look.visible,
      blank: look.ink === null ? parent.blank : look.ink === "blank",
    };
  }

  /** Adds a piece of the content of the open `<style>` element. */
  styleText(css: string): void {
    if (this.css.length < MAX_CSS_CHARS) this.css += css;
  }

  styleEnd(): void {
    this.sheet.add(this.css, this.media);
    this.css = "";
  }

  /** Combines an element's attributes with the rules of the mail; its own style takes precedence over the rules. */
  private styleOf(name: string, attributes: Attributes, parent: Visibility): VisibilityStyle {
    const style = attributes.get("style") ?? "";
    const classes = attributes.get("class") ?? "";
    const id = attributes.get("id") ?? "";
    const own = style === "" ? NO_STYLE : this.styleOfAttribute(style);
    const ruled = classes === "" && id === "" ? NO_STYLE : this.sheet.hiddenBy(name, classes, id);
    const look =
      ruled === NO_STYLE
        ? own
        : {
            gone: own.gone || (ruled.gone && !/display\s*:/i.test(style)),
            size: own.size ?? ruled.size,
            visible: own.visible ?? ruled.visible,
            ink: own.ink ?? ruled.ink,
          };
    if (!isInvisibleText(parent)) return look;
    const shown = this.sheet.shownBy(name, classes, id);
    // A link has its own color; <font> sets size and color.
    const ink = shown.ink || name === "a" || ["background", "bgcolor", "color"].some((each) => attributes.has(each));
    return {
      gone: look.gone,
      size: look.size ?? (shown.size || attributes.has("size") ? "legible" : null),
      visible: look.visible ?? (shown.visible ? true : null),
      ink: look.ink ?? (ink ? "seen" : null),
    };
  }

  private styleOfAttribute(style: string): VisibilityStyle {
    const known = this.styleCache.get(style);
    if (known) return known;
    const look = visibilityStyle(style);
    if (this.styleCache.size < MAX_CACHED_STYLES) this.styleCache.set(style, look);
    return look;
  }
}

/** True when the text of an element itself is invisible; that of its children may be visible. */
export function isInvisibleText({ tiny, invisible, blank }: Visibility): boolean {
  return tiny || invisible || blank;
}
