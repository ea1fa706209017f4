import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Parser } from "htmlparser2";
import { workFromNow } from "../../../test/support/cpu-time.ts";
import { BODY_HEADERS, type BodyInput, bodyHeaders, renderBody } from "./sanitize.ts";

/** The fragment between the body tags. */
function render(html: string | null, more: Partial<BodyInput> = {}): string {
  const page = renderBody({ html, text: "", images: "none", senderDomain: "acme.test", inline: () => null, ...more });
  return page.slice(page.indexOf("<body>") + 6, page.lastIndexOf("</body>"));
}
const remote = { images: "remote" } as const;

describe("formatting", () => {
  test("keeps text formatting in any spelling", () => {
    expect(render('<P STYLE="FONT-SIZE:10pt;Color:RED">Hi <b>you</b></P>')).toBe(
      '<p style="font-size:10pt;color:RED">Hi <b>you</b></p>',
    );
    expect(render('<table cellpadding=4 bgcolor="#eee"><tr><td colspan=2 valign=top>x</td></tr></table>')).toBe(
      '<table cellpadding="4" bgcolor="#eee"><tr><td colspan="2" valign="top">x</td></tr></table>',
    );
  });

  test("keeps a background's color when its picture is removed", () => {
    expect(render('<td style="background:#123 url(http://x.test/a.png) no-repeat;color:#fff">x</td>')).toBe(
      '<td style="background:#123 no-repeat;color:#fff">x</td>',
    );
  });

  test("turns the body's colors into a box", () => {
    expect(render('<html><body bgcolor="FFEEDD" text="navy" onload="x()">hi</body></html>')).toBe(
      '<div style="display:flow-root;background-color:#FFEEDD"><div style="margin:8px;color:navy">hi</div></div>',
    );
  });

  test("conditional comments, titles and style sheets are not shown as text", () => {
    const mail =
      "<head><title>T</title><style>p{}</style></head><!--[if mso]><p>mso</p><![endif]--><![if !mso]>x<![endif]>";
    expect(render(mail)).toBe("x");
  });
});

describe("always removes", () => {
  test.each([
    ["<script>alert(1)</script>a", "a"],
    ["<form action=http://x.test><input name=p type=password><button>Go</button></form>", "Go"],
    ["<meta http-equiv=refresh content='0;url=http://x.test'><base href=http://x.test>a", "a"],
    ["<link rel=stylesheet href=http://x.test/a.css>a", "a"],
    ["<iframe src=http://x.test>in</iframe><object data=http://x.test><embed src=http://x.test></object>a", "a"],
    ["<svg><a href='javascript:x'>s</a></svg><math><mtext><img src=x onerror=x></mtext></math>a", "a"],
    ["<video poster=http://x.test/p src=http://x.test/v><source src=http://x.test/s></video>a", "a"],
    ["<table background=http://x.test/b.png><tr><td>a</td></tr></table>", "<table><tr><td>a</td></tr></table>"],
    ["<p onclick=x() onmouseover='y()' id=location name=cookie class=z>a</p>", "<p>a</p>"],
    ["<p style='position:fixed;top:0;behavior:url(x);-moz-binding:url(y)'>a</p>", "<p>a</p>"],
    ["<p style='width:expression(alert(1));color:u\\72l(http://x.test)'>a</p>", "<p>a</p>"],
    ["<p style='background-image:image-set(\"http://x.test/a\" 1x)'>a</p>", "<p>a</p>"],
    ["<ul style='list-style:url(http://x.test/a)'><li>a</ul>", "<ul><li>a</li></ul>"],
    ["<p style='cursor:url(http://x.test/a),auto;content:url(b);filter:url(c)'>a</p>", "<p>a</p>"],
    ["<p style='color:var(--x);width:attr(data-x);--y:url(http://x.test)'>a</p>", "<p>a</p>"],
  ])("%s", (mail, expected) => {
    expect(render(mail)).toBe(expected);
  });

  test.each([
    "javascript:alert(1)",
    "\u00a0javascript:alert(1)",
    "&nbsp;javascript:alert(1)",
    " &#1;java&#10;script:alert(1)",
    "JaVaScRiPt&colon;alert(1)",
    "vbscript:x",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "blob:http://x.test/1",
    "intent://x#Intent;end",
    "//x.test/",
    "/relative",
    "#anchor",
    "http://",
  ])("a link to %j", (href) => {
    expect(render(`<a href="${href.replaceAll('"', "&quot;")}">a</a>`)).toBe("<a>a</a>");
  });
});

test("of malformed markup only formatting elements remain, without handlers or URLs except those of links", () => {
  const piece = fc.constantFrom(
    ..."<p <a <img <svg> <math> <style> <script> </script> </style> <table> <td> <iframe </iframe> <!-- --> > /> ' \" = x".split(
      " ",
    ),
    ..." href= src= style= onclick= title= background=".split(" "),
    ..."javascript:x http://a.test/ url(http://a.test/) data:text/html,x color:red; cid:x &lt; &quot; &#0; ]]> <![CDATA[".split(
      " ",
    ),
    " ",
    "\n",
    "\0",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const parser = new Parser({
        onopentag(name, attribs) {
          expect(["p", "a", "span", "table", "td"]).toContain(name);
          for (const [attribute, value] of Object.entries(attribs)) {
            const known = ["href", "target", "rel", "title", "style", "class", "role", "aria-label"];
            expect(known).toContain(attribute);
            if (attribute === "href") expect(value).toMatch(/^https?:/);
            if (attribute === "style") expect(value).not.toMatch(/[(\\]/);
          }
        },
        oncomment: () => expect.unreachable(),
      });
      parser.end(render(`<p>${pieces.join("")}`));
    }),
    { numRuns: 2000 },
  );
});

describe("links", () => {
  test.each([
    ["http://a.test/x?a=1&amp;b=2", "http://a.test/x?a=1&amp;b=2"],
    ["HTTPS://A.test", "https://a.test/"],
    ["ht\ntps://a.test/", "https://a.test/"],
    ["www.a.test/x", "http://www.a.test/x"],
    ["mailto:you@a.test?subject=Hi%20there", "mailto:you@a.test?subject=Hi%20there"],
    ["tel:+4912345", "tel:+4912345"],
  ])("%s opens outside", (href, expected) => {
    expect(render(`<a href="${href}" target=_top rel=opener>a</a>`)).toBe(
      `<a href="${expected}" target="_blank" rel="noopener noreferrer">a</a>`,
    );
  });
});

describe("images", () => {
  const picture =
    '<img src="https://cdn.test/p.jpg" srcset="https://cdn.test/2x.jpg 2x" alt="Two & more" width=600 height=200>';

  test("a remote picture becomes a box of its size with its text but without its address", () => {
    const html = render(picture);
    expect(html).toBe(
      '<span class="blocked" role="img" aria-label="Two &amp; more" style="width:600px;height:200px;min-width:0;min-height:0">Two &amp; more</span>',
    );
  });

  test("remote mode keeps only the address, and sends its host no referrer", () => {
    expect(render(picture, remote)).toBe(
      '<img alt="Two &amp; more" width="600" height="200" src="https://cdn.test/p.jpg" referrerpolicy="no-referrer" ' +
        'loading="lazy" decoding="async" />',
    );
    expect(render("<img src=//cdn.test/p.jpg>", remote)).toContain('src="https://cdn.test/p.jpg"');
  });

  test.each(["none", "remote"] as const)("a tracking pixel leaves nothing (%s)", (images) => {
    for (const pixel of [
      '<img src="https://cdn.test/p.jpg" width="1" height="1">',
      '<img src="https://cdn.test/p.jpg" style="width:1px;height:1px">',
      '<img src="https://cdn.test/p.jpg" style="display:none">',
      '<img src="https://cdn.test/p.jpg" style="max-width:0;overflow:hidden">',
      '<img src="https://cdn.test/p.jpg" hidden>',
      '<img src="https://t.esp.test/wf/open?upn=9f1b2c3d4e5f6071">',
    ]) {
      expect(render(pixel, { images })).toBe("<span></span>");
    }
    expect(
      render('<div style="display:none"><b><img src="https://cdn.test/p.jpg"></b></div>', { images }),
    ).not.toContain("cdn.test");
  });

  test("an element after a hidden one is not hidden", () => {
    const html = '<p hidden>x<p><img src="https://cdn.test/p.jpg">';
    expect(render(html, remote)).toContain("https://cdn.test/p.jpg");
  });

  test("a spacer keeps its space", () => {
    expect(render('<img src="http://cdn.test/s.gif" width="1" height="20">', remote)).toBe(
      '<span style="display:inline-block;width:1px;height:20px"></span>',
    );
  });

  test.each([
    "http://192.168.1.1/reboot",
    "http://localhost:8080/x",
    "http://[::1]/x",
    "http://router/x",
    "http://0x7f.1/x",
    "ftp://a.test/x.png",
    "x.png",
    "file:///x.png",
  ])("%s is never requested", (src) => {
    expect(render(`<img src="${src}" alt="a" width=50 height=50>`, remote)).not.toContain("src=");
  });

  const png = new Uint8Array([137, 80, 78, 71]);
  test("cid: images are read from the mail", () => {
    const inline = (id: string) => (id === "logo@x" ? { mime: "image/PNG; name=a", content: png } : null);
    expect(render('<img src="cid:logo%40x" alt=L>', { inline })).toBe(
      '<img alt="L" src="data:image/png;base64,iVBORw==" />',
    );
    expect(render('<img src="cid:other" alt=L>', { inline })).toContain('class="blocked"');
  });

  test.each(["image/svg+xml", "text/html", "application/pdf", "image/tiff"])(
    "an inline part of type %s is not an image",
    (mime) => {
      expect(render("<img src=cid:a>", { inline: () => ({ mime, content: png }) })).not.toContain("data:");
    },
  );

  test("embedded bytes are limited per image and per mail", () => {
    const big = { mime: "image/png", content: new Uint8Array(6_000_000) };
    const html = render("<img src=cid:a>".repeat(50), { inline: () => big });
    expect(html.length).toBeLessThan(40_000_000);
    expect(
      render("<img src=cid:a>", { inline: () => ({ mime: "image/png", content: new Uint8Array(12e6) }) }),
    ).not.toContain("data:");
  });

  test("data: images of raster types are kept, others are removed", () => {
    expect(render('<img src="data:image/JPG;base64,/9j/ 4AA=">')).toBe('<img src="data:image/jpeg;base64,/9j/4AA=" />');
    for (const source of [
      "data:image/svg+xml;base64,PHN2Zz4=",
      "data:image/png,abc",
      "data:text/html;base64,PHN2Zz4=",
      "data:image/png;base64,&quot;>",
    ]) {
      expect(render(`<img src="${source}">`)).not.toContain("data:");
    }
  });
});

describe("plain text", () => {
  const text = (body: string) => render(null, { text: body }).replace(/^<div class="text">|<\/div>$/g, "");

  test("is escaped and keeps its lines", () => {
    expect(text("a <b>\n  c & d")).toBe("a &lt;b&gt;\n  c &amp; d");
    expect(renderBody({ html: "  ", text: "x", images: "none", senderDomain: null, inline: () => null })).toContain(
      ">x<",
    );
  });

  test.each([
    ["see https://a.test/x?y=1&z=(2).", "https://a.test/x?y=1&amp;z=(2)", "."],
    ["(http://a.test/x)", "http://a.test/x", ")"],
    ["<http://a.test/>", "http://a.test/", "&gt;"],
    ["www.a.test, and", "http://www.a.test/", ", and"],
    ["you@a.test!", "mailto:you@a.test", "!"],
  ])("%s has a link", (body, href, tail) => {
    const html = text(body);
    expect(html).toContain(`<a href="${href}" target="_blank" rel="noopener noreferrer">`);
    expect(html.endsWith(`</a>${tail}`)).toBe(true);
  });

  test("no other scheme becomes a link", () => {
    expect(text("javascript:alert(1) data:text/html,x file:///x")).not.toContain("<a");
  });

  test("plain text cannot create markup", () => {
    const parts = fc.constantFrom(
      "http://",
      "www.",
      "a@b.c",
      "<",
      ">",
      '"',
      "'",
      "&",
      "(",
      ")",
      " ",
      "\n",
      "x",
      ".",
      "`",
      "\0",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 30 }), (pieces) => {
        const html = text(pieces.join(""));
        const left = html.replace(/<a href="[^"<>]*" target="_blank" rel="noopener noreferrer">|<\/a>/g, "");
        expect(left).not.toMatch(/[<>"\0]/);
      }),
    );
  });
});

describe("the page", () => {
  test("is a separate document that includes the policy of its headers", () => {
    const html = "<!doctype html><p>x";
    const page = renderBody({ html, text: "", images: "none", senderDomain: null, inline: () => null });
    expect(page.startsWith('<!doctype html>\n<html><head><meta charset="utf-8">')).toBe(true);
    expect(page).toContain("default-src 'none'; img-src data:; style-src 'unsafe-inline'");
    expect(BODY_HEADERS).toEqual({
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; " +
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
    });
    expect(bodyHeaders("remote")["Content-Security-Policy"]).toContain("img-src data: http: https:;");
  });
});

describe("bounds", () => {
  const repeat = (piece: string, chars: number) => piece.repeat(Math.floor(chars / piece.length));
  const MB = 1_000_000;
  test.each([
    ["100,000 nested tags", `${"<div>".repeat(100_000)}x${"</div>".repeat(100_000)}`],
    ["end tags that match nothing", repeat("<b>", 2.5 * MB) + repeat("</i>", 2.5 * MB)],
    ["5 MB of </p>", "<b>".repeat(400) + repeat("</p>", 5 * MB)],
    ["an attribute of 1 MB", `<p title="${"a".repeat(MB)}" style="${"color:red;".repeat(MB / 10)}">x`],
    ["100,000 attributes", `<p ${Array.from({ length: 100_000 }, (_, i) => `a${i}=1`).join(" ")}>x`],
    ["5 MB of images", repeat("<img src=//a.b>", 5 * MB)],
    ["5 MB of links", repeat("<a href=http://a.b/>x", 5 * MB)],
    ["5 MB of styles", Array.from({ length: 110_000 }, (_, i) => `<b style="color:red;width:${i}px">x</b>`).join("")],
    ["5 MB of <", repeat("<", 5 * MB)],
    ["5 MB of entities", repeat("&amp;", 5 * MB)],
    ["5 MB of open comments", repeat("<!--", 5 * MB)],
    ["5 MB of <iframe>", repeat("<iframe>", 5 * MB)],
    ["5 MB of tables", repeat("<table><tr><td>x", 5 * MB)],
  ])(
    "%s",
    (_name, html) => {
      const work = workFromNow();
      const page = renderBody({ html, text: "", images: "remote", senderDomain: null, inline: () => null });
      expect(work()).toBeLessThan(6_000);
      expect(page.endsWith("</body></html>\n")).toBe(true);
    },
    20_000,
  );

  test("text below the deepest level is kept", () => {
    expect(render(`${"<div>".repeat(2000)}deep<br>down`)).toMatch(/deep<br \/>down/);
  });

  test("5 MB of addresses in a plain text are linked in bounded time", () => {
    for (const piece of ["http://a.b/c ", "a.@", `http://a${")".repeat(2000)} `, `${"www.".repeat(400)} `]) {
      const work = workFromNow();
      render(null, { text: repeat(piece, 5 * MB) });
      expect(work()).toBeLessThan(6_000);
    }
  }, 20_000);
});
