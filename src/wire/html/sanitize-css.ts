import { TokenType, tokenize } from "@csstools/css-tokenizer";
import { isSelfContained } from "./css/rules.ts";

/** Longer style attributes are cut at a declaration; Gmail's own limit for all styles of a mail is 16 KB. */
export const MAX_STYLE_CHARS = 8192;
const MAX_VALUE_CHARS = 1024;

/**
 * Properties that format text and boxes in place. None of them loads something (image, cursor, filter, content), runs
 * something (behavior, binding, animation), or lifts a box over the rest of the page (position, z-index, transform).
 */
const PROPERTIES = new Set(
  (
    "align-content align-items align-self aspect-ratio background background-attachment background-clip " +
    "background-color background-image background-origin background-position background-repeat background-size " +
    "border border-bottom border-bottom-color border-bottom-left-radius border-bottom-right-radius " +
    "border-bottom-style border-bottom-width border-collapse border-color border-left border-left-color " +
    "border-left-style border-left-width border-radius border-right border-right-color border-right-style " +
    "border-right-width border-spacing border-style border-top border-top-color border-top-left-radius " +
    "border-top-right-radius border-top-style border-top-width border-width box-shadow box-sizing caption-side clear " +
    "color column-count column-gap column-rule column-width columns direction display empty-cells flex flex-basis " +
    "flex-direction flex-flow flex-grow flex-shrink flex-wrap float font font-family font-feature-settings " +
    "font-kerning font-size font-stretch font-style font-variant font-weight gap height hyphens justify-content " +
    "letter-spacing line-break line-height list-style list-style-position list-style-type margin margin-bottom " +
    "margin-left margin-right margin-top max-height max-width min-height min-width object-fit object-position opacity " +
    "order orphans outline outline-color outline-offset outline-style outline-width overflow overflow-wrap overflow-x " +
    "overflow-y padding padding-bottom padding-left padding-right padding-top quotes row-gap tab-size table-layout " +
    "text-align text-align-last text-decoration text-decoration-color text-decoration-line text-decoration-style " +
    "text-decoration-thickness text-emphasis text-indent text-overflow text-shadow text-transform " +
    "text-underline-offset unicode-bidi vertical-align visibility white-space widows width word-break word-spacing " +
    "word-wrap writing-mode"
  ).split(" "),
);

const FUNCTIONS =
  "rgba?|hsla?|hwb|lab|lch|oklab|oklch|calc|min|max|clamp|(?:-webkit-|-moz-)?(?:repeating-)?(?:linear|radial)-gradient";
/**
 * A value without escapes or a second declaration, with known harmless functions only. As an allow list it excludes
 * `url()`, `image()`, `src()`, `image-set()`, `expression()` and future CSS functions in any spelling.
 */
const SAFE_VALUE = new RegExp(`^(?:[^\\\\<>{};@()\\0]|(?<![\\w-])(?:${FUNCTIONS})?\\(|\\))*$`, "i");
const SAFE_FUNCTION = new RegExp(`^(?:${FUNCTIONS})\\($`, "i");
/** Takes linear time: no two parts of it match the same blanks. */
const URL_FUNCTION = /(?:url|image-set|-webkit-image-set)\(\s*(?:"([^"]*)"\s*|'([^']*)'\s*|([^()"'\s][^()"']*)?)\)/gi;
/** The form of an address that a {@link PictureLookup} may return. */
const SAFE_URL = /^(?:https?:\/\/|data:image\/[a-z]+;base64,)[^\s"'()\\<>{};]+$/;
const PICTURED = new Set(["background", "background-image"]);
const PAINTED = new Set(["background", "background-color", "background-image"]);

const SAFE_TOKENS: ReadonlySet<string> = new Set([
  TokenType.CloseParen,
  TokenType.Comma,
  TokenType.Dimension,
  TokenType.EOF,
  TokenType.Hash,
  TokenType.Ident,
  TokenType.Number,
  TokenType.OpenParen,
  TokenType.Percentage,
  TokenType.String,
  TokenType.Whitespace,
]);

const SAFE_DELIMITERS = new Set(["+", "-", "*", "/", "."]);

/** Returns what a background picture's address becomes: an http, https or `data:` URL, or null without the picture. */
export type PictureLookup = (address: string) => string | null;

/** A declaration of a style attribute, cleaned. */
export interface CleanDeclaration {
  property: string;
  /** "" when it was removed. */
  value: string;
  /** It painted something behind the text, or put the text on top of something, and does so no more. */
  lost: boolean;
}

/** A cleaned style attribute. */
export interface CleanStyle {
  /** Declarations joined with ";", in the order in which they take effect; "" when nothing is left. */
  css: string;
  /** The surviving declarations by property; of several the one that takes effect. Values are in lower case. */
  values: Map<string, string>;
  /** The surviving and the lost declarations, in the order of `css`. */
  declarations: CleanDeclaration[];
}

/**
 * Cleans the content of a `style` attribute with an allow list of properties, of value functions and of tokens. This is
 * the only gate for CSS: everything on the page passes it. Declarations with `!important` move to the end and lose the
 * mark. A background keeps its picture if `picture` returns an address; no other URL is allowed.
 */
export function cleanStyle(style: string, picture: PictureLookup = () => null): CleanStyle {
  const normal: CleanDeclaration[] = [];
  const important: CleanDeclaration[] = [];
  for (const text of splitDeclarations(style)) {
    const colon = text.indexOf(":");
    if (colon < 1) continue;
    const property = text.slice(0, colon).trim().toLowerCase();
    const isPlaced = property === "position";
    if (!isPlaced && !PROPERTIES.has(property)) continue;
    const written = text.slice(colon + 1).trim();
    const mark = /\s*!\s*important$/i.exec(written);
    const value = mark === null ? written : written.slice(0, mark.index);
    const declaration = isPlaced ? placed(value) : cleanDeclaration(property, value, picture);
    if (declaration !== null) (mark === null ? normal : important).push(declaration);
  }
  const declarations = [...normal, ...important];
  const kept = declarations.filter(({ value }) => value !== "");
  return {
    css: kept.map(({ property, value }) => `${property}:${value}`).join(";"),
    values: new Map(kept.map(({ property, value }) => [property, value.toLowerCase()])),
    declarations,
  };
}

/** A box that lay on top of others is put into the text, where other colors are behind it. */
function placed(value: string): CleanDeclaration | null {
  return /^(?:absolute|fixed)$/i.test(value) ? { property: "position", value: "", lost: true } : null;
}

function cleanDeclaration(property: string, value: string, picture: PictureLookup): CleanDeclaration | null {
  const isPictured = PICTURED.has(property) && /\(/.test(value);
  if (value.length > (isPictured ? MAX_STYLE_CHARS : MAX_VALUE_CHARS)) return null;
  const clean = cleanValue(isPictured ? value.replace(URL_FUNCTION, " none ") : value);
  if (clean === null) return PAINTED.has(property) && value !== "" ? { property, value: "", lost: true } : null;
  if (!isPictured) return { property, value: clean, lost: false };
  // A background keeps its color when its picture is removed. Of several layers, "none" keeps the place of one.
  const gap = value.replace(URL_FUNCTION, " ").includes(",") ? " none " : " ";
  let lost = false;
  const filled = value.replace(URL_FUNCTION, (whole: string, ...address: (string | undefined)[]) => {
    const url = /^url/i.test(whole) ? picture((address[0] ?? address[1] ?? address[2] ?? "").trim()) : null;
    if (url !== null && SAFE_URL.test(url)) return ` url(${url}) `;
    lost = true;
    return gap;
  });
  return { property, value: filled.replace(/\s+/g, " ").trim(), lost };
}

/** True when CSS gives an element no visible extent, so that no one reads its content. */
export function hidesElement(values: Map<string, string>): boolean {
  if (values.get("display") === "none") return true;
  const visibility = values.get("visibility");
  if (visibility === "hidden" || visibility === "collapse") return true;
  if (Number(values.get("opacity") ?? 1) === 0) return true;
  const clipped = (values.get("overflow") ?? values.get("overflow-y") ?? "") === "hidden";
  return clipped && ["height", "max-height", "width", "max-width"].some((property) => isZero(values.get(property)));
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^0+(?:\.0+)?(?:[a-z]+|%)?$/.test(value);
}

function cleanValue(value: string): string | null {
  const kept = value.trim().replace(/\s+/g, " ");
  return kept !== "" && SAFE_VALUE.test(kept) && isSelfContained(kept) && hasSafeTokens(kept) ? kept : null;
}

/** Reads a value as browsers do, in case that the patterns above read it otherwise. */
function hasSafeTokens(value: string): boolean {
  return tokenize({ css: value }).every(([type, text]) => {
    if (type === TokenType.Function) return SAFE_FUNCTION.test(text);
    return SAFE_TOKENS.has(type) || (type === TokenType.Delim && SAFE_DELIMITERS.has(text));
  });
}

/** Splits at ";" outside quotes and parentheses, and removes comments (CSS Syntax 3 §5.4.5, reduced to attributes). */
function splitDeclarations(style: string): string[] {
  const source = style.slice(0, MAX_STYLE_CHARS).replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ");
  const parts: string[] = [];
  let start = 0;
  let depth = 0;
  let quote = "";
  for (let i = 0; i < source.length; i += 1) {
    const char = source[i] as string;
    if (quote !== "") {
      if (char === quote || char === "\n") quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth += 1;
    else if (char === ")") depth = Math.max(0, depth - 1);
    else if (char === ";" && depth === 0) {
      parts.push(source.slice(start, i));
      start = i + 1;
    }
  }
  if (style.length <= MAX_STYLE_CHARS) parts.push(source.slice(start));
  return parts;
}
