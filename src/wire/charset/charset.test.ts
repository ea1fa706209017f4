import { expect, test } from "bun:test";
import fc from "fast-check";
import iconv from "iconv-lite";
import { decodeText } from "./charset.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

test("decodes charsets of legacy mail", () => {
  for (const [charset, text] of [
    ["koi8-r", "Привет, мир"],
    ["windows-1251", "Привет, мир"],
    ["cp1251", "Привет"],
    ["gb2312", "你好，世界"],
    ["x-gbk", "鎔基"],
    ["gb18030", "你好€"],
    ["big5", "你好嗎"],
    ["cp950", "你好嗎"],
    ["Shift_JIS", "こんにちは①"],
    ["cp932", "こんにちは"],
    ["euc-jp", "こんにちは"],
    ["ks_c_5601-1987", "안녕하세요"],
    ["iso-8859-2", "Příliš žluťoučký"],
    ["ISO8859_15", "€uro"],
    ["iso-8859-8-i", "שלום"],
    ["windows-1256", "مرحبا"],
    ["tis-620", "สวัสดี"],
    ["cp437", "é▒"],
    ["macintosh", "é™"],
    ["utf-16le", "hé"],
    ["utf-32le", "hé"],
  ] as const) {
    const encodeAs = charset === "iso-8859-8-i" ? "iso-8859-8" : charset.toLowerCase().replace("x-", "");
    expect([charset, decodeText(iconv.encode(text, encodeAs), charset)]).toEqual([charset, text]);
  }
});

test("decodes seven-bit charsets", () => {
  expect(decodeText(bytes("\x1b$B$3$s\x1b(B!"), "iso-2022-jp")).toBe("こん!");
  expect(decodeText(bytes("\x1b$B$3$s\x1b(B!"), "us-ascii")).toBe("こん!");
  expect(decodeText(bytes("\x1b$)C\x0e0!\x0f a"), "iso-2022-kr")).toBe("가 a");
  expect(decodeText(bytes("a~{VPND~}~~"), "hz-gb-2312")).toBe("a中文~");
  expect(decodeText(bytes("Hi Mom -+Jjo--+-!"), "utf-7")).toBe("Hi Mom -☺-+!");
  expect(decodeText(bytes("+2D3eAA-"), "unicode-1-1-utf-7")).toBe("😀");
});

test("mislabeled bytes are decoded in their real charset", () => {
  const utf8 = Buffer.from("Café – naïve");
  for (const charset of ["us-ascii", "iso-8859-1", "windows-1252", "x-unknown", "", null]) {
    expect(decodeText(utf8, charset)).toBe("Café – naïve");
  }
  for (const charset of ["us-ascii", "utf-8", "fakescii-7", null]) {
    expect(decodeText(bytes("caf\xe9 \x93ol\xe9\x94"), charset)).toBe("café “olé”");
  }
  expect(decodeText(iconv.encode("Съешь же ещё этих мягких французских булок", "koi8-r"), "us-ascii")).toContain(
    "булок",
  );
  expect(decodeText(iconv.encode("Привет", "windows-1251"), null)).toBe("Привет");
  expect(decodeText(iconv.encode("关于会议的通知", "gbk"), null)).toBe("关于会议的通知");
  expect(decodeText(iconv.encode("会議のお知らせ", "shift_jis"), "utf-8")).toBe("会議のお知らせ");
});

test("text that is mostly UTF-8 is decoded as UTF-8", () => {
  expect(decodeText(Buffer.concat([Buffer.from("naïve façade, déjà vu "), bytes("\xff")]), "utf-8")).toBe(
    "naïve façade, déjà vu \ufffd",
  );
});

test("a byte order mark is not text, and UTF-16 is detected by the mark or by its zero bytes", () => {
  expect(decodeText(Buffer.from("\ufeffhi"), "utf-8")).toBe("hi");
  expect(decodeText(bytes("\xff\xfeh\0i\0"), "utf-16")).toBe("hi");
  expect(decodeText(bytes("\0h\0i"), "utf-16")).toBe("hi");
  expect(decodeText(bytes("h\0i\0"), "utf-16")).toBe("hi");
});

test("text that is cut inside a character ends before it", () => {
  for (const [charset, text] of [
    ["utf-8", "日本語"],
    ["gb18030", "日本語"],
    ["shift_jis", "日本語"],
    ["us-ascii", "日本語"],
  ] as const) {
    const whole = iconv.encode(text, charset === "us-ascii" ? "utf-8" : charset);
    expect([charset, decodeText(whole.subarray(0, -1), charset, true)]).toEqual([charset, "日本"]);
  }
});

test("never throws, and ASCII is ASCII in every charset but UTF-16", () => {
  const names = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.constantFrom(
      "utf-7",
      "hz",
      "iso-2022-kr",
      "base64",
      "hex",
      "ucs2",
      "__proto__",
      "constructor",
      "_sbcs",
      "utf-32",
    ),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), names, fc.boolean(), (data, name, cut) => {
      expect(typeof decodeText(data, name, cut)).toBe("string");
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-zA-Z0-9 .,\r\n]*$/), fc.string({ maxLength: 12 }), (plain, name) => {
      expect(decodeText(bytes(plain), name)).toBe(plain);
    }),
  );
});
