import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Browser, Page } from "playwright-core";
import { noBrowser, openBrowser } from "../../../../test/support/browser.ts";
import { renderBody } from "../sanitize.ts";

/** Compares the rules in style attributes with what Chromium makes of the same style sheets. */

const NAMES = ["div", "p", "span", "b", "a", "td"];
const compound = fc.constantFrom(
  ...["div", "p", "span", "b", "a", "table", "tr", "td", "*", ".k", ".K", ".l", ".m", "#x", "p.k", "div.l.m", "b#x"],
  ...["[class]", "[class~=k]", '[class="l m"]', "[title^=fo]", "[title$='O']", "[title*=o i]", "span[title]", "a:link"],
  ...[":first-child", "p:last-child", "b:only-child", ":nth-child(2)", "span:nth-child(odd)", ":nth-child(-n+2)"],
  ...[":not(.k)", "div:not(.l,#x)", ":is(p,.m)", ":where(#x,b)", "tbody td", "table>tbody>tr", "body", "html", ":root"],
  ...["a:hover", "a:visited", "p::before", "p::first-line", ":nosuch", "..k", "p..k", "5p", ".5k"],
);
const selector = fc
  .array(fc.tuple(compound, fc.constantFrom(" ", ">", "+", "~", " > ")), { minLength: 1, maxLength: 3 })
  .map((parts) =>
    parts
      .map(([part, join]) => part + join)
      .join("")
      .replace(/\s*[ >+~]\s*$/, ""),
  );
const declaration = fc.constantFrom(
  ...["color:#111", "color:#222", "color:#333!important", "color:#444 ! IMPORTANT", "padding-left:1px", "padding:2px"],
  ...[
    "padding-left:3px!important",
    "text-align:right",
    "text-align:center",
    "colour:red",
    "color:notacolor",
    "color:#55",
  ],
  ...["*color:#666", "color", "color:#777;;", "/*x*/color:#888/*y*/", "color:#99", "font-weight:bold", "{}color:#aaa"],
);
const rule = fc
  .tuple(fc.array(selector, { minLength: 1, maxLength: 2 }), fc.array(declaration, { maxLength: 3 }))
  .map(([selectors, declarations]) => `${selectors.join(",")}{${declarations.join(";")}}`);
const item = fc.oneof(
  { weight: 8, arbitrary: rule },
  fc
    .tuple(
      fc.constantFrom(
        ...["screen", "print", "all", "(max-width:480px)", "(min-width:600px)", "screen and (max-width: 650px)"],
        ...["(prefers-color-scheme:dark)", "only screen and (min-width:100px) and (max-width:2000px)", "not print"],
        ...["(width>=500px)", "(400px<width<=900px)", "nosuch", "print, screen", "(min-width:40em)", "(hover:hover)"],
        ...["screen and(min-width:1px)", "(-webkit-min-device-pixel-ratio:0)", "not screen", "(nosuch:1px)"],
      ),
      rule,
    )
    .map(([query, inner]) => `@media ${query}{${inner}}`),
  fc.constantFrom(
    "@import 'x.css';",
    "@font-face{font-family:x;src:url(x)}",
    "<!--",
    "-->",
    "/* p{color:red} */",
    "@charset 'x';",
  ),
  fc.constantFrom("@supports (display:nosuch){p{color:#ddd}}", "{color:#eee}", "}"),
);

interface Node {
  name: string;
  classes: string;
  attributes: string;
  children: Node[];
}

function nodes(depth: number): fc.Arbitrary<Node> {
  return fc.record({
    name: fc.constantFrom(...NAMES),
    classes: fc.constantFrom("", "k", "l", "m", "k l", "l m", "K"),
    attributes: fc.constantFrom(
      ...["", "", "", ' id="x"', ' title="foO"', ' href="http://a.test/"', ' style="color:#abc"'],
      ...[' style="padding-left:9px!important;color:#def"', ' style="text-align:left;padding:8px"'],
    ),
    children: depth === 0 ? fc.constant([]) : fc.array(nodes(depth - 1), { maxLength: 3 }),
  });
}

let serial = 0;
/**
 * Each element begins with a text that identifies it. A cell has its own table. Inside `p` and
 * `a`, which browsers close before a block or another link, every element is a `span` or a `b`.
 */
function htmlOf(tree: Node, isInline = false): string {
  const name = !isInline ? tree.name : tree.name === "b" ? "b" : "span";
  const below = isInline || name === "p" || name === "a";
  const inner = `<i>n${serial++}</i>${tree.children.map((child) => htmlOf(child, below)).join("")}`;
  const attributes = `${tree.classes === "" ? "" : ` class="${tree.classes}"`}${tree.attributes}`;
  if (name === "td") return `<table${attributes}><tbody><tr><td>${inner}</td></tr></tbody></table>`;
  return `<${name}${attributes}>${inner}</${name}>`;
}

type Look = Record<string, string>;

describe.skipIf(noBrowser("style sheets in a real browser"))("in Chromium", () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await openBrowser();
    const context = await browser.newContext({ viewport: { width: 700, height: 1000 }, javaScriptEnabled: false });
    await context.route("**/*", async (route) => {
      if (route.request().isNavigationRequest()) await route.fulfill({ contentType: "text/html", body: shown });
      else await route.abort();
    });
    page = await context.newPage();
  }, 60_000);
  afterAll(async () => await browser?.close());
  let shown = "";

  /** Returns how the elements look, by their text. */
  async function looksOf(html: string): Promise<Look> {
    shown = html;
    await page.goto("http://mail.test/");
    return await page.evaluate(() =>
      Object.fromEntries(
        [...document.querySelectorAll("i")].map((mark) => {
          const { color, paddingLeft, textAlign, fontWeight } = getComputedStyle(mark.parentElement!);
          return [mark.textContent, [color, paddingLeft, textAlign, fontWeight].join(" ")];
        }),
      ),
    );
  }

  test("elements look as with the style sheets themselves", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(item, { minLength: 1, maxLength: 6 }),
        fc.array(nodes(3), { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (items, trees, quirks) => {
          serial = 0;
          // The color of the page, and pages without a body, are not the same.
          const base = "body,table{color:#000}i{color:red}";
          const doctype = quirks ? "" : "<!doctype html>";
          const html = `${doctype}<html><head><style>${base}${items.join(" ")}</style></head><body>${trees.map((tree) => htmlOf(tree)).join("")}</body></html>`;
          const body = renderBody({ html, text: "", images: "none", senderDomain: null, inline: () => null });
          expect(await looksOf(body)).toEqual(await looksOf(html));
        },
      ),
      { numRuns: 100 },
    );
  }, 120_000);
});
