/** Keeps text readable where the page shows less behind it than the mail meant to. */
import { type Color, contrast, over, parseColor, parseLegacyColor, TRANSPARENT, toHex, WHITE } from "./css/colors.ts";
import type { CleanDeclaration } from "./sanitize-css.ts";

/** Text with less contrast than this is replaced, if what was behind it was removed (WCAG 2.2, 1.4.3 for large text). */
const MIN_CONTRAST = 3;

/** Colors of the page and the browser for elements that set none. */
const INK: Color = [31, 35, 40, 1];
const LINK_INK: Color = [0, 0, 238, 1];
const BLACK: Color = [0, 0, 0, 1];
const MARK_PAPER: Color = [255, 255, 0, 1];
const BLOCKED = { ink: [87, 96, 106, 1] as Color, paper: [242, 244, 246, 1] as Color };

const WITH_BGCOLOR = new Set("body table tbody td tfoot th thead tr".split(" "));
const INHERITS = new Set(["currentcolor", "inherit", "unset"]);

/** The colors of an element; null where they are not known. */
interface Paint {
  /** The color that the mail gives its text. */
  ink: Color | null;
  /** The color that the page gives its text. */
  shown: Color | null;
  /** The color behind the text. */
  paper: Color | null;
  /** Something that the mail puts behind the text is missing. */
  lost: boolean;
}

type Attributes = Readonly<Record<string, string>>;

/** Follows the elements of one mail. */
export class TextContrast {
  readonly #open: Paint[] = [{ ink: INK, shown: INK, paper: WHITE, lost: false }];
  readonly #quirks: boolean;

  /** @param quirks tables have the text color of the body, not that of the element around them (HTML §15.3.10) */
  constructor(quirks: boolean) {
    this.#quirks = quirks;
  }

  /** Enters an element that paints nothing, unless `paint` or `discard` follows. */
  enter(): void {
    this.#open.push(this.#open.at(-1)!);
  }

  leave(): void {
    if (this.#open.length > 1) this.#open.pop();
  }

  /**
   * Sets the colors of the entered element. Returns the color that its text must get instead, as #rrggbb; null to leave
   * it.
   */
  paint(name: string, attributes: Attributes, declarations: readonly CleanDeclaration[]): string | null {
    const parent = this.#open.at(-2)!;
    const own = inkOf(name, attributes, declarations);
    const { paper, lost } = paperOf(parent, name, attributes, declarations);
    const inherited = this.#quirks && name === "table" ? this.#open[0]! : parent;
    const ink = own === undefined ? inherited.ink : own;
    const shown = lost ? readable(ink, paper) : ink;
    this.#open[this.#open.length - 1] = { ink, shown, paper, lost };
    const unchanged = own === undefined ? inherited.shown : own;
    return shown === null || unchanged === null || toHex(shown) === toHex(unchanged) ? null : toHex(shown);
  }

  /** Notes that the entered element is left out and its content is kept. */
  discard(name: string, attributes: Attributes, declarations: readonly CleanDeclaration[]): void {
    const parent = this.#open.at(-2)!;
    const { paper, lost } = paperOf(parent, name, attributes, declarations);
    if (lost || paper !== parent.paper) this.#open[this.#open.length - 1] = { ...parent, lost: true };
  }

  /** Sets the colors of the box around all elements, before any of them is painted. Returns the same as `paint`. */
  box(declarations: readonly CleanDeclaration[]): string | null {
    const depth = this.#open.length;
    this.enter();
    const color = this.paint("div", {}, declarations);
    const paint = this.#open.pop()!;
    this.#open.fill(paint, 0, depth);
    return color;
  }

  /** The color of the text outside of all elements, as #rrggbb; null when it is not known. */
  get bodyInk(): string | null {
    const { shown } = this.#open[0]!;
    return shown === null ? null : toHex(shown);
  }
}

/** Returns `ink` if it can be read on `paper`, or else the page's own color or white. */
function readable(ink: Color | null, paper: Color | null): Color | null {
  if (ink === null || paper === null || contrast(over(ink, paper), paper) >= MIN_CONTRAST) return ink;
  return contrast(INK, paper) >= MIN_CONTRAST ? INK : WHITE;
}

/** Returns the color that an element sets for its text; undefined when it inherits one, null when it is not known. */
function inkOf(
  name: string,
  attributes: Attributes,
  declarations: readonly CleanDeclaration[],
): Color | null | undefined {
  let ink: Color | null | undefined;
  if (name === "a" && attributes.href !== undefined) ink = LINK_INK;
  if (name === "mark") ink = BLACK;
  if (attributes.class === "blocked") ink = BLOCKED.ink;
  if (name === "font" && attributes.color !== undefined) ink = parseLegacyColor(attributes.color) ?? undefined;
  for (const { property, value } of declarations) {
    if (property !== "color" || value === "") continue;
    // An invalid color leaves the one before.
    const color = parseColor(value);
    if (color !== null) ink = color;
    else if (INHERITS.has(value.toLowerCase())) ink = undefined;
    else if (/\(/.test(value)) ink = null;
  }
  return ink;
}

function paperOf(
  parent: Paint,
  name: string,
  attributes: Attributes,
  declarations: readonly CleanDeclaration[],
): Pick<Paint, "paper" | "lost"> {
  let color: Color | null = TRANSPARENT;
  let hasPicture = false;
  let lost = false;
  if (name === "mark") color = MARK_PAPER;
  if (attributes.class === "blocked") [color, lost] = [BLOCKED.paper, true];
  if (WITH_BGCOLOR.has(name)) color = parseLegacyColor(attributes.bgcolor) ?? color;
  for (const declaration of declarations) {
    const { property, value } = declaration;
    if (property === "position") lost = true;
    if (property !== "background" && property !== "background-color" && property !== "background-image") continue;
    lost = property === "background-color" ? lost || declaration.lost : declaration.lost;
    if (value === "") continue;
    if (property !== "background-color") hasPicture = /(?:url|gradient)\(/i.test(value);
    if (property !== "background-image") color = backgroundColor(value);
  }
  if (hasPicture || color === null) return { paper: null, lost: false };
  if (color[3] === 1) return { paper: color, lost };
  const paper = color[3] === 0 || parent.paper === null ? parent.paper : over(color, parent.paper);
  return { paper, lost: lost || parent.lost };
}

/** Returns the color in the value of `background` or `background-color`; null when it is not known. */
function backgroundColor(value: string): Color | null {
  for (const part of value.match(/[^\s(]+(?:\([^()]*\))?/g) ?? []) {
    const color = parseColor(part);
    if (color !== null) return color;
    if (/^(?:hwb|lab|lch|oklab|oklch|calc|currentcolor|inherit)/i.test(part)) return null;
  }
  return TRANSPARENT;
}
