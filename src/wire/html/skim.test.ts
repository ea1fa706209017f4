import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { HtmlSkimmer, PlainSkimmer, skimHtml } from "./skim.ts";
import { htmlToText } from "./text.ts";

const LIMITS = { text: 100_000, data: 100_000 };
const times = (n: number, text: string) => text.repeat(n);

describe("hidden filler before the text of a mail does not displace the text", () => {
  test.each<[string, string]>([
    ["a comment", `<!-- ${times(3_000_000, "x")} -->`],
    ["conditional comments", times(60_000, "<!--[if mso]><table><tr><td>office</td></tr></table><![endif]-->")],
    ["an element that is not displayed", `<div style="display:none">${times(300_000, "hidden <b>words</b> ")}</div>`],
    ["nested elements that are not displayed", `<div hidden><p>a<p>b${times(200_000, "<span>c</span>")}</div>`],
    [
      "a class that a style sheet hides",
      `<style>.pre{display:none}</style><p class="pre">${times(600_000, "words ")}</p>`,
    ],
    ["style sheets", times(2_000, `<style>${times(100, ".a{color:red}")}</style>`)],
    ["scripts", `<script>${times(400_000, "var x=1;")}</script>`],
    ["zero-width characters", `<p>${times(1_500_000, "\u200b\u200c")}</p>`],
    ["references to zero-width characters", `<div>${times(300_000, "&zwnj;&nbsp;&#847; ")}</div>`],
    ["blanks", times(3_000_000, " ")],
    ["letters of no size", `<span style="font-size:0">${times(600_000, "words ")}</span>`],
    ["letters of the color of the paper", `<p style="color:#fff;background:#fff">${times(600_000, "words ")}</p>`],
    ["empty elements", times(300_000, '<div class="spacer"></div>')],
    ["line breaks", times(500_000, "<br>\n")],
    [
      "an invisible picture with its bytes",
      `<img style="display:none" src="data:image/png;base64,${times(700_000, "AAAA")}">`,
    ],
    ["a picture with its bytes", `<img src="data:image/png;base64,${times(20_000, "AAAA")}">`],
    ["long attributes", times(300, `<p data-x="${times(10_000, "y")}" style="${times(1_000, "color:red;")}">a</p>`)],
  ])("%s", (_name, filler) => {
    const html = `<html><head><title>T</title></head><body>${filler}<p>Dear Ada, <b>the</b> invoice is due.</p></body></html>`;
    const { text, cut } = skimHtml(html, LIMITS);
    expect(htmlToText(text)).toContain("Dear Ada, the invoice is due.");
    expect(cut).toBe(false);
    expect(text.length).toBeLessThan(LIMITS.text * 5 + LIMITS.data);
  });
});

test("the kept text reads like that of the whole mail", () => {
  const html = [
    "<table><tr><td></td><td>second column</td></tr></table>one<b> </b>two",
    '<p>A &lt;tag&gt; &amp; <a href="https://x.example/?a=1&amp;b=2" title=\'"q"\'>link</a></p><div><br></div>',
    '<div style="font-size:0">gone<span style="font-size:14px">seen</span></div>',
    '<blockquote type="cite">quoted</blockquote><pre>  a\n    b</pre><ol start=3><li>x<li>y</ol><img alt="Logo" src=a.png>',
  ].join("\n");
  expect(htmlToText(skimHtml(html, LIMITS).text)).toBe(htmlToText(html));
});

test("text beyond the limit is cut and marked as cut", () => {
  const { text, cut } = skimHtml(`<p>${times(50_000, "seen ")}</p>`, LIMITS);
  expect(cut).toBe(true);
  expect(htmlToText(text).length).toBeLessThanOrEqual(LIMITS.text);
  const picture = skimHtml(`<p>a</p><img src="data:image/png;base64,${times(100_000, "AAAA")}"><p>b</p>`, LIMITS);
  expect([htmlToText(picture.text), picture.cut]).toEqual(["a\n\nb", true]);
  const tags = skimHtml(times(500_000, "<b>x</b>"), LIMITS);
  expect(tags.cut).toBe(true);
  expect(tags.text.length).toBeLessThan(LIMITS.text * 12);
});

test("the result does not depend on how the HTML is split into pieces", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "<p>",
      "</p>",
      "<!--",
      "-->",
      "<b a='",
      "'>",
      '"',
      "&amp;",
      "&zwnj;",
      "<br>",
      "<td>",
      "</td>",
      "<style>",
      "</style>",
      "<img src=x>",
      "<",
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.nat(7), (pieces, step) => {
      const html = pieces.join("");
      const skimmer = new HtmlSkimmer(LIMITS);
      for (let at = 0; at < html.length; at += step + 1) skimmer.write(html.slice(at, at + step + 1));
      expect(htmlToText(skimmer.end().text)).toBe(htmlToText(skimHtml(html, LIMITS).text));
    }),
    { numRuns: 2_000 },
  );
});

test("any HTML is skimmed without throwing, in linear time", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 400 }), (html) => void skimHtml(html, LIMITS)));
  const hostile = [
    times(200_000, "<td></td>") + times(500_000, "<b></b>"),
    times(500_000, "<div>"),
    times(500_000, "</b><b>"),
    `<p ${times(300_000, "a=1 b ")}>x`,
    times(100_000, `<i x='${times(20, "&amp;")}'>`),
    `${times(3_000_000, "<")}`,
    times(1_000_000, "\u200b a"),
  ];
  for (const html of hostile) {
    const begun = performance.now();
    skimHtml(html, LIMITS);
    expect(performance.now() - begun).toBeLessThan(10_000);
  }
});

test("plain text only loses runs of invisible characters, however it is split into pieces", () => {
  const filler = times(400_000, "\u200b\u200d \n");
  const skim = (text: string, step: number) => {
    const skimmer = new PlainSkimmer({ text: 1_000 });
    for (let at = 0; at < text.length; at += step) skimmer.write(text.slice(at, at + step));
    return skimmer.end();
  };
  for (const step of [4_096, 1_000_000]) {
    const { text, cut } = skim(`Hello 👩‍👩‍👧${filler}Ada`, step);
    expect([text.replace(/\s+/g, " ").replace(/[\u200b]/g, ""), cut]).toEqual(["Hello 👩‍👩‍👧 Ada", false]);
  }
  expect(skim(times(3_000, "ab "), 500)).toMatchObject({ cut: true, text: times(3_000, "ab ").slice(0, 1_000) });
});
