import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { spamAssassin } from "../../../test/support/corpus.ts";
import { parseMessage } from "../mime/parse.ts";
import { htmlToText } from "./text.ts";

const read = (html: string) => htmlToText(html).replaceAll("\n", " ");

describe("leaves out text that no reader sees", () => {
  test.each([
    "display:none",
    "DISPLAY : NONE !important",
    "visibility:hidden",
    "opacity:0",
    "opacity:0.0",
    "font-size:0",
    "font-size:0px;line-height:0",
    "font-size:1px;color:#333333",
    "font: 0/0 a",
    "font:italic 700 1px Arial",
    "max-height:0;overflow:hidden",
    "height:0px;overflow:hidden",
    "position:absolute;left:-9999px",
    "position:fixed; top:-10000px",
    "text-indent:-9999px",
    "color:#fff;background-color:#FFFFFF",
    "background:white;color:rgb(255, 255, 255)",
    "mso-hide:all",
    "/* a */font-size:0/* b */",
  ])("%s", (style) => {
    expect(read(`<p>Before</p><div style="${style}">SECRET</div><p>after</p>`)).not.toContain("SECRET");
    expect(read(`<style>.pre { ${style} }</style><p>Before</p><div class="a pre">SECRET</div>`)).toBe("Before");
    expect(read(`<style>#pre,\n#post{${style}}</style><p>Before</p><div id=pre>SECRET <b>too</b></div>`)).toBe(
      "Before",
    );
    expect(read(`<p>Before</p><div style="${style}"><ul><li>SECRET</ul></div>`)).toBe("Before");
  });

  test("hidden by the hidden attribute", () => {
    expect(read("a <span hidden>b</span> c")).toBe("a c");
  });
});

describe("keeps text that some readers see", () => {
  test.each([
    "font-size:10px",
    "font-size:0.8em",
    "font-size:1em",
    "font-size:1vw",
    "font-size:calc(0px + 1em)",
    "font:700 12px Arial",
    "font:bold 1em/1.5 serif",
    "opacity:0.5",
    "visibility:visible",
    "color:#ffffff;background-color:#ffffff url(a.png)",
    "color:#fff;background:#fff url(a.png)",
    "color:#fff;background:#fff;background-image:url(a.png)",
    "color:#ffffff",
    "color:#ffffff;background-color:#fffffe",
    "color:var(--a);background:var(--a)",
    "max-height:100px;overflow:hidden",
    "height:0",
    "left:-9999px",
    "position:absolute;left:-9px",
    "text-indent:-18pt",
    "text-indent:-20px",
    "overflow:hidden",
    "display:block",
    "x-display:none-of-this",
  ])("%s", (style) => {
    expect(read(`<div style="${style}">seen</div>`)).toBe("seen");
    expect(read(`<style>.a{${style}}</style><div class="a">seen</div>`)).toBe("seen");
  });

  test.each([
    ['<td style="font-size:0"><div style="font-size:13px">seen</div></td>', "a layout cell without white space"],
    ['<div style="font-size:0"><p style="font:normal 13px Arial">seen</p></div>', "the short form"],
    ['<div style="font-size:0"><font size="2">seen</font></div>', "an old element's size"],
    ['<style>p{font-size:14px}</style><div style="font-size:0"><p>seen</p></div>', "a rule for an element"],
    ['<style>.b td .c{font-size:14px}</style><div style="font-size:0"><p class=c>seen</p></div>', "a longer rule"],
    ['<style>@media x{.c{font-size:14px}}</style><div style="font-size:0"><p class=c>seen</p></div>', "a phone's rule"],
    ['<div style="visibility:hidden"><p style="visibility:visible">seen</p></div>', "visible again"],
    ['<div style="color:#fff;background:#fff"><p style="color:#000">seen</p></div>', "another color"],
    ['<div style="color:#fff;background:#fff"><p style="background:#000">seen</p></div>', "another background"],
    ['<div style="color:#fff;background:#fff"><table bgcolor=black><td>seen</table></div>', "an old background"],
    ['<div style="color:#fff;background:#fff"><font color=red>seen</font></div>', "an old color"],
    ['<div style="color:#fff;background:#fff"><a href="x">seen</a></div>', "a link has its own color"],
    ["<style>@media print{.a{display:none}}</style><p class=a>seen</p>", "hidden on paper only"],
    ["<style media=print>.a{display:none}</style><p class=a>seen</p>", "a sheet for paper"],
    ["<style>.b .a{display:none}</style><p class=a>seen</p>", "a rule for what lies elsewhere"],
    ["<style>.a{display:none}@media x{.a{display:block!important}}</style><p class=a>seen</p>", "shown on a phone"],
    ['<style>.a{display:none}</style><p class=a style="display:block">seen</p>', "shown by its own style"],
    ["<style>.a{display:none</style><p class=a>seen</p>", "a rule that does not end"],
    ["<style>p:hover{display:none}</style><p>seen</p>", "a rule for a moment"],
  ])("%s", (html) => {
    expect(read(html)).toBe("seen");
  });

  test("a picture's description in a cell without letters", () => {
    expect(read('<td style="font-size:0"><img alt="Our new shop" src=a></td>')).toBe("Our new shop");
  });
});

test("no word is lost from 1,215 real mails, whose styles hide nothing", async () => {
  // Quote marks are removed, because their number depends on margins.
  const words = (html: string) => read(html).replace(/[\s>]+/g, "");
  let mails = 0;
  const differ: string[] = [];
  for (const { name, raw } of spamAssassin()) {
    if (!/text\/html/i.test(Buffer.from(raw).toString("latin1"))) continue;
    const { html } = await parseMessage(raw);
    if (html === null) continue;
    mails++;
    const unstyled = html.replace(/\bstyle\s*=/gi, "data-x=").replace(/<(\/?)style/gi, "<$1title");
    if (words(html) !== words(unstyled)) differ.push(name);
  }
  expect(mails).toBe(1_215);
  expect(differ).toEqual([]);
}, 120_000);

test("any style is read without throwing, and a large sheet in bounded time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string(), (style, css) => {
      const quoted = style.replaceAll('"', "");
      expect(htmlToText(`<style>${css}</style><p style="${quoted}" class="${quoted}">x</p>`)).toBeString();
    }),
    { numRuns: 300 },
  );
  const started = performance.now();
  for (const css of ["{", "}", "a", ".a{", ".a{font-size:0}", "/*", ",", "@media x{", ".a,", "font-size:0;"]) {
    htmlToText(`<style>display:none;${css.repeat(1_000_000 / css.length)}</style><p class="${"a ".repeat(100_000)}">x`);
  }
  expect(performance.now() - started).toBeLessThan(15_000);
});
