/** Compiles selectors (Selectors 4) and tests them against elements, with a limit on the work. */
import {
  AttributeAction,
  type AttributeSelector,
  type PseudoSelector,
  parse,
  type Selector,
  SelectorType,
} from "css-what";
import type { StyledElement } from "./elements.ts";

/** Selectors with more parts between spaces are ignored. */
const MAX_COMPOUNDS = 12;
/** Conditions of one compound, "td.a.b" having three. */
const MAX_TESTS = 20;
const MAX_NESTED = 20;

/** Counts down the work of one mail. */
export interface Work {
  left: number;
}

class Malformed extends Error {}

/** Thrown when a mail needs more work than it is given. */
export class TooMuchWork extends Error {}

type Test = (element: StyledElement, work: Work) => boolean;
type Combinator = SelectorType.Adjacent | SelectorType.Child | SelectorType.Descendant | SelectorType.Sibling;

interface Compound {
  tests: Test[];
  /** The relation to the compound on its left; null for the leftmost. */
  combinator: Combinator | null;
}

export interface CompiledSelector {
  /** From right to left. */
  compounds: Compound[];
  /** Specificity: ids, then classes and the like, then names; each up to 1023. */
  specificity: number;
  /** The most selective thing that an element must have: "#id", ".class", "name", or "*" for any element. */
  key: string;
  /** It asks for the content of an attribute other than the class and the id. */
  readsContent: boolean;
}

/** Pseudo-classes of browsers that are false on a static page or not supported. Others make their list malformed. */
const KNOWN_PSEUDOS = new Set(
  (
    "active autofill checked default defined dir disabled empty enabled first-of-type focus focus-visible focus-within " +
    "fullscreen has host host-context hover in-range indeterminate invalid lang last-of-type modal nth-child nth-last-child " +
    "nth-last-of-type nth-of-type only-of-type optional out-of-range placeholder-shown popover-open read-only read-write " +
    "required scope target valid visited"
  ).split(" "),
);
const KNOWN_PSEUDO_ELEMENTS =
  /^(?:after|backdrop|before|cue|first-letter|first-line|marker|part|placeholder|selection|slotted|-webkit-.+)$/;

/** css-what accepts names that start with another character; "\\" begins an escape. */
const NOT_A_NAME = /[.#](?!-?(?:[-a-z_\\\u0080-\uffff]))/i;
const STRING = /"[^"]*"|'[^']*'/g;

const UNIT = { id: 1 << 20, class: 1 << 10, name: 1 };

/**
 * Compiles a selector list. Returns an empty list when it is malformed, as browsers then ignore all of it. Leaves out
 * single selectors that no static page fulfills (`:hover`) or that are not supported. `quirks`: classes and ids in any
 * case.
 */
export function compileSelectors(list: string, quirks: boolean): CompiledSelector[] {
  if (NOT_A_NAME.test(list.replace(STRING, ""))) return [];
  try {
    return parse(list).flatMap((selector) => compile(selector, quirks) ?? []);
  } catch {
    return [];
  }
}

/** Tests an element. @throws TooMuchWork */
export function matches({ compounds }: CompiledSelector, element: StyledElement, work: Work): boolean {
  return matchesFrom(compounds, 0, element, work);
}

function matchesFrom(compounds: readonly Compound[], at: number, element: StyledElement, work: Work): boolean {
  const { tests, combinator } = compounds[at]!;
  for (const test of tests) {
    if (--work.left < 0) throw new TooMuchWork();
    if (!test(element, work)) return false;
  }
  if (combinator === null) return true;
  const goesUp = combinator === SelectorType.Child || combinator === SelectorType.Descendant;
  const once = combinator === SelectorType.Child || combinator === SelectorType.Adjacent;
  for (let other = next(element, goesUp); other !== null; other = next(other, goesUp)) {
    if (--work.left < 0) throw new TooMuchWork();
    if (matchesFrom(compounds, at + 1, other, work)) return true;
    if (once) return false;
  }
  return false;
}

function next(element: StyledElement, goesUp: boolean): StyledElement | null {
  return goesUp ? element.parent : element.previous;
}

/** Returns null for a selector that never matches here. @throws Malformed */
function compile(selector: readonly Selector[], quirks: boolean): CompiledSelector | null {
  const result: CompiledSelector = { compounds: [], specificity: 0, key: "*", readsContent: false };
  let compound: Compound = { tests: [], combinator: null };
  let isSupported = true;
  let hasPseudoElement = false;
  for (const token of selector) {
    if (isCombinator(token)) {
      if (compound.tests.length === 0 || hasPseudoElement) throw new Malformed();
      result.compounds.unshift(compound);
      compound = { tests: [], combinator: token.type };
      result.key = "*";
      continue;
    }
    const test = compileTest(token, quirks, result);
    hasPseudoElement ||= token.type === SelectorType.PseudoElement;
    isSupported &&= test !== null;
    compound.tests.push(test ?? (() => false));
  }
  if (compound.tests.length === 0) throw new Malformed();
  result.compounds.unshift(compound);
  const isTooLong =
    result.compounds.length > MAX_COMPOUNDS || result.compounds.some(({ tests }) => tests.length > MAX_TESTS);
  return isTooLong || !isSupported ? null : result;
}

function isCombinator(token: Selector): token is { type: Combinator } {
  const { Adjacent, Child, Descendant, Sibling } = SelectorType;
  return [Adjacent, Child, Descendant, Sibling].includes(token.type as Combinator);
}

/** Adds to the specificity and the key of `result`. Returns null for what is not supported. */
function compileTest(token: Selector, quirks: boolean, result: CompiledSelector): Test | null {
  switch (token.type) {
    case SelectorType.Universal:
      return () => true;
    case SelectorType.Tag: {
      if (token.namespace !== null) return null;
      if (/^-?\d/.test(token.name)) throw new Malformed();
      const name = token.name.toLowerCase();
      result.specificity += UNIT.name;
      if (result.key === "*") result.key = name;
      return (element) => element.name === name;
    }
    case SelectorType.Attribute:
      return compileAttribute(token, quirks, result);
    case SelectorType.Pseudo:
      return compilePseudo(token, quirks, result);
    case SelectorType.PseudoElement:
      if (!KNOWN_PSEUDO_ELEMENTS.test(token.name)) throw new Malformed();
      return null;
    default:
      return null;
  }
}

function compileAttribute(token: AttributeSelector, quirks: boolean, result: CompiledSelector): Test | null {
  const name = token.name.toLowerCase();
  // ".a" and "#a" have this case mode, "[class~=a]" has not.
  const isShort = token.ignoreCase === "quirks";
  if (isShort) {
    const value = quirks ? token.value.toLowerCase() : token.value;
    if (name === "id") {
      result.specificity += UNIT.id;
      result.key = `#${value}`;
      return ({ id }) => id === value;
    }
    result.specificity += UNIT.class;
    if (!result.key.startsWith("#")) result.key = `.${value}`;
    return ({ classes }) => classes.includes(value);
  }
  result.specificity += UNIT.class;
  if (name !== "class" && name !== "id" && token.action !== AttributeAction.Exists) result.readsContent = true;
  const fold = (text: string) => (token.ignoreCase === true ? text.toLowerCase() : text);
  const value = fold(token.value);
  const test = ATTRIBUTE_TESTS[token.action];
  return ({ attributes }) => {
    const own = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
    return own !== undefined && test(fold(own), value);
  };
}

/** A value longer than this is not searched in. */
const MAX_SEARCHED = 4_096;

const ATTRIBUTE_TESTS: Record<AttributeAction, (own: string, value: string) => boolean> = {
  any: (own, value) => value !== "" && own.slice(0, MAX_SEARCHED).includes(value),
  element: (own, value) => value !== "" && own.slice(0, MAX_SEARCHED).split(/\s+/).includes(value),
  end: (own, value) => value !== "" && own.endsWith(value),
  equals: (own, value) => own === value,
  exists: () => true,
  hyphen: (own, value) => own === value || own.startsWith(`${value}-`),
  not: () => false,
  start: (own, value) => value !== "" && own.startsWith(value),
};

function compilePseudo({ name, data }: PseudoSelector, quirks: boolean, result: CompiledSelector): Test | null {
  if (Array.isArray(data)) return compileNested(name, data, quirks, result);
  result.specificity += UNIT.class;
  if (name === "nth-child" && data !== null) {
    const nth = nthOf(data);
    if (nth === null) throw new Malformed();
    return ({ position }) => isNth(position, nth);
  }
  switch (name) {
    case "first-child":
      return ({ position }) => position === 1;
    case "last-child":
      return ({ last }) => last;
    case "only-child":
      return ({ position, last }) => position === 1 && last;
    case "link":
    case "any-link":
      return ({ name: own, attributes }) => own === "a" && Object.hasOwn(attributes, "href");
    case "root":
      return ({ parent }) => parent === null;
    default:
      if (!KNOWN_PSEUDOS.has(name) && !name.startsWith("-webkit-")) throw new Malformed();
      return null;
  }
}

function compileNested(name: string, lists: Selector[][], quirks: boolean, result: CompiledSelector): Test | null {
  if (lists.length > MAX_NESTED || !["is", "not", "where"].includes(name)) return null;
  const inner = lists.map((list) => compile(list, quirks));
  const known = inner.filter((each) => each !== null);
  // ":not(:hover)" would need the opposite of what is left out here.
  if (name === "not" && known.length < inner.length) return null;
  if (name !== "where") result.specificity += Math.max(0, ...known.map(({ specificity }) => specificity));
  if (known.some(({ readsContent }) => readsContent)) result.readsContent = true;
  const some: Test = (element, work) => known.some((each) => matches(each, element, work));
  return name === "not" ? (element, work) => !some(element, work) : some;
}

/** Reads "odd", "even" or "an+b"; null when malformed. */
function nthOf(text: string): { step: number; offset: number } | null {
  const plain = text.trim().toLowerCase().replace(/\s+/g, "");
  if (plain === "odd") return { step: 2, offset: 1 };
  if (plain === "even") return { step: 2, offset: 0 };
  const [, step, offset] = /^(?:([+-]?\d{0,6})n)?([+-]?\d{1,6})?$/.exec(plain) ?? [];
  if (step === undefined && offset === undefined) return null;
  const count = step === undefined ? 0 : step === "" || step === "+" ? 1 : step === "-" ? -1 : Number(step);
  return { step: count, offset: Number(offset ?? 0) };
}

function isNth(position: number, { step, offset }: { step: number; offset: number }): boolean {
  if (step === 0) return position === offset;
  const times = (position - offset) / step;
  return Number.isInteger(times) && times >= 0;
}
