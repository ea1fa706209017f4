import { describe, expect, test } from "bun:test";
import { type BodyInput, renderBody, renderPage } from "./sanitize.ts";

function render(html: string, more: Partial<BodyInput> = {}): string {
  const page = renderBody({ html, text: "", images: "none", senderDomain: "acme.test", inline: () => null, ...more });
  return page.slice(page.indexOf("<body>") + 6, page.lastIndexOf("</body>"));
}
const remote = { images: "remote" } as const;
const PICTURE = "https://cdn.test/bg.jpg";

describe("a background picture", () => {
  test.each([
    [`<table background="${PICTURE}"><tr><td>x</td></tr></table>`, `background-image:url(${PICTURE})`],
    [`<table><tr><td background=//cdn.test/bg.jpg>x</table>`, `background-image:url(${PICTURE})`],
    [`<body background="${PICTURE}">x`, `background-image:url(${PICTURE})`],
    [`<p style="background:#123 url('${PICTURE}') no-repeat">x`, `background:#123 url(${PICTURE}) no-repeat`],
    [`<p style="background-image:url( &quot;${PICTURE}&quot; )">x`, `background-image:url(${PICTURE})`],
    [`<style>p{background:url(${PICTURE}) #123}</style><p>x`, `background:url(${PICTURE}) #123`],
    [`<style>body{background-image:url(${PICTURE})}</style>x`, `background-image:url(${PICTURE})`],
  ])("of %s appears in remote mode only", (html, css) => {
    expect(render(html, remote)).toContain(css);
    expect(render(html)).not.toContain("cdn.test");
    expect(render(html)).not.toContain("url(");
  });

  test("leaves the color and the other layers when it is removed", () => {
    expect(render(`<p style="color:#eee;background:#123 url(${PICTURE}) no-repeat">x</p>`)).toBe(
      '<p style="color:#eee;background:#123 no-repeat">x</p>',
    );
    expect(render(`<p style="background:url(${PICTURE}),linear-gradient(red,blue)">x</p>`)).toBe(
      '<p style="background:none ,linear-gradient(red,blue)">x</p>',
    );
  });

  test.each([
    "http://192.168.1.1/reboot",
    "http://localhost/x.png",
    "http://[::1]/x.png",
    "bg.jpg",
    "/bg.jpg",
    "file:///x.png",
    "javascript:alert(1)",
    "data:image/svg+xml;base64,PHN2Zz4=",
    "data:text/html,x",
    "https://t.esp.test/wf/open?upn=9f1b2c3d4e5f6071",
    "https://cdn.test/pixel.gif?id=1",
  ])("%s is never loaded", (url) => {
    for (const html of [`<table background="${url}"><tr><td>x`, `<p style="background:url('${url}')">x`])
      expect(render(html, remote)).not.toMatch(/url\(|background/);
  });

  test("has its address encoded, so that nothing follows it", () => {
    const html = `<td background="https://cdn.test/a'b(c)d;e{f}g.jpg?h=&quot;i&quot;&amp;j=<k>\\l m">x`;
    expect(render(`<table><tr>${html}`, remote)).toContain(
      'style="background-image:url(https://cdn.test/a%27b%28c%29d%3Be%7Bf%7Dg.jpg?h=%22i%22&amp;j=%3Ck%3E%5Cl%20m)"',
    );
  });

  test("of the mail itself is embedded in both modes", () => {
    const inline = (id: string) => (id === "bg@x" ? { mime: "image/png", content: new Uint8Array([1, 2, 3]) } : null);
    for (const images of ["none", "remote"] as const) {
      const html = '<table background="cid:bg@x"><tr><td style="background:url(cid:other)">x';
      expect(render(html, { inline, images })).toBe(
        '<table style="background-image:url(data:image/png;base64,AQID)"><tr><td>x</td></tr></table>',
      );
    }
    expect(render("<p style='background:url(data:image/JPG;base64,/9j/4AA=)'>x</p>")).toBe(
      '<p style="background:url(data:image/jpeg;base64,/9j/4AA=)">x</p>',
    );
  });

  test("is not loaded in a hidden element, and counted", () => {
    const html = `<div style="display:none"><p style="background:url(${PICTURE})">x</p></div>`;
    const { page, removed } = renderPage({ html, text: "", ...remote, senderDomain: null, inline: () => null });
    expect(page).not.toContain("cdn.test");
    expect(removed).toEqual({ hidden: 1 });
  });

  test("does not depend on what attributes contain", () => {
    const css = `a[href*="secret"],a[href^="http"] b,i:not([title=a]){background:url(${PICTURE});color:red}`;
    const html = `<style>${css}</style><a href="http://a.test/secret"><b>x</b></a><i title=b>y</i>`;
    expect(render(html, remote)).not.toContain("cdn.test");
    expect(render(html, remote)).toContain('<i title="b" style="color:red">');
    expect(render(`<style>[class~=k],[title]{background:url(${PICTURE})}</style><p class=k>x`, remote)).toContain(
      "cdn.test",
    );
  });

  test("counts against the limits of all pictures", () => {
    const html = render(`<b style="background:url(${PICTURE})">x</b>`.repeat(6_000), remote);
    expect(html.split("cdn.test").length - 1).toBe(5_000);
    const inline = () => ({ mime: "image/png", content: new Uint8Array(6_000_000) });
    expect(render("<td background=cid:a>".repeat(50), { inline }).length).toBeLessThan(40_000_000);
  });
});
