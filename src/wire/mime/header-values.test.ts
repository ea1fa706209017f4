import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseAddresses } from "./addresses.ts";
import { parseDate } from "./dates.ts";
import { decodeWords } from "./encoded-words.ts";
import { unflow } from "./flowed.ts";
import { parseIds } from "./ids.ts";
import { parseStructured } from "./params.ts";

test("decodes encoded words: split inside a character, folded, and in the ways that senders bend the rules", () => {
  for (const [raw, decoded] of [
    ["=?utf-8?B?4pyT4p?= =?utf-8?B?yT?=", "✓✓"],
    ["=?utf-8?Q?=E6=97?= =?utf-8?Q?=A5?=", "日"],
    ["=?gb2312?B?xOO6?= =?gb2312?B?ww==?=", "你好"],
    ["=?ISO-2022-JP?B?GyRCJDMkcxsoQg==?=", "こん"],
    ["=?iso-8859-1*en?q?a=E9_b?= c", "aé b c"],
    ["Re: =?utf-8?q?=C3=A9?= and =?utf-8?q?=C3=A8?=", "Re: é and è"],
    ["=?utf-8?q?what?now?= x", "what?now x"],
    ["=?utf-8?Q?two words?=", "two words"],
    ["=?utf-8?B?aGk?=", "hi"],
    ["=?us-ascii?Q?caf=C3=A9?=", "café"],
    ["=?x-nonsense?Q?caf=E9?=", "café"],
    ["=?utf-8?Q?open", "=?utf-8?Q?open"],
    ["=?=?==?", "=?=?==?"],
  ]) {
    expect(decodeWords(raw!)).toBe(decoded!);
  }
});

test("any text survives as encoded words", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (text, size) => {
        const bytes = Buffer.from(text);
        const words: string[] = [];
        for (let at = 0; at < bytes.length; at += size) {
          words.push(`=?UTF-8?B?${bytes.subarray(at, at + size).toString("base64")}?=`);
        }
        expect(decodeWords(words.join(" "))).toBe(bytes.toString().replace(/^\ufeff/, ""));
      },
    ),
  );
});

test("parses addresses: groups, comments, quotes, routes, UTF-8, encoded names", () => {
  const one = (name: string, email: string) => [{ name, email }];
  for (const [raw, parsed] of [
    ["Joe <joe@a.b>", one("Joe", "joe@a.b")],
    ["joe@a.b (Joe)", one("Joe", "joe@a.b")],
    ['"Doe, Joe" <joe@a.b>', one("Doe, Joe", "joe@a.b")],
    ["=?utf-8?q?Doe=2C_J=C3=B6?= <joe@a.b>", one("Doe, Jö", "joe@a.b")],
    ["=?gb2312?B?xOO6?= =?gb2312?B?ww==?= <joe@a.b>", one("你好", "joe@a.b")],
    ["Jöhn <jö@exämple.org>", one("Jöhn", "jö@exämple.org")],
    ["Pete(A nice \\) chap) <pete(his (own) account)@silly.test(his host)>", one("Pete", "pete@silly.test")],
    ["<@relay.test,@other.test:joe@a.b>", one("", "joe@a.b")],
    ["<mailto:joe@a.b>", one("", "joe@a.b")],
    ["MAILER DAEMON <>", one("MAILER DAEMON", "")],
    ["Undisclosed recipients:;", []],
    ["", []],
    [
      "Team: a@b.c, Dee <d@e.f>;, g@h.i",
      [
        { name: "", email: "a@b.c" },
        { name: "Dee", email: "d@e.f" },
        { name: "", email: "g@h.i" },
      ],
    ],
  ] as const) {
    expect([raw, parseAddresses(raw)]).toEqual([raw, [...parsed]]);
  }
  expect(parseAddresses("=?utf-8?q?a=0D=0ABcc:_x?= <a@b.c>")).toEqual(one("a Bcc: x", "a@b.c"));
});

test("parses dates, including obsolete and wrong forms", () => {
  for (const [raw, iso] of [
    ["Fri, 21 Nov 1997 09:55:06 -0600", "1997-11-21T15:55:06.000Z"],
    ["21 Nov 97 09:55:06 GMT", "1997-11-21T09:55:06.000Z"],
    ["Thu, 13 Feb 1969 23:32 -0330 (Newfoundland Time)", "1969-02-14T03:02:00.000Z"],
    ["Sun, 27 Oct 2002 23:57:07 EST", "2002-10-28T04:57:07.000Z"],
    ["Thu Feb 13 23:32:54 1969", "1969-02-13T23:32:54.000Z"],
    ["2024-02-29T10:00:00+02:00", "2024-02-29T08:00:00.000Z"],
    ["Mon, 1 Jul 2024 1:05:09 PM +0000", "2024-07-01T13:05:09.000Z"],
    ["Mon, 1 July 2024 23:59:60 GMT+0200", "2024-07-01T21:59:59.000Z"],
  ]) {
    expect(new Date(parseDate(raw!) ?? Number.NaN).toISOString()).toBe(iso!);
  }
  for (const raw of ["", "yesterday", "31 Feb 2024 10:00:00 +0000", "1 Foo 2024 10:00:00 +0000", "Wed, 15 Dec 2010"]) {
    expect(parseDate(raw)).toBeNull();
  }
});

test("ids keep their brackets, lose their folds, and are listed once each", () => {
  expect(parseIds("<a@b> <c\r\n @d> <a@b>")).toEqual(["<a@b>", "<c@d>"]);
  expect(parseIds("bare@id.example")).toEqual(["<bare@id.example>"]);
  expect(parseIds("Your message of Friday")).toEqual([]);
  const chain = Array.from({ length: 3000 }, (_, i) => `<${i}@x>`);
  const kept = parseIds(chain.join(" "));
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1000, "<0@x>", "<2999@x>"]);
});

test("parses parameters: quoted, continued, encoded, unquoted, unclosed", () => {
  const name = (raw: string) => parseStructured(raw).params.get("name");
  for (const [raw, value] of [
    ['a/b; name="x; y.txt"', "x; y.txt"],
    ['a/b; name="say \\"hi\\".txt"', 'say "hi".txt'],
    ["a/b; name=My File (1).pdf", "My File (1).pdf"],
    ["a/b; name=Invoice(1).pdf", "Invoice(1).pdf"],
    ["a/b; name*=utf-8''na%C3%AFve.txt", "naïve.txt"],
    ["a/b; name*0*=utf-8'en'%E6%97; name*1*=%A5%20; name*2=b.txt", "日 b.txt"],
    ["a/b; name*1=b.txt; name*0=a", "ab.txt"],
    ["a/b; name=old.txt; name*=koi8-r''%C1.txt", "а.txt"],
    ["a/b; name==?utf-8?q?=C3=A9?=.txt", "é.txt"],
    ['a/b; name="open; charset=x', '"open'.slice(1)],
    ["a/b; charset=utf-8 name=x.txt", "x.txt"],
    ['a/b; name="C:\\dir\\x.txt"', "C:\\dir\\x.txt"],
  ]) {
    expect([raw, name(raw!)]).toEqual([raw, value]);
  }
  expect(parseStructured("(c) Text/(d)PLAIN (e); __proto__=x; Charset = US-ASCII").value).toBe("text/plain");
  expect(parseStructured("text/plain; Charset = US-ASCII").params.get("charset")).toBe("US-ASCII");
});

test("reads flowed text: paragraphs, quotes, stuffing, signatures, delsp", () => {
  expect(unflow("one \ntwo\nthree", false)).toBe("one two\nthree");
  expect(unflow("> one \n> two\n>> deep \nout", false)).toBe("> one two\n>> deep \nout");
  expect(unflow(" > no quote\n From here", false)).toBe("> no quote\nFrom here");
  expect(unflow("bye \n-- \nJoe", false)).toBe("bye \n-- \nJoe");
  expect(unflow("日本 \n語", true)).toBe("日本語");
});
