import { describe, expect, test } from "bun:test";
import { tokenize } from "@csstools/css-tokenizer";
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { type BodyInput, renderBody } from "./sanitize.ts";

/** Mails with style sheets, whose rules become style attributes. */

function render(html: string, more: Partial<BodyInput> = {}): string {
  const page = renderBody({ html, text: "", images: "none", senderDomain: "acme.test", inline: () => null, ...more });
  return page.slice(page.indexOf("<body>") + 6, page.lastIndexOf("</body>"));
}
/** The mail's content with these rules. */
const styled = (css: string, html: string) => render(`<!doctype html><style>${css}</style>${html}`);

describe("rules", () => {
  test.each([
    ["p{color:red}", "<p>x</p>", '<p style="color:red">x</p>'],
    [".a,#b{color:red}", '<p class="z a">x</p><i id=b>y</i>', '<p style="color:red">x</p><i style="color:red">y</i>'],
    ["p.a.b{color:red}", '<p class="a">x</p><p class="b a">y</p>', '<p>x</p><p style="color:red">y</p>'],
    ["[align=right]{color:red}", "<p align=right>x</p>", '<p align="right" style="color:red">x</p>'],
    ["div b{color:red}", "<div><p><b>x</b></p></div><b>y</b>", '<div><p><b style="color:red">x</b></p></div><b>y</b>'],
    ["div>b{color:red}", "<div><p><b>x</b></p></div>", "<div><p><b>x</b></p></div>"],
    ["p+p{color:red}", "<p>x</p><p>y</p>", '<p>x</p><p style="color:red">y</p>'],
    [
      "td:first-child{color:red}",
      "<table><tr><td>x<td>y</table>",
      '<table><tr><td style="color:red">x</td><td>y</td></tr></table>',
    ],
    ["b:last-child{color:red}", "<p><b>x</b><b>y</b></p>", '<p><b>x</b><b style="color:red">y</b></p>'],
    ["i:nth-child(2n){color:red}", "<p><i>x</i><i>y</i></p>", '<p><i>x</i><i style="color:red">y</i></p>'],
    [
      "table>tbody>tr>td{color:red}",
      "<table><tr><td>x</table>",
      '<table><tr><td style="color:red">x</td></tr></table>',
    ],
    ["body p{color:red}", "<p>x</p>", '<p style="color:red">x</p>'],
    [
      "a:link{color:red}",
      "<a href=http://a.test/>x</a>",
      '<a style="color:red" href="http://a.test/" target="_blank" rel="noopener noreferrer">x</a>',
    ],
    ["a:hover,p:visited,b::before{color:red}", "<p><b>x</b></p>", "<p><b>x</b></p>"],
  ])("%s", (css, html, expected) => {
    expect(styled(css, html)).toBe(expected);
  });

  test("the more specific rule wins, then the later one, and the element's own style over both", () => {
    expect(styled("p.a{color:red}p{color:blue}", "<p class=a>x</p>")).toBe('<p style="color:blue;color:red">x</p>');
    expect(styled("p{color:red}p{color:blue}", "<p>x</p>")).toBe('<p style="color:red;color:blue">x</p>');
    expect(styled("#i{color:red}", "<p id=i style=color:blue>x</p>")).toBe('<p style="color:red;color:blue">x</p>');
  });

  test("an important declaration wins over all others", () => {
    expect(styled("p{color:red !important}#i{color:green}", "<p id=i style=color:blue>x</p>")).toBe(
      '<p style="color:green;color:blue;color:red">x</p>',
    );
    expect(styled("p{color:red!important}", '<p style="color:blue!important">x</p>')).toBe(
      '<p style="color:red;color:blue">x</p>',
    );
  });

  test("rules after the elements, and of several style sheets, are read", () => {
    expect(render("<style>b{color:red}</style><p><b>x</b></p><style>p{margin:0}</style>")).toBe(
      '<p style="margin:0"><b style="color:red">x</b></p>',
    );
  });

  test("names of classes and ids have any case in mail without a document type", () => {
    expect(render("<style>.Big{color:red}</style><p class=bIG>x</p>")).toBe('<p style="color:red">x</p>');
    expect(styled(".Big{color:red}", "<p class=bIG>x</p>")).toBe("<p>x</p>");
  });

  test("hides what rules hide, and the pictures in it", () => {
    const html = "<div class=m><img src=https://a.test/p.jpg width=300 height=200></div>";
    expect(render(`<style>.m{display:none}</style>${html}`, { images: "remote" })).not.toContain("a.test");
    expect(render(`<style>.n{display:none}</style>${html}`, { images: "remote" })).toContain("a.test");
  });

  test.each([
    ["@media print{p{color:red}}", false],
    ["@media (prefers-color-scheme:dark){p{color:red}}", false],
    ["@media only screen and (max-width:480px){p{color:red}}", false],
    ["@media screen and (min-width:600px){p{color:red}}", true],
    ["@media all{@media screen{p{color:red}}}", true],
    ["@supports (color:red){p{color:red}}", false],
    ["@font-face{font-family:x;src:url(x)}@import 'x';p{color:red}", true],
    ["<!-- p{color:red} -->", true],
    ["/* p{color:red} */", false],
    ["p{color:red", true],
    ["}p{color:red}", false],
    ["p{width:1px;{}}p{color:red}", true],
  ])("%s", (css, applies) => {
    expect(styled(css, "<p>x</p>").includes("color:red")).toBe(applies);
  });

  test.each([
    '<style media="print">p{color:red}</style>',
    '<style type="text/less">p{color:red}</style>',
    "<svg><style>p{color:red}</style></svg>",
    "<math><style>p{color:red}</style></math>",
    "<noscript><style>p{color:red}</style></noscript>",
    "<template><style>p{color:red}</style></template>",
    "<!--<style>p{color:red}</style>-->",
    "<!--[if mso]><style>p{color:red}</style><![endif]-->",
    "<title><style>p{color:red}</style></title>",
    "<textarea><style>p{color:red}</style></textarea>",
    "<link rel=stylesheet href=data:text/css,p{color:red}>",
  ])("%s has no effect", (sheet) => {
    expect(render(`${sheet}<p>x</p>`)).toEndWith("<p>x</p>");
  });

  test("a body of a forwarded mail has the rules of elements, not those of the body", () => {
    expect(
      styled("body{padding:9px}p{color:red}", "<body>x<blockquote><body bgcolor=#eee><p>y</p></body></blockquote>"),
    ).toBe(
      '<div style="margin:8px;padding:9px">x<blockquote><div style="background-color:#eee"><p style="color:red">y</p></div></blockquote></div>',
    );
  });
});

describe("the body of the mail", () => {
  test("becomes a box, so that its style has no effect outside", () => {
    const mail = "<style>html{font-size:20px}body{background:#eee;color:navy;margin:0}</style><body>hi";
    const page = renderBody({
      html: mail,
      text: "",
      images: "none",
      senderDomain: null,
      inline: () => null,
      truncated: true,
    });
    expect(page).toContain(
      '<body><div style="display:flow-root;font-size:20px;background:#eee"><div style="margin:8px;color:navy;margin:0">hi</div></div>' +
        '<p class="notice"',
    );
  });

  test("has its box in mail without a body tag, too", () => {
    expect(styled("body{color:navy}", "hi")).toBe('<div style="margin:8px;color:navy">hi</div>');
  });

  test("has the colors, margins, direction and links of its attributes", () => {
    const mail =
      '<html dir=rtl><body bgcolor=FFEEDD text=navy link=red topmargin=0 onload="x()"><a href=http://a.test/>hi</a>';
    expect(render(mail)).toBe(
      '<div style="display:flow-root;background-color:#FFEEDD"><div dir="rtl" style="margin:8px;color:navy;margin-top:0px">' +
        '<a style="color:red" href="http://a.test/" target="_blank" rel="noopener noreferrer">hi</a></div></div>',
    );
  });
});

describe("the gate", () => {
  test.each([
    "position:fixed",
    "background:url(//x.test/a)",
    "behavior:url(x)",
    "-moz-binding:url(x)",
    "width:expression(alert(1))",
    "color:var(--x)",
    "--x:red",
    "color:\\72 ed",
    "c\\olor:red",
    "content:'x'",
    "cursor:url(x),auto",
    "animation:a 1s",
    "z-index:9",
    "width:attr(x)",
    "background:image-set('x' 1x)",
    "font-family:'a\n;color:red'",
    "list-style:url(x)",
    "color:env(x)",
    "width:@x",
  ])("a rule with %s", (declaration) => {
    expect(styled(`b{${declaration}}`, "<b>x</b>")).toBe("<b>x</b>");
    expect(styled("", `<b style="${declaration}">x</b>`)).toBe("<b>x</b>");
  });

  const soup = fc
    .array(
      fc.constantFrom(
        ..."p{ } ; : { ( ) [ ] , ' \" \\ /* */ <!-- --> ! @media @import # . * > url( expression( var( --x".split(" "),
        ...["color", "background", "position", "fixed", "red", "url(//x.test/a)", "url('//x.test/b')", "behavior"],
        ...[
          "\n",
          " ",
          "\\75rl(//x.test/c)",
          "!important",
          "background:",
          "<p>",
          "<b>",
          "screen",
          "0",
          "px",
          "1px",
          "%",
        ],
        ...["</style>", "<style>", "<p style='", "'>", "font-family:", "\0", "é", "u\\rl(", "image-set(", "rgb(", "${"],
      ),
      { maxLength: 40 },
    )
    .map((parts) => parts.join(""));
  const document = fc
    .array(fc.tuple(fc.boolean(), soup), { minLength: 1, maxLength: 4 })
    .map((pieces) =>
      pieces
        .map(([isSheet, text]) =>
          isSheet ? `<style>p{color:red}${text}</style>` : `<p class=a style="${text.replaceAll('"', "&quot;")}">x`,
        )
        .join(""),
    );
  const PROPERTIES = ["background", "color", "display", "font-family", "margin"];

  test("lets only known properties and values pass, whatever the mail contains", () => {
    fc.assert(
      fc.property(document, (html) => {
        const parser = new Parser({
          onattribute(name, value) {
            if (name !== "style") return;
            for (const declaration of value.split(";")) expect(PROPERTIES).toContain(declaration.split(":")[0]!);
            expect(value).not.toMatch(/[\\{}<>@]|url|expression|var\(|image-set/i);
            expect(tokenize({ css: value }).map(([type]) => String(type))).not.toContain("bad-string-token");
          },
        });
        parser.end(render(html));
      }),
      { numRuns: 2000 },
    );
  });

  test("loads no picture but those of the policy, whatever the mail contains", () => {
    fc.assert(
      fc.property(document, (html) => {
        const parser = new Parser({
          onattribute(name, value) {
            if (name !== "style") return;
            for (const [url] of value.matchAll(/url\([^)]*\)?/g))
              expect(url).toMatch(/^url\(https:\/\/x\.test\/[\w%]*\)$/);
          },
        });
        parser.end(render(html, { images: "remote" }));
      }),
      { numRuns: 2000 },
    );
  });

  test("changes nothing when it cleans its own result", () => {
    fc.assert(
      fc.property(document, fc.constantFrom("none" as const, "remote" as const), (html, images) => {
        const once = render(html, { images });
        expect(render(`<!doctype html>${once}`, { images })).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});
