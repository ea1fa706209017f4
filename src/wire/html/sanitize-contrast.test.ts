import { describe, expect, test } from "bun:test";
import { renderBody } from "./sanitize.ts";

/** Text whose background is not on the page. */

function render(html: string, images: "none" | "remote" = "none"): string {
  const mail = `<!doctype html>${html}`;
  const page = renderBody({ html: mail, text: "", images, senderDomain: "acme.test", inline: () => null });
  return page.slice(page.indexOf("<body>") + 6, page.lastIndexOf("</body>"));
}
const PICTURE = "url(https://cdn.test/bg.jpg)";
const INK = "#1f2328";

describe("text whose background was removed", () => {
  test.each([
    ["the page", `<p style="background:${PICTURE};color:#fff">x</p>`, `<p style="color:#fff;color:${INK}">x</p>`],
    [
      "an inherited color",
      `<div style="color:white;background:navy"><p style="background:#fff ${PICTURE}">x</p></div>`,
      `<div style="color:white;background:navy"><p style="background:#fff;color:${INK}">x</p></div>`,
    ],
    [
      "an element inside",
      `<p style="background:${PICTURE}"><b style="color:#eee">x</b></p>`,
      `<p><b style="color:#eee;color:${INK}">x</b></p>`,
    ],
    [
      "a font color",
      `<p style="background-image:${PICTURE}"><font color=FFFFFF>x</font></p>`,
      `<p><font color="FFFFFF" style="color:${INK}">x</font></p>`,
    ],
    [
      "a dark color around it",
      `<div style="background:#000"><p style="background:${PICTURE};color:#111">x</p></div>`,
      '<div style="background:#000"><p style="color:#111;color:#ffffff">x</p></div>',
    ],
    [
      "a value that is not allowed",
      '<p style="background:var(--x);color:#fff">x</p>',
      `<p style="color:#fff;color:${INK}">x</p>`,
    ],
    [
      "a place that is not allowed",
      '<p style="position:absolute;color:#fff">x</p>',
      `<p style="color:#fff;color:${INK}">x</p>`,
    ],
    [
      "an element that is left out",
      '<form style="background:#000"><b style="color:#fff">x</b></form>',
      `<b style="color:#fff;color:${INK}">x</b>`,
    ],
    [
      "a rule",
      `<style>.h{background:${PICTURE};color:#fff}</style><p class=h>x</p>`,
      `<p style="color:#fff;color:${INK}">x</p>`,
    ],
    [
      "an attribute",
      "<table><tr><td background=https://cdn.test/bg.jpg style=color:#fff>x</td></tr></table>",
      `<table><tr><td style="color:#fff;color:${INK}">x</td></tr></table>`,
    ],
    [
      "the body",
      `<body style="background:${PICTURE};color:#fff">x</body>`,
      `<div style="margin:8px;color:#fff;color:${INK}">x</div>`,
    ],
    [
      "a link of the body's color",
      `<body link=#ffffff><p style="background:${PICTURE}"><a href=http://a.test/>x</a></p></body>`,
      `<p><a style="color:#ffffff;color:${INK}" href="http://a.test/" target="_blank" rel="noopener noreferrer">x</a></p>`,
    ],
  ])("is readable on what is behind it: %s", (_name, html, expected) => {
    expect(render(html)).toBe(expected);
  });

  test.each([
    [
      "the contrast is enough",
      `<p style="background:${PICTURE};color:#767676">x</p>`,
      '<p style="color:#767676">x</p>',
    ],
    [
      "its color is enough",
      `<p style="background:#123 ${PICTURE};color:#fff">x</p>`,
      '<p style="background:#123;color:#fff">x</p>',
    ],
    ["nothing was removed", '<p style="color:#fff">x</p>', '<p style="color:#fff">x</p>'],
    [
      "another background is in between",
      `<p style="background:${PICTURE}"><b style="background:#fff;color:#eee">x</b></p>`,
      '<p><b style="background:#fff;color:#eee">x</b></p>',
    ],
    [
      "a gradient is in between",
      `<p style="background:${PICTURE}"><b style="background:linear-gradient(red,blue);color:#fff">x</b></p>`,
      '<p><b style="background:linear-gradient(red,blue);color:#fff">x</b></p>',
    ],
  ])("keeps its color where %s", (_name, html, expected) => {
    expect(render(html)).toBe(expected);
  });

  test("keeps its color where the picture is shown", () => {
    expect(render(`<p style="background:${PICTURE};color:#fff">x</p>`, "remote")).toContain('color:#fff">');
  });

  test("has its own color again on a background inside", () => {
    const html = `<div style="background:${PICTURE};color:#fff">x<p style="background:#222">y</p></div>`;
    expect(render(html)).toBe(
      `<div style="color:#fff;color:${INK}">x<p style="background:#222;color:#ffffff">y</p></div>`,
    );
  });

  test("of a picture is readable on the box that replaces it", () => {
    const html = render('<img src=https://cdn.test/p.jpg alt=Hello style="color:#fff;font-size:30px">');
    expect(html).toContain(`color:#fff;font-size:30px;color:${INK}">Hello</span>`);
  });

  test("in a table has the color of the body in mail without a document type", () => {
    const mail = "<body text=#003300><div style=color:red><table><tr><td>x</table></div>";
    const page = renderBody({ html: mail, text: "", images: "none", senderDomain: null, inline: () => null });
    expect(page).toContain("body{color:#003300}</style>");
  });
});

test("background colors of attributes are kept", () => {
  const html = '<table bgcolor="#222222"><tr bgcolor="red"><td bgcolor="333333" style="color:#fff">x</td></tr></table>';
  expect(render(html)).toBe(html);
});
