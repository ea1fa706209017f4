import { describe, expect, test } from "bun:test";
import { parseMessage } from "./parse.ts";

const read = (raw: string) => parseMessage(Buffer.from(raw, "latin1"));
const HEAD = "From: a@x.example\nSubject: S\nMIME-Version: 1.0\n";
const PLAIN = "Content-Type: text/plain\n\n";
const mixed = (boundary: string) => `${HEAD}Content-Type: multipart/mixed; boundary="${boundary}"\n\n`;

describe("lines of a missing or broken boundary are not shown as text", () => {
  test.each<[string, string, string]>([
    ["a missing closing line", `${mixed("b1")}--b1\n${PLAIN}hello\n`, "hello"],
    ["another boundary than declared", `${mixed("declared")}--used_xyz\n${PLAIN}hello\n--used_xyz--\n`, "hello"],
    ["another boundary, once, behind a preamble", `${mixed("b")}MIME format.\n\n--zz\n${PLAIN}hello\n`, "hello"],
    ["no boundary parameter", `${HEAD}Content-Type: multipart/mixed\n\n--zz\n${PLAIN}hello\n`, "hello"],
    [
      "a boundary cut off at the end",
      `${mixed("=_Part_12345678")}--=_Part_12345678\n${PLAIN}hello\n--=_Part_12`,
      "hello",
    ],
    ["a closing line that lost a dash", `${mixed("=_Part_1")}--=_Part_1\n${PLAIN}hello\n--=_Part_1-\n`, "hello"],
    ["a closing line alone", `${mixed("b1")}hello\n--b1--\n`, "hello"],
    ["no boundary line at all", `${mixed("b1")}hello\n`, "hello"],
    [
      "a boundary longer than the standard allows",
      `${mixed("b".repeat(300))}--${"b".repeat(300)}\n${PLAIN}hello\n--${"b".repeat(300)}--\n`,
      "hello",
    ],
    ["preamble and epilogue", `${mixed("b1")}pre\n--b1\n${PLAIN}hello\n--b1--\nepilogue\n`, "hello"],
    ["blanks behind the boundary", `${mixed("b1  ")}--b1 \t \n${PLAIN}hello\n--b1--  \n`, "hello"],
    [
      "one boundary that begins with another",
      `${mixed("b1")}--b1\nContent-Type: multipart/mixed; boundary=b1x\n\n--b1x\n${PLAIN}in\n--b1x--\n--b1\n${PLAIN}out\n--b1--\n`,
      "in\nout",
    ],
    [
      "a boundary of a multipart that was taken apart",
      `${mixed("o")}--o\n${PLAIN}hello\n\n--NextPart_abc_123--\n--o--\n`,
      "hello",
    ],
    [
      "a message that lost its Content-Type",
      `From: a@x.example\n\n--12345.6789.Mail.web2\n${PLAIN}hello\n--12345.6789.Mail.web2\nContent-Type: text/html\n\n<p>hi\n--12345.6789.Mail.web2--\n`,
      "hello\nhi",
    ],
  ])("%s", async (_name, raw, text) => {
    for (const source of [raw, raw.replaceAll("\n", "\r\n")]) expect((await read(source)).text.trim()).toBe(text);
  });

  test("text that people write between dashes is kept", async () => {
    const texts = [
      "bye\n--\nAda",
      "see\n--- 8< ---",
      "a\n-----END PGP SIGNATURE-----",
      "total\n--------------------",
      "x\n--verbose--",
    ];
    for (const text of texts) expect((await read(`From: a@x.example\n\n${text}\n`)).text).toBe(`${text}\n`);
    const quoted = `${mixed("=_Part_12345678")}--=_Part_12345678\n${PLAIN}one\n--\nAda`;
    expect((await read(quoted)).text).toBe("one\n--\nAda");
  });
});

describe("a junk line in the header is not shown as text, and no field is lost with it", () => {
  test.each<[string, string]>([
    ["between fields", "junk line without colon\nSubject: S\n\nhello\n"],
    ["before the blank line", "Subject: S\njunk line without colon\n\nhello\n"],
    ["several between fields", "junk one here\njunk two here\njunk three\nSubject: S\n\nhello\n"],
    ["several before the blank line", "Subject: S\njunk one here\njunk two here\n\nhello\n"],
    ["folded", "junk\n  folded: junk\n\tmore of it\nSubject: S\n\nhello\n"],
    ["of the mbox format", "From b@y.example Mon Jan  1 00:00:00 2001\nSubject: S\n\nhello\n"],
    ["of a quoted mbox line", ">From b@y.example Mon Jan  1 00:00:00 2001\nSubject: S\n\nhello\n"],
    ["of other bytes", "\xe9\xe8 \xff junk\nSubject: S\n\nhello\n"],
    ["with blanks in its name", "Subject: S\nA name with blanks: v\n\nhello\n"],
    ["very long", `${"x".repeat(5_000)}\nSubject: S\n\nhello\n`],
    ["of blanks, with fields behind it", "   \nSubject: S\n\nhello\n"],
    ["of blanks, as the blank line", "Subject: S\n \t\nhello\n"],
  ])("%s", async (_name, rest) => {
    for (const ending of ["\n", "\r\n"]) {
      const { from, subject, text } = await read(`From: a@x.example\n${rest}`.replaceAll("\n", ending));
      expect([from.email, subject, text]).toEqual(["a@x.example", "S", "hello\n"]);
    }
  });

  test("text without the blank line before it is kept", async () => {
    const text = async (rest: string) => (await read(`From: a@x.example\nSubject: S\n${rest}`)).text;
    expect(await text("hello there friend\nsecond line\n")).toBe("hello there friend\nsecond line\n");
    expect(await text(" \t\nhello: you\nfine\n")).toBe("hello: you\nfine\n");
    expect(await text("one line\nanother\na third\nand a fourth\n\nmore\n")).toContain("one line\nanother");
    expect((await read("Only text, and no header.\n\nMore of it.\n")).text).toContain("Only text, and no header.");
  });

  test("a header of only junk is read in linear time", async () => {
    const begun = performance.now();
    await read(`From: a@x.example\n${"junk line\n fold\n".repeat(200_000)}Subject: S\n\nhello\n`);
    await read(`From: a@x.example\n${" \n".repeat(500_000)}hello\n`);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });
});
