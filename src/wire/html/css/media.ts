/**
 * Evaluates media queries (Media Queries 4) once, for a fixed screen, because a style attribute cannot have conditions.
 */

/**
 * Width of the screen in CSS px. Mails are 600 to 680 px wide and change their layout below that, so this shows the
 * layout for computers.
 */
const SCREEN_WIDTH = 700;
const SCREEN_HEIGHT = 1000;
const MAX_QUERY_CHARS = 1_000;
const PX_PER_UNIT: Record<string, number> = { "": 1, px: 1, em: 16, rem: 16, pt: 4 / 3, cm: 37.8, in: 96 };

/** Features with a fixed answer: a computer with a mouse, in light colors, with one dot per px. */
const ANSWERS: Record<string, string> = {
  "prefers-color-scheme": "light",
  "prefers-reduced-motion": "no-preference",
  orientation: "portrait",
  hover: "hover",
  "any-hover": "hover",
  pointer: "fine",
  "any-pointer": "fine",
  scripting: "none",
};
const SIZES: Record<string, number> = {
  width: SCREEN_WIDTH,
  "device-width": SCREEN_WIDTH,
  height: SCREEN_HEIGHT,
  "device-height": SCREEN_HEIGHT,
};

/** True when a media query list holds on the fixed screen. A query that is not understood does not hold. */
export function holdsOnScreen(queries: string): boolean {
  const text = queries
    .slice(0, MAX_QUERY_CHARS)
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, " ")
    .trim()
    .toLowerCase();
  return text === "" || text.split(",").some((query) => holds(query.trim()));
}

function holds(query: string): boolean {
  const typed = /^(?:(only|not)\s+)?([a-z-]+)(?:\s+and\s+(.+))?$/.exec(query);
  const conditions = typed === null ? query : typed[3];
  const isScreen = typed === null || typed[2] === "screen" || typed[2] === "all";
  // "not" negates the whole query; one that is not understood stays false.
  const parts = conditions === undefined ? [] : conditions.split(/\s*\band\b\s*/).map(conditionOf);
  if (parts.includes(null)) return false;
  return (isScreen && parts.every((part) => part === true)) !== (typed?.[1] === "not");
}

/** Evaluates "(feature)", "(feature: value)" or a range such as "(width <= 600px)"; null when not understood. */
function conditionOf(text: string): boolean | null {
  const inner = /^\(\s*([^()]*?)\s*\)$/.exec(text)?.[1];
  if (inner === undefined) return null;
  const plain = /^([a-z-]+)(?:\s*:\s*(.+))?$/.exec(inner);
  if (plain !== null) return featureOf(plain[1]!, plain[2]);
  return rangeOf(inner);
}

function featureOf(name: string, value: string | undefined): boolean | null {
  const answer = ANSWERS[name];
  if (answer !== undefined)
    return value === undefined ? answer !== "none" && answer !== "no-preference" : value === answer;
  const [, limit, feature] = /^(min|max)-(.+)$/.exec(name) ?? [];
  const size = SIZES[feature ?? name];
  if (size !== undefined) {
    const length = value === undefined ? null : lengthOf(value);
    if (length === null) return limit === undefined && value === undefined ? true : null;
    return limit === "min" ? size >= length : limit === "max" ? size <= length : size === length;
  }
  return ratioOf(name, value);
}

/** Rules for WebKit ask for any number of dots per px. */
function ratioOf(name: string, value: string | undefined): boolean | null {
  const ratio = /^-webkit-(?:(min|max)-)?device-pixel-ratio$/.exec(name);
  if (ratio === null || value === undefined || !/^\d+(?:\.\d+)?$/.test(value)) return null;
  const asked = Number(value);
  return ratio[1] === "min" ? asked <= 1 : ratio[1] === "max" ? asked >= 1 : asked === 1;
}

function rangeOf(inner: string): boolean | null {
  const [, low, lowSign, name, highSign, high] =
    /^(?:(\S+)\s*([<>]=?)\s*)?([a-z-]+)(?:\s*([<>]=?)\s*(\S+))?$/.exec(inner) ?? [];
  const size = name === undefined ? undefined : SIZES[name];
  if (size === undefined || (low === undefined && high === undefined)) return null;
  const below = low === undefined ? true : compare(lengthOf(low), lowSign!, size);
  const above = high === undefined ? true : compare(size, highSign!, lengthOf(high));
  return below === null || above === null ? null : below && above;
}

function compare(one: number | null, sign: string, other: number | null): boolean | null {
  if (one === null || other === null) return null;
  if (sign === "<") return one < other;
  if (sign === "<=") return one <= other;
  return sign === ">" ? one > other : one >= other;
}

/** Returns a length in px; null for units that are not understood. Only 0 may lack a unit. */
function lengthOf(value: string): number | null {
  const [, number, unit] = /^(-?\d*\.?\d+)([a-z]*)$/.exec(value.trim()) ?? [];
  const factor = unit === undefined ? undefined : PX_PER_UNIT[unit];
  if (number === undefined || factor === undefined || (unit === "" && Number(number) !== 0)) return null;
  return Number(number) * factor;
}
