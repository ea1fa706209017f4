import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { contentDisposition } from "../../http/disposition.ts";
import { parseRange } from "./ranges.ts";

describe("contentDisposition", () => {
  test.each([
    ["report.pdf", 'attachment; filename="report.pdf"'],
    ["my report (2).pdf", 'attachment; filename="my report (2).pdf"'],
    ["Größe.pdf", "attachment; filename=\"Gro_e.pdf\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe.pdf"],
    ["報告 書.pdf", "attachment; filename=\"__ _.pdf\"; filename*=UTF-8''%E5%A0%B1%E5%91%8A%20%E6%9B%B8.pdf"],
    ['a"b.txt', "attachment; filename=\"a_b.txt\"; filename*=UTF-8''a%22b.txt"],
    ["50%41.txt", "attachment; filename=\"50_41.txt\"; filename*=UTF-8''50%2541.txt"],
    ["../../etc/passwd", 'attachment; filename="_.._etc_passwd"'],
    ["C:\\evil.exe", 'attachment; filename="C:_evil.exe"'],
    ["a\r\nSet-Cookie: x=1", 'attachment; filename="aSet-Cookie: x=1"'],
    ["invoice\u202efdp.exe", 'attachment; filename="invoicefdp.exe"'],
    [".htaccess", 'attachment; filename="htaccess"'],
    ["", 'attachment; filename="attachment"'],
    ["..", 'attachment; filename="attachment"'],
    ["\ud800.txt", "attachment; filename=\"_.txt\"; filename*=UTF-8''%EF%BF%BD.txt"],
  ])("%p", (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  test("keeps the extension of a name that is too long", () => {
    expect(contentDisposition(`${"x".repeat(500)}.pdf`)).toBe(`attachment; filename="${"x".repeat(196)}.pdf"`);
  });

  test("is a valid header for every name and preserves the name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (name) => {
        const header = contentDisposition(name);
        expect(header).toMatch(
          /^attachment; filename="[\x20-\x7e]*?"(; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~-]|%[0-9A-F]{2})+)?$/,
        );
        new Headers({ "Content-Disposition": header });
        const extended = /''(.*)$/.exec(header)?.[1];
        if (extended) expect(decodeURIComponent(extended)).not.toMatch(/[/\\\n\r\0]/);
      }),
    );
  });
});

describe("parseRange", () => {
  test.each<[string | null, number, ReturnType<typeof parseRange>]>([
    [null, 10, null],
    ["bytes=0-0", 10, { start: 0, end: 1 }],
    ["bytes=0-", 10, { start: 0, end: 10 }],
    ["bytes=5-100", 10, { start: 5, end: 10 }],
    ["bytes=-3", 10, { start: 7, end: 10 }],
    ["bytes=-30", 10, { start: 0, end: 10 }],
    ["Bytes=1-2", 10, { start: 1, end: 3 }],
    ["bytes=10-", 10, "unsatisfiable"],
    ["bytes=-0", 10, "unsatisfiable"],
    ["bytes=0-", 0, "unsatisfiable"],
    ["bytes=5-2", 10, null],
    ["bytes=0-1,3-4", 10, null],
    ["items=0-1", 10, null],
    ["bytes=a-b", 10, null],
    ["bytes=-", 10, null],
    ["bytes=99999999999999999999-", 10, null],
  ])("%p of %p bytes", (header, size, range) => {
    expect(parseRange(header, size)).toEqual(range);
  });
});
