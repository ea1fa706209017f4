/** Longer style attributes are cut at a declaration; Gmail's own limit for all styles of a mail is 16 KB. */
const MAX_STYLE_CHARS = 8192;
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
const URL_FUNCTION = /(?:url|image-set|-webkit-image-set)\(\s*(?:"[^"]*"|'[^']*'|[^()"']*)\s*\)/gi;

/** The same rules again for sanitize-html, which applies them to the declarations that postcss reads. */
export const ALLOWED_STYLES: Record<string, Record<string, RegExp[]>> = {
  "*": Object.fromEntries([...PROPERTIES].map((property) => [property, [SAFE_VALUE]])),
};

/** A cleaned style attribute. */
export interface CleanStyle {
  /** Declarations joined with ";"; "" when nothing is left. */
  css: string;
  /** The surviving declarations by property, last one wins, values in lower case without `!important`. */
  values: Map<string, string>;
}

/**
 * Cleans the content of a `style` attribute with an allow list of properties and of value functions; no URLs are
 * allowed.
 */
export function cleanStyle(style: string): CleanStyle {
  const kept: string[] = [];
  const values = new Map<string, string>();
  for (const declaration of splitDeclarations(style)) {
    const colon = declaration.indexOf(":");
    if (colon < 1) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    if (!PROPERTIES.has(property)) continue;
    const value = cleanValue(property, declaration.slice(colon + 1).trim());
    if (value === null) continue;
    kept.push(`${property}:${value}`);
    values.set(property, value.toLowerCase().replace(/\s*!\s*important$/, ""));
  }
  return { css: kept.join(";"), values };
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

function cleanValue(property: string, value: string): string | null {
  if (value === "" || value.length > MAX_VALUE_CHARS) return null;
  // A background keeps its color when its picture is removed, so white text on it stays readable.
  const kept = property.startsWith("background") ? value.replace(URL_FUNCTION, " ").trim() : value;
  if (kept === "" || !SAFE_VALUE.test(kept)) return null;
  return evenly(kept, '"') && evenly(kept, "'") && balanced(kept) ? kept.replace(/\s+/g, " ") : null;
}

function evenly(value: string, quote: string): boolean {
  return (value.split(quote).length - 1) % 2 === 0;
}

function balanced(value: string): boolean {
  let depth = 0;
  for (const char of value) {
    if (char === "(") depth += 1;
    else if (char === ")" && --depth < 0) return false;
  }
  return depth === 0;
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
