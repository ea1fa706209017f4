/**
 * Reads from style declarations whether text is visible. Unknown properties, units and functions never hide anything.
 */

/** The properties that one element sets for itself; null means that it inherits its parent's. */
export interface VisibilityStyle {
  /** The element and everything in it is hidden, regardless of what its children set. */
  gone: boolean;
  /** Whether the letters are too small to see. Children may set another size. */
  size: "tiny" | "legible" | null;
  /** CSS `visibility`; children may be visible again. */
  visible: boolean | null;
  /**
   * "blank": the letters have the color of their background; "seen": they are painted differently from the parent's.
   */
  ink: "blank" | "seen" | null;
}

export const NO_STYLE: VisibilityStyle = { gone: false, size: null, visible: null, ink: null };

/** Longer styles are read up to this point. */
const MAX_CHARS = 4_096;
/** A style without any of these words does not affect visibility. */
const MATTERS = /display|visibility|opacity|font|height|width|mso-hide|position|text-indent|color|background/i;
/** A box this many pixels left of or above the page counts as moved out of sight. */
const OUT_OF_SIGHT_PX = 900;
const NAMED_COLORS: Record<string, string> = { white: "#ffffff", black: "#000000" };

/** Reads a style attribute, or the declarations of a rule; of two for one property the later counts. */
export function visibilityStyle(style: string): VisibilityStyle {
  if (!MATTERS.test(style)) return NO_STYLE;
  const values = declarationsOf(style);
  return { gone: isGone(values), size: sizeOf(values), visible: visibilityOf(values), ink: inkOf(values) };
}

function declarationsOf(style: string): Map<string, string> {
  const source = style.slice(0, MAX_CHARS);
  const values = new Map<string, string>();
  for (const declaration of (source.includes("/*") ? source.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ") : source).split(
    ";",
  )) {
    const colon = declaration.indexOf(":");
    if (colon < 1) continue;
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration
      .slice(colon + 1)
      .toLowerCase()
      .replace(/!\s*important\s*$/, "")
      .trim();
    if (value !== "") values.set(property, value);
  }
  return values;
}

function isGone(values: ReadonlyMap<string, string>): boolean {
  if (values.get("display") === "none" || values.get("mso-hide") === "all") return true;
  if (isZero(values.get("opacity")) || isZero(values.get("max-height"))) return true;
  const clipped = /hidden|clip/.test(values.get("overflow") ?? values.get("overflow-y") ?? "");
  if (clipped && ["height", "width", "max-width"].some((property) => isZero(values.get(property)))) return true;
  if (isOutOfSight(values.get("text-indent"))) return true;
  const lifted = /^(?:absolute|fixed)$/.test(values.get("position") ?? "");
  return lifted && ["left", "top", "right", "bottom"].some((side) => isOutOfSight(values.get(side)));
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && /^(?:0+(?:\.0*)?|\.0+)(?:[a-z]+|%)?$/.test(value);
}

function isOutOfSight(value: string | undefined): boolean {
  const pixels = value === undefined ? null : /^-(\d+(?:\.\d+)?)px$/.exec(value);
  return pixels !== null && Number(pixels[1]) >= OUT_OF_SIGHT_PX;
}

function sizeOf(values: ReadonlyMap<string, string>): VisibilityStyle["size"] {
  const size = values.get("font-size");
  if (size !== undefined) return sizeOfLength(size);
  const font = values.get("font");
  if (font === undefined || font === "inherit") return null;
  // The weight is a number, too; a size has a unit unless it is zero (CSS Fonts 4 §2.7).
  const given = /(?:^|\s)(0|[\d.]+(?:[a-z]+|%))(?=[\s/])/.exec(font);
  return given ? sizeOfLength(given[1]!) : "legible";
}

function sizeOfLength(value: string): VisibilityStyle["size"] {
  if (isZero(value)) return "tiny";
  const [, amount, unit] = /^(\d*\.?\d+)(px|pt|em|ex|ch|%)$/.exec(value) ?? [];
  if (unit === "px" || unit === "pt") return Number(amount) <= 1 ? "tiny" : "legible";
  // Relative to the parent's size.
  return unit !== undefined || /^(?:inherit|unset|smaller|larger)$/.test(value) ? null : "legible";
}

function visibilityOf(values: ReadonlyMap<string, string>): boolean | null {
  const value = values.get("visibility");
  if (value === undefined || value === "inherit" || value === "unset") return null;
  return value !== "hidden" && value !== "collapse";
}

function inkOf(values: ReadonlyMap<string, string>): VisibilityStyle["ink"] {
  const background = values.get("background-color") ?? values.get("background");
  const color = values.get("color");
  if (background === undefined && color === undefined) return null;
  // A picture behind the letters makes them readable.
  if (values.has("background-image") || /url|gradient/.test(values.get("background") ?? "")) return "seen";
  const letters = color === undefined ? null : plainColor(color);
  return letters !== null && background !== undefined && letters === plainColor(background) ? "blank" : "seen";
}

/** Returns a color as #rrggbb; null for unknown or translucent colors. */
function plainColor(value: string): string | null {
  if (/^#[\da-f]{6}$/.test(value)) return value;
  if (/^#[\da-f]{3}$/.test(value)) return value.replace(/[\da-f]/g, "$&$&");
  const [, ...parts] = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(value) ?? [];
  if (parts.length === 3) return `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
  return NAMED_COLORS[value] ?? null;
}
