import { describe, expect, test } from "bun:test";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { renderBody } from "./sanitize.ts";

/** Mails whose style sheets and backgrounds take as much work as possible. */

function render(html: string): string {
  const page = renderBody({ html, text: "", images: "none", senderDomain: "acme.test", inline: () => null });
  return page.slice(page.indexOf("<body>") + 6, page.lastIndexOf("</body>"));
}

describe("bounds", () => {
  const MB = 1_000_000;
  const repeat = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));
  const sheet = (css: string, html: string) => `<style>${css}</style>${html}`;
  const classes = Array.from({ length: 300 }, (_, i) => `c${i}`);
  test.each([
    ["many rules for every element", sheet(repeat("*{color:red;padding:1px}", 120_000), repeat("<b>x</b>", 5 * MB))],
    [
      "descendants of descendants",
      sheet(
        repeat(`${"div ".repeat(11)}b.c{color:red}`, 120_000),
        "<div>".repeat(400) + repeat("<b class=c>x</b>", 4 * MB),
      ),
    ],
    ["siblings of siblings", sheet(repeat("b~b~b~b~b~b~i{color:red}", 60_000), repeat("<b>x</b><i>y</i>", 4 * MB))],
    ["long rules", sheet(`b{${repeat("color:red;", 8_000)}}`, repeat("<b>x</b>", 5 * MB))],
    ["style sheets", repeat("<style>b{color:red}</style>", 5 * MB)],
    ["open style sheets", repeat("<style>", 5 * MB)],
    ["open rules", sheet(repeat("a{", 5 * MB), "<b>x</b>")],
    ["open parentheses", sheet(repeat("a(", 5 * MB), "<b>x</b>")],
    [
      "classes",
      sheet(
        classes.map((name) => `.${name}{color:red}`).join(""),
        repeat(`<b class="${classes.join(" ")}">x</b>`, 5 * MB),
      ),
    ],
    [
      "attributes to search",
      sheet(repeat('[title*="ab"]{color:red}', 99_000), repeat(`<b title="${"a".repeat(4000)}">`, 5 * MB)),
    ],
    ["selectors", sheet(`${repeat("a,", 120_000)}b{color:red}`, repeat("<b>x</b>", MB))],
    ["nested selectors", sheet(repeat(":not(:not(:not(:not(b)))){color:red}", 120_000), repeat("<b>x</b>", 3 * MB))],
    ["deeply nested selectors", sheet(`${":not(".repeat(60_000)}b${")".repeat(60_000)}{color:red}`, "<b>x</b>")],
    ["last children", sheet("b:last-child{color:red}", repeat("<p><b>x</b>", 5 * MB))],
    ["backgrounds", repeat("<td background=//a.test/x>", 5 * MB)],
    ["background pictures", repeat("<b style='background:url(//a.test/x.png)'>x</b>", 5 * MB)],
    ["blanks in a background", repeat(`<b style='background:url(${" ".repeat(8_000)}'>x</b>`, 5 * MB)],
    ["a large table", sheet("td{padding:4px;font:12px Arial}", `<table>${repeat("<tr><td>1<td>2", 4 * MB)}</table>`)],
  ])(
    "5 MB with %s",
    (_name, html) => {
      const work = workFromNow();
      const page = renderBody({ html, text: "", images: "remote", senderDomain: null, inline: () => null });
      expect(work()).toBeLessThan(6_000);
      expect(page.endsWith("</body></html>\n")).toBe(true);
      expect(page.length).toBeLessThan(25 * MB);
    },
    20_000,
  );

  test("a mail that needs too much work is shown without its style sheets", () => {
    const html = render(
      sheet(repeat("*{padding:1px}", 60_000), `<p style="color:red">x</p>${"<b>y</b>".repeat(5_000)}`),
    );
    expect(html).toStartWith('<p style="color:red">x</p><b>y</b>');
  });

  test("a newsletter takes a few milliseconds", () => {
    const rules = Array.from(
      { length: 150 },
      (_, i) => `.c${i},td.d${i} a,table table .e${i}{padding:${i}px;color:#333}`,
    );
    const row = (i: number) => `<tr><td class="c${i} d${i}"><a href=http://a.test/${i} class=e${i}>x</a></td></tr>`;
    const html = sheet(
      rules.join("\n"),
      `<table><tr><td><table>${Array.from({ length: 150 }, (_, i) => row(i)).join("")}</table></table>`,
    );
    const times = Array.from({ length: 30 }, () => {
      const work = workFromNow();
      render(html);
      return work();
    });
    console.info(`a newsletter with 450 selectors: ${Math.min(...times).toFixed(1)} ms`);
    expect(Math.min(...times)).toBeLessThan(40);
  });
});
