import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { htmlToText } from "./text.ts";

describe("HTML as text", () => {
  const cases: [string, string, string][] = [
    ["paragraphs and breaks", "<p>Dear Bo,</p><p>one<br>two</p>", "Dear Bo,\n\none\ntwo"],
    ["lines of a web mail program", "<div>one</div><div><br></div><div>two &amp; three</div>", "one\n\ntwo & three"],
    [
      "Word's paragraphs",
      '<p class="MsoNormal">one</p><p class="MsoNormal">two</p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><p class="MsoNormal">three</p>',
      "one\ntwo\n\nthree",
    ],
    ["lists", "<ul><li>tea<li>cake<ol><li>small</li><li>large</li></ol></ul>", "- tea\n- cake\n  1. small\n  2. large"],
    [
      "a table",
      "<table><tr><th>Item</th><th>Price</th></tr><tr><td>Tea</td><td>3</td></tr></table>",
      "Item  Price\nTea  3",
    ],
    ["nested layout tables", "<table><tr><td><table><tr><td><p>Hello</p></td></tr></table></td></tr></table>", "Hello"],
    ["quotes", "<blockquote>one<blockquote>two</blockquote></blockquote>after", "> one\n>\n> > two\n\nafter"],
    [
      "indentation is no quote",
      '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">one</blockquote>',
      "one",
    ],
    ["an informative link", '<a href="https://example.org/plan">our plan</a>', "our plan (https://example.org/plan)"],
    ["a link that shows its address", '<a href="https://www.example.org/">example.org</a>', "example.org"],
    ["a tracked link", '<a href="https://click.news.example.org/?qs=0123456789abcdef0123456789">Shop</a>', "Shop"],
    ["a script link", '<a href="javascript:alert(1)">x</a>', "x"],
    [
      "images",
      '<img src="a" alt="Our new shop"><img src="b" alt="image001.png"><img src="c" alt="logo">',
      "Our new shop",
    ],
    [
      "hidden preview text",
      '<div style="display:none;max-height:0">Preview</div><span hidden>x</span><p>Hello</p>',
      "Hello",
    ],
    [
      "nothing of head, style, script",
      "<head><title>T</title><style>p{}</style></head><body><script>x</script><p>Hello</p></body>",
      "Hello",
    ],
    ["comments of Word", "<!--[if mso]><p>no</p><![endif]--><p>Hello</p>", "Hello"],
    ["preformatted text", "<pre>a\n  b</pre>", "a\n  b"],
    ["invisible padding", "Hi&zwnj;&nbsp;&#847;&shy; there", "Hi there"],
    ["broken mark-up", "<p>a<b>b</i></p></div>c<", "ab\n\nc<"],
    ["no mark-up", "a < b & c", "a < b & c"],
  ];
  for (const [name, html, text] of cases) test(name, () => expect(htmlToText(html)).toBe(text));

  test("a stray end tag in a cell does not end the quote around the table", () => {
    expect(htmlToText("<blockquote><table><tr><td>a</blockquote>b</td></tr></table>c</blockquote>")).toBe(
      "> ab\n>\n> c",
    );
  });

  test("any string becomes text without throwing", () => {
    const tag = fc.constantFrom(
      "<div>",
      "</div>",
      "<p>",
      "<li>",
      "<table><td>",
      "</table>",
      "<blockquote>",
      "</blockquote>",
      "<pre>",
      "<a href=http://x.y/>",
      "</a>",
      "<br>",
      "<!--",
      "&amp;",
      "<img alt=x>",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tag, fc.string({ unit: "binary" })), { maxLength: 60 }), (parts) => {
        expect(htmlToText(parts.join(""))).toBeString();
      }),
      { numRuns: 300 },
    );
  });

  test("deep, unbalanced and large HTML is read in bounded time", () => {
    const started = performance.now();
    for (const html of [
      `${"<div>".repeat(100_000)}end`,
      "<b>".repeat(100_000) + "</i>".repeat(100_000),
      "<p>hello <b>world</b></p>".repeat(200_000),
      "<table><tr><td>".repeat(100_000),
      "<blockquote>x".repeat(100_000),
      "<".repeat(1_000_000),
    ]) {
      expect(htmlToText(html).length).toBeLessThan(5_000_000);
    }
    expect(performance.now() - started).toBeLessThan(15_000);
  });
});

test("a drawing with many parts, or an empty one, does not hide the text after it", () => {
  for (const drawing of [`<svg>${'<path d="M0 0"/>'.repeat(1000)}</svg>`, "<svg/>", "<math><mi/></math>"]) {
    expect(htmlToText(`${drawing}<p>the text</p>`)).toBe("the text");
  }
});

test("any number of elements left open in a hidden element end with it", () => {
  for (const name of ["font", "span", "b", "div"]) {
    const left = `<${name}>`.repeat(1000);
    const hidden = `<section style="display:none">${left}filler</section>`;
    expect(htmlToText(`${hidden}<p>the text</p>`)).toBe("the text");
  }
});
