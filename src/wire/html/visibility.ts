/** Which elements and letters of HTML mail a reader does not see; the same rule for its text and for what is kept of it. */
import { type Look, lookOf, PLAIN } from "./look.ts";
import { StyleSheet } from "./sheet.ts";
import type { Attributes } from "./text-events.ts";

/** What is known of an element. */
export interface Visibility {
  /** With all that is in it. */
  hidden: boolean;
  /** Why its own text is not seen; its children may set that otherwise. */
  tiny: boolean;
  invisible: boolean;
  blank: boolean;
}

export const VISIBLE: Visibility = { hidden: false, tiny: false, invisible: false, blank: false };

/** Zero-width characters, soft hyphens and the joiners that newsletters pad their preview text with. */
export const INVISIBLE_CHARACTERS =
  "\\u034f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\u206a-\\u206f\\ufeff";

/** Different styles of one mail that are remembered: a mail has few, many times over. */
const MOST_LOOKS = 1_000;
/** Characters of one `<style>` element that are kept; StyleSheet reads no more of all together. */
const MOST_CSS_CHARS = 128 * 1024;

/** Reads styles as a document goes by. */
export class VisibilityReader {
  private readonly sheet = new StyleSheet();
  private readonly looks = new Map<string, Look>();
  /** Of the `<style>` element that is open. */
  private css = "";
  private media = "";

  /** What an element is inside `parent`. `dropped`: elements of this name are never shown. */
  of(name: string, attributes: Attributes, parent: Visibility, dropped: ReadonlySet<string>): Visibility {
    const look = parent.hidden ? PLAIN : this.lookOf(name, attributes, parent);
    if (name === "style") this.media = attributes.get("media") ?? "";
    return {
      hidden: parent.hidden || dropped.has(name) || attributes.has("hidden") || look.gone,
      tiny: look.size === null ? parent.tiny : look.size === "tiny",
      invisible: look.visible === null ? parent.invisible : !look.visible,
      blank: look.ink === null ? parent.blank : look.ink === "blank",
    };
  }

  /** A piece of the content of the `<style>` element that is open. */
  styleText(css: string): void {
    if (this.css.length < MOST_CSS_CHARS) this.css += css;
  }

  styleEnd(): void {
    this.sheet.add(this.css, this.media);
    this.css = "";
  }

  /** What its attributes and the rules of the mail say of an element's text; its own style goes before the rules. */
  private lookOf(name: string, attributes: Attributes, parent: Visibility): Look {
    const style = attributes.get("style") ?? "";
    const classes = attributes.get("class") ?? "";
    const id = attributes.get("id") ?? "";
    const own = style === "" ? PLAIN : this.lookOfStyle(style);
    const ruled = classes === "" && id === "" ? PLAIN : this.sheet.hides(name, classes, id);
    const look =
      ruled === PLAIN
        ? own
        : {
            gone: own.gone || (ruled.gone && !/display\s*:/i.test(style)),
            size: own.size ?? ruled.size,
            visible: own.visible ?? ruled.visible,
            ink: own.ink ?? ruled.ink,
          };
    if (!isUnseen(parent)) return look;
    const shown = this.sheet.shows(name, classes, id);
    // A link has a colour of its own; <font> sets size and colour.
    const ink = shown.ink || name === "a" || ["background", "bgcolor", "color"].some((each) => attributes.has(each));
    return {
      gone: look.gone,
      size: look.size ?? (shown.size || attributes.has("size") ? "legible" : null),
      visible: look.visible ?? (shown.visible ? true : null),
      ink: look.ink ?? (ink ? "seen" : null),
    };
  }

  private lookOfStyle(style: string): Look {
    const known = this.looks.get(style);
    if (known) return known;
    const look = lookOf(style);
    if (this.looks.size < MOST_LOOKS) this.looks.set(style, look);
    return look;
  }
}

/** Whether the text of an element itself is not seen, though that of its children may be. */
export function isUnseen({ tiny, invisible, blank }: Visibility): boolean {
  return tiny || invisible || blank;
}
