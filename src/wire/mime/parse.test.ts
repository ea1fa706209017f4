import { expect, test } from "bun:test";
import fc from "fast-check";
import { extractAttachment, parseMessage } from "./parse.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");
const parse = (text: string) => parseMessage(bytes(text.replaceAll("\n", "\r\n")));
const names = (message: { attachments: { name: string }[] }) =>
  message.attachments.map((attachment) => attachment.name);

test("reads an ordinary message", async () => {
  const message = await parse(
    `From: =?utf-8?q?J=C3=B6?= <jo@a.example>
To: Team: b@c.example, "D, E" <d@e.example>;
Cc: x@y.example
Cc: z@y.example
Message-ID:
 <Ab.1@a.example>
In-Reply-To: <p@a.example>
References: <r@a.example> <p@a.example>
Subject: =?utf-8?q?Caf=C3=A9?=
 tomorrow
Date: Mon, 1 Jul 2024 10:00:00 +0200
Content-Type: multipart/mixed; boundary="m"

--m
Content-Type: multipart/alternative; boundary="a"

--a
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Hi =E2=9C=93
--a
Content-Type: text/html; charset=utf-8

<p>Hi</p>
--a--
--m
Content-Type: application/pdf; name="a.pdf"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="b.pdf"

aGVsbG8=
--m
Content-Type: text/plain

-- list footer
--m--
`,
  );
  expect(message).toMatchObject({
    messageId: "<Ab.1@a.example>",
    inReplyTo: ["<p@a.example>"],
    references: ["<r@a.example>", "<p@a.example>"],
    subject: "Café tomorrow",
    from: { name: "Jö", email: "jo@a.example" },
    sender: null,
    date: Date.UTC(2024, 6, 1, 8),
    text: "Hi ✓\n-- list footer",
    html: '<p>Hi</p>\n<div style="white-space: pre-wrap">-- list footer</div>',
  });
  expect(message.to.map((to) => to.email)).toEqual(["b@c.example", "d@e.example"]);
  expect(message.cc.map((to) => to.email)).toEqual(["x@y.example", "z@y.example"]);
  expect(message.headers.get("cc")).toEqual(["x@y.example", "z@y.example"]);
  expect(message.attachments).toEqual([
    {
      index: 0,
      part: null,
      name: "b.pdf",
      mime: "application/pdf",
      size: 5,
      contentId: null,
      disposition: "attachment",
      content: new Uint8Array(bytes("hello")),
    },
  ]);
});

test("reads empty and nearly empty input", async () => {
  for (const raw of ["", "\n", "\n\n\n", "garbage", ":", "From:"]) {
    const message = await parseMessage(bytes(raw));
    expect(message).toMatchObject({
      messageId: null,
      from: { name: "", email: "" },
      subject: "",
      html: null,
      date: null,
    });
    expect(message.attachments).toEqual([]);
  }
  expect((await parseMessage(bytes("just text\nin lines"))).text).toBe("just text\nin lines");
});

test("the Message-ID is as sent, even if malformed", async () => {
  for (const id of ["<a@b>", "<A.b+c=d/e@[127.0.0.1]>", "no-brackets@x", "<=?utf-8?q?a?=@x>", "<two  spaces@x>"]) {
    expect((await parse(`MESSAGE-id:   ${id}  \nSubject: x\n\n`)).messageId).toBe(id);
  }
  expect((await parseMessage(bytes("Message-ID: <\xe9@x>\n\n"))).messageId).toBe("<\xe9@x>");
});

test("reads headers in raw 8-bit bytes", async () => {
  const gbk = "\xc4\xe3\xba\xc3";
  expect((await parse(`Subject: ${gbk}\nContent-Type: text/plain; charset=gb2312\n\n${gbk}`)).subject).toBe("你好");
  const file = `--b\nContent-Disposition: attachment; filename="${Buffer.from("résumé").toString("latin1")}.pdf"\n\n\n--b--`;
  expect(names(await parse(`Content-Type: multipart/mixed; boundary=b\n\n${file}`))).toEqual(["résumé.pdf"]);
  expect((await parse("Subject: caf\xe9\n\n")).subject).toBe("café");
  expect((await parse("From: J\xc3\xb6 <j\xc3\xb6@ex\xc3\xa4.org>\n\n")).from).toEqual({
    name: "Jö",
    email: "jö@exä.org",
  });
});

test("parts that are neither text nor a file are listed: messages, reports, invitations, TNEF", async () => {
  const part = (type: string, body: string) => `--b\nContent-Type: ${type}\n\n${body}\n`;
  const message = await parse(
    `Content-Type: multipart/mixed; boundary=b\n\n${part("text/plain", "hi")}${part("message/rfc822", "Subject: inner\n\nx")}${part(
      "message/delivery-status",
      "Action: failed",
    )}${part("text/calendar; method=REQUEST", "BEGIN:VCALENDAR")}${part("application/ms-tnef; name=winmail.dat", "x")}--b--`,
  );
  expect(names(message)).toEqual(["attachment-1.eml", "attachment-2.txt", "attachment-3.ics", "winmail.dat"]);
  expect(Buffer.from(message.attachments[2]!.content!).toString()).toBe("BEGIN:VCALENDAR");
  expect(message.text).toBe("hi");
});

test("images of a related part are inline, and binary content keeps its bytes", async () => {
  const message = await parse(
    `Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html

<img src="cid:i@x">
--b
Content-Type: image/png
Content-ID: <i@x>
Content-Transfer-Encoding: binary

a
\0b\xff

--b--`,
  );
  expect(message.attachments[0]).toMatchObject({ name: "attachment-1.png", contentId: "i@x", disposition: "inline" });
  expect(Buffer.from(message.attachments[0]!.content!)).toEqual(bytes("a\r\n\0b\xff\r\n"));
});

test("broken multiparts lose no text", async () => {
  const text = async (raw: string) => (await parse(raw)).text;
  const mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
  expect(await text(`${mixed}--b\n\none\n--b\n\ntwo`)).toBe("one\ntwo");
  expect(await text(`${mixed}no part at all`)).toBe("no part at all");
  expect(await text("Content-Type: multipart/mixed\n\n--x\n\none\n--x\n\ntwo\n--x--")).toBe("one\ntwo");
  expect(await text(`${mixed}--other\n\none\n--other--`)).toBe("one");
  expect(await text(`${mixed}--b\nContent-Type: text/plain\n--b\n\ntwo\n--b--`)).toBe("two");
  expect(await text(`${mixed}--b\n\n--bc\n--b --\n--b--`)).toBe("--bc\n--b --".slice(0, 4));
  const inner = "--b\nContent-Type: multipart/alternative; boundary=c\n\n--c\n\nin\n";
  expect(await text(`${mixed}${inner}--b\n\nout\n--b--`)).toBe("in\nout");
  expect(await text(`${mixed}${inner}--c--\n--b\n\nout\n--b--`)).toBe("in\nout");
});

test("flowed text is unfolded, and invalid base64 is shown unchanged", async () => {
  expect((await parse("Content-Type: text/plain; format=flowed\n\nlong \nline\n")).text).toBe("long line\n");
  expect((await parse("Content-Transfer-Encoding: base64\n\nThis is no base64.")).text).toBe("This is no base64.");
});

test("HTML alone also gives text, in the charset that it declares", async () => {
  const message = await parse(
    'Content-Type: text/html\n\n<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>',
  );
  expect(message.text.trim()).toBe("Привет");
});

test("an attachment can be extracted alone", async () => {
  const raw = bytes(
    "Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: a/b\n\none\n--b\nContent-Type: a/b\n\ntwo\n--b--",
  );
  expect(Buffer.from((await extractAttachment(raw, 1))!.content!).toString()).toBe("two");
  expect(await extractAttachment(raw, 2)).toBeNull();
  expect(await extractAttachment(raw, -1)).toBeNull();
});

/** Pieces of MIME in random order reach far more of the parser than random bytes. */
const pieces = fc.oneof(
  fc.constantFrom(
    ..."From: |To: a@b, |Subject: |=?utf-8?q?=C3=A9?=|=?utf-8?b?4pyT|\r\n|\n|\n\n| |\t|--b|--b--|--c|--|;|:|(|)|<|>|\"|'|\\|,|@".split(
      "|",
    ),
    "Content-Type: multipart/mixed; boundary=b\n",
    "Content-Type: multipart/alternative; boundary=c\n",
    "Content-Type: text/html; charset=utf-7\n",
    "Content-Type: text/plain; format=flowed; delsp=yes; charset=utf-16\n",
    "Content-Type: message/rfc822\n",
    "Content-Transfer-Encoding: base64\n",
    "Content-Transfer-Encoding: quoted-printable\n",
    "Content-Transfer-Encoding: x-uuencode\n",
    "Content-Disposition: attachment; filename*0*=utf-8''%C3; filename*1*=%A9\n",
    "Date: Mon, 1 Jul 2024 10:00:00 +0000\n",
    "\0",
    "\xff\xfe",
  ),
  fc.uint8Array({ maxLength: 12 }).map((data) => Buffer.from(data).toString("latin1")),
);

test("never throws, and every attachment can be extracted alone", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 60 }), async (parts) => {
      const raw = bytes(parts.join(""));
      const message = await parseMessage(raw);
      expect(message.attachments.map((attachment) => attachment.index)).toEqual([...message.attachments.keys()]);
      for (const attachment of message.attachments) {
        expect(await extractAttachment(raw, attachment.index)).toEqual(attachment);
      }
    }),
    { numRuns: 500 },
  );
});

test("hostile messages are parsed cheaply", async () => {
  const head = "From: a@b.c\nSubject: hi\n";
  const mixed = "Content-Type: multipart/mixed; boundary=b\n\n";
  let nested = head;
  for (let i = 0; i < 10_000; i++) nested += `Content-Type: multipart/mixed; boundary=b${i}\n\n--b${i}\n`;
  const shapes: [string, string][] = [
    ["100,000 fields", `${head}${"X-A: b\n".repeat(100_000)}\nbody`],
    ["10,000 nested boundaries", `${nested}\nhi`],
    ["100,000 addresses", `To: ${"Name <user@example.com>, ".repeat(100_000)}\n\n`],
    ["nested groups", `To: ${"a:".repeat(300_000)}\n\n`],
    ["open comments", `To: ${"(".repeat(300_000)}\nDate: ${"(".repeat(300_000)}\n\n`],
    ["open words", `Subject: ${"=?utf-8?q?".repeat(100_000)}\n\n`],
    ["blanks", `Subject: a${" ".repeat(900_000)}b\n\n`],
    ["blanks in an address", `To: <a${" ".repeat(200_000)}@b>\n\n`],
    ["blanks in a Content-ID", `Content-Type: a/b\nContent-ID: <${" ".repeat(900_000)}x y\n\n`],
    ["carriage returns", `${head}\n${"\r".repeat(1_000_000)}x`],
    ["folds", `Subject: a${"\n x".repeat(200_000)}\n\n`],
    ["open quotes", `Content-Type: text/plain; ${'a="'.repeat(100_000)}\n\n`],
    ["200,000 empty parts", `${mixed}${"--b\n\n".repeat(200_000)}`],
    ["dashes", `${mixed}--b\n\n${"--\n".repeat(300_000)}`],
    ["lost boundaries", `${mixed}${"--b\nContent-Type: multipart/mixed; boundary=z\n\n--q\n\n".repeat(20_000)}`],
    ["charset names", Array.from({ length: 50_000 }, (_, i) => `Subject: =?x${i}?q?=E9?=\n`).join("")],
  ];
  for (const [name, raw] of shapes) {
    const before = process.cpuUsage();
    await parseMessage(bytes(raw));
    const { user, system } = process.cpuUsage(before);
    // Measures CPU time, not waiting: other tests may occupy the machine. The limit is far above the measured values
    // (most take under 100 ms) and far below the time of any quadratic algorithm.
    expect([name, (user + system) / 1000 < 5000]).toEqual([name, true]);
  }
}, 120_000);
