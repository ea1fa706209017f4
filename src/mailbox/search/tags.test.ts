import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { TAGS, tagsOf } from "./tags.ts";

const file = (name: string, mime?: string) => tagsOf({ attachments: [{ name, ...(mime ? { mime } : {}) }], text: "" });
const text = (content: string) => tagsOf({ attachments: [], text: content });
const html = (source: string) => tagsOf({ attachments: [], text: "", html: source });

describe("tags of attachments", () => {
  test.each([
    ["report.pdf", undefined, ["pdf"]],
    ["Scan.PDF ", "application/octet-stream", ["pdf"]],
    ["scan", "application/pdf", ["pdf"]],
    ["IMG_1.HEIC", undefined, ["image"]],
    ["", "Image/PNG", ["image"]],
    ["letter.docx", "application/zip", ["document"]],
    ["letter", "application/vnd.openxmlformats-officedocument.wordprocessingml.document; charset=binary", ["document"]],
    ["letter.odt", undefined, ["document"]],
    ["data.csv", "application/vnd.ms-excel", ["spreadsheet"]],
    ["table.xlsx", undefined, ["spreadsheet"]],
    ["table", "application/vnd.oasis.opendocument.spreadsheet", ["spreadsheet"]],
    ["talk.pptx", undefined, ["presentation"]],
    ["talk.key", "application/x-iwork-keynote-sffkey", ["presentation"]],
    ["server.key", "application/octet-stream", []],
    ["notes.txt", "text/plain", []],
    ["invite.ics", "text/calendar", []],
    ["pdf", undefined, []],
    [".pdf", undefined, ["pdf"]],
    ["archive.pdf.zip", "application/zip", []],
    // The name and the type may differ: the file is found by both.
    ["scan.pdf", "image/tiff", ["pdf", "image"]],
  ])("%s (%s)", (name, mime, expected) => {
    expect(file(name, mime)).toEqual(expected as (typeof TAGS)[number][]);
  });

  test("of several attachments appear once each, in a fixed order", () => {
    const attachments = ["b.png", "a.pdf", "c.jpg", "d.ppt", "e.xls", "f.doc"].map((name) => ({ name }));
    expect(tagsOf({ attachments, text: "see https://example.org" })).toEqual([
      ...["pdf", "image", "document", "spreadsheet", "presentation", "link"],
    ] as (typeof TAGS)[number][]);
  });
});

describe("tags of links", () => {
  test.each([
    ["see https://example.org/x", true],
    ["HTTP://EXAMPLE.ORG", true],
    ["(http://[::1]/)", true],
    ["https://müller.example", true],
    ["https://", false],
    ["http:// nothing", false],
    ["ftp://example.org mailto:ada@example.org", false],
    ["://example.org", false],
    ["www.example.org", false],
    ["", false],
    [`${"://".repeat(50)} https://example.org`, true],
  ])("in the text %s: %p", (content, expected) => {
    expect(text(content)).toEqual(expected ? ["link"] : []);
  });

  test.each([
    ['<p>Click <a class="x" href="https://example.org">here</a></p>', true],
    ["<A HREF = 'HTTP://EXAMPLE.ORG'>", true],
    ["<a\nhref=https://example.org>", true],
    ['<a href=" https://example.org">', true],
    ['<area shape="rect" href="https://example.org">', true],
    ['<a name="top"><a href="https://example.org">', true],
    ['<a href="https://example.org', true],
    ['<a href="mailto:ada@example.org">', false],
    ['<a href="#top">', false],
    ['<a href="https://">', false],
    ['<a title="href">', false],
    ['<link rel="stylesheet" href="https://example.org/x.css">', false],
    ['<img src="https://example.org/x.png">', false],
    ['<abbr href="https://example.org">', false],
    ["", false],
  ])("in the HTML %s: %p", (source, expected) => {
    expect(html(source)).toEqual(expected ? ["link"] : []);
  });
});

describe("any message", () => {
  test("has only tags of the list, without duplicates and in the order of the list", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "<a ",
        "<A\n",
        "href",
        "=",
        '"',
        "https://",
        "http://",
        "x",
        ">",
        "<",
        " ",
        "İ",
        "\ud800",
        ".pdf",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
    );
    const string = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(string, string, string, string, (name, mime, text, html) => {
        const tags = tagsOf({ attachments: [{ name, mime }], text, html });
        expect(tags).toEqual(TAGS.filter((tag) => tags.includes(tag)));
      }),
      { numRuns: 500 },
    );
  });

  test("is read in linear time", () => {
    // A million of each: a quadratic reader would take hours.
    for (const part of ["<a ", "<a href=", "<a href = ", "href ", "<", "://", "http://", "<a href='", " ", "<area>"]) {
      const hostile = part.repeat(1_000_000 / part.length);
      tagsOf({ attachments: [{ name: hostile, mime: hostile }], text: hostile, html: hostile });
      tagsOf({ attachments: [], text: "", html: `<a ${hostile}` });
      tagsOf({ attachments: [], text: "", html: `<a href${hostile}` });
    }
  }, 30_000);
});
