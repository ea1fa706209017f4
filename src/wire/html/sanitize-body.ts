/** The box that stands for `<html>` and `<body>` of a mail, and what other HTML attributes mean as CSS. */
import type { ElementTree, StyledElement } from "./css/elements.ts";
import type { TextContrast } from "./sanitize-contrast.ts";
import type { CleanDeclaration } from "./sanitize-css.ts";

export interface BodyBox {
  /** HTML around the content of the mail. */
  before: string;
  after: string;
  /** The box sets the margins of the page. */
  hasMargins: boolean;
  /** Color of links, from `<body link>`; null when it has none. */
  linkColor: string | null;
}

/** Properties of `<html>` that the body inherits. The others would have an effect on the page around the mail. */
const INHERITED =
  /^(?:color|direction|font|letter-spacing|line-height|quotes|text-align|text-transform|word-|white-space)/;
/** Margins of `<body>` in browsers. */
const MARGIN = "margin:8px";
const BORDERED = new Set("table td th tr".split(" "));
const WITH_BACKGROUND = new Set("body table tbody td tfoot th thead tr".split(" "));

/**
 * Returns the boxes for the styles of `<html>` and `<body>`. A background fills the outer one, as it fills the window
 * of a browser (CSS Backgrounds 3 §2.11.2). Nothing of these styles reaches what the page adds itself.
 */
export function bodyBox(
  { html, body }: ElementTree,
  htmlStyle: readonly CleanDeclaration[],
  bodyStyle: readonly CleanDeclaration[],
  contrast: TextContrast,
): BodyBox {
  const isPaint = ({ property }: CleanDeclaration) => property.startsWith("background");
  const inherited = htmlStyle.filter(({ property }) => INHERITED.test(property));
  const paint = htmlStyle.some((declaration) => isPaint(declaration) && declaration.value !== "")
    ? htmlStyle
    : bodyStyle;
  const outer = [...inherited, ...paint.filter(isPaint)];
  const inner = paint === bodyStyle ? bodyStyle.filter((declaration) => !isPaint(declaration)) : bodyStyle;
  const outerStyle = cssOf(outer, contrast.box(outer));
  const innerStyle = cssOf(inner, contrast.box(inner));
  const dir = directionOf(body.attributes.dir ?? html.attributes.dir);
  const linkColor = colorOf(body.attributes.link);
  if (outerStyle === "" && innerStyle === "" && dir === "")
    return { before: "", after: "", hasMargins: false, linkColor };
  const box = `<div${dir} style="${escapeValue([MARGIN, innerStyle].filter((part) => part !== "").join(";"))}">`;
  if (outerStyle === "") return { before: box, after: "</div>", hasMargins: true, linkColor };
  // The outer box also covers the margins of the inner one.
  const around = `<div style="${escapeValue(`display:flow-root;${outerStyle}`)}">`;
  return { before: `${around}${box}`, after: "</div></div>", hasMargins: true, linkColor };
}

/**
 * Returns the CSS of presentational attributes that are not kept (HTML §15.3), not cleaned; "" when there are none. They
 * come before all rules. `linkColor` is that of the body.
 */
export function hintsOf({ name, attributes }: StyledElement, isBody: boolean, linkColor: string | null): string {
  const hints: string[] = [];
  if (attributes.hidden !== undefined) hints.push("display:none");
  if (name === "a" && attributes.href !== undefined && linkColor !== null) hints.push(`color:${linkColor}`);
  if (isBody) {
    const paper = colorOf(attributes.bgcolor);
    const ink = colorOf(attributes.text);
    if (paper !== null) hints.push(`background-color:${paper}`);
    if (ink !== null) hints.push(`color:${ink}`);
    hints.push(...marginsOf(attributes));
  }
  const border = BORDERED.has(name) ? colorOf(attributes.bordercolor) : null;
  if (border !== null) hints.push(`border-color:${border}`);
  const picture = attributes.background?.trim();
  if (picture && (isBody || WITH_BACKGROUND.has(name))) hints.push(`background-image:url(${quotable(picture)})`);
  return hints.join(";");
}

/** Returns the margins of the attributes of `<body>` (HTML §15.3.2). */
function marginsOf(attributes: StyledElement["attributes"]): string[] {
  const { marginwidth, marginheight, leftmargin, rightmargin, topmargin, bottommargin } = attributes;
  const sides = {
    left: marginwidth ?? leftmargin,
    right: marginwidth ?? rightmargin,
    top: marginheight ?? topmargin,
    bottom: marginheight ?? bottommargin,
  };
  return Object.entries(sides).flatMap(([side, value]) =>
    /^\s*\d{1,3}\s*(?:px)?\s*$/.test(value ?? "") ? [`margin-${side}:${Number.parseInt(value!, 10)}px`] : [],
  );
}

function cssOf(declarations: readonly CleanDeclaration[], ink: string | null): string {
  const kept = declarations.filter(({ value }) => value !== "").map(({ property, value }) => `${property}:${value}`);
  return [...kept, ...(ink === null ? [] : [`color:${ink}`])].join(";");
}

function directionOf(dir: string | undefined): string {
  const value = dir?.trim().toLowerCase() ?? "";
  return ["ltr", "rtl", "auto"].includes(value) ? ` dir="${value}"` : "";
}

/** Returns a color of an HTML attribute as CSS. */
function colorOf(value: string | undefined): string | null {
  const text = value?.trim() ?? "";
  if (/^[0-9a-f]{6}$/i.test(text)) return `#${text}`;
  return /^(?:#[0-9a-f]{3,6}|[a-z]{3,20})$/i.test(text) ? text : null;
}

/** Encodes the characters of an address that end an unquoted `url()`. */
function quotable(address: string): string {
  return address.replace(
    /["'()\\\s<>{};]/g,
    (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  );
}

function escapeValue(css: string): string {
  return css.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
