import { expect, test } from "bun:test";
import fc from "fast-check";
import PostalMime from "postal-mime";
import { parseMessage } from "../mime/parse.ts";
import { AddressFault } from "./addresses.ts";
import { type ComposeInput, composeDraft, composeMessage } from "./compose.ts";

const NOW = Date.parse("2026-03-02T09:00:00Z");
const BASE: ComposeInput = {
  from: { name: "Alice", email: "alice@mail.test" },
  to: ["bob@mail.test"],
  subject: "Hello",
  body: "Hello Bob",
  message_id: "<snd_1@mail.test>",
  now: NOW,
};

const parse = async (raw: Uint8Array) => PostalMime.parse(raw, { forceRfc822Attachments: true });
const textOf = (raw: Uint8Array) => Buffer.from(raw).toString("latin1");

/** RFC 5322 §2.1.1 and §2.3: only CRLF ends lines, and no line is longer than 998 octets. */
function expectWellFormed(raw: Uint8Array): void {
  const text = textOf(raw);
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  expect(Math.max(...text.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
}

test("plain text is sent as format=flowed and as HTML", async () => {
  const paragraph = "lorem ipsum dolor sit amet ".repeat(20).trim();
  const body = `Hi <Bob>,\n\n${paragraph}\n> you wrote\n> this\nFrom here on\n  indented https://x.test/a?b&c.\n-- \nAlice`;
  const { raw, envelope, needsSmtputf8 } = await composeMessage({ ...BASE, body });
  expectWellFormed(raw);
  const parsed = await parseMessage(raw);
  expect(parsed.text).toBe(body);
  expect(parsed.html).toContain('<a href="https://x.test/a?b&amp;c">');
  expect(parsed.html).toContain("<blockquote");
  expect(textOf(raw)).toContain("format=flowed");
  for (const line of textOf(raw).split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
  expect({ envelope, needsSmtputf8 }).toEqual({
    envelope: { from: "alice@mail.test", to: ["bob@mail.test"] },
    needsSmtputf8: false,
  });
  expect(parsed.date).toBe(NOW);
  expect(parsed.messageId).toBe("<snd_1@mail.test>");
});

test("HTML is cleaned, and its text form is readable", async () => {
  const body = `<p onclick="x()">Hello <b>Bob</b></p><script>alert(1)</script><style>p{}</style><form action="x"><input></form>
<a href="javascript:alert(1)">bad</a> <a href=" java&#10;script:alert(1)">bad</a> <a href="https://ok.test">good</a><img src="javascript:x"><iframe src="x"></iframe>
<p style="color:red;position:fixed;background:url(https://t.test/x)">red</p>`;
  const parsed = await parse((await composeMessage({ ...BASE, body })).raw);
  expect(parsed.html).toContain("<b>Bob</b>");
  expect(parsed.html).toContain('href="https://ok.test"');
  expect(parsed.html).toContain("color:red");
  expect(parsed.html).not.toMatch(/script|onclick|style>|<form|<input|iframe|position|url\(/i);
  expect(parsed.text).toMatch(/Hello Bob[\s\S]*good[\s\S]*red/);
});

test("Bcc is only in the envelope; a draft keeps it", async () => {
  const input = {
    ...BASE,
    to: ["Bob <bob@mail.test>", "bob@mail.test"],
    cc: ['"Doe, J." <j@Bücher.test>'],
    bcc: ["hidden@secret.test", "bob@mail.test"],
  };
  const { raw, envelope } = await composeMessage(input);
  expect(textOf(raw)).not.toMatch(/bcc|hidden/i);
  expect(envelope.to).toEqual(["bob@mail.test", "j@xn--bcher-kva.test", "hidden@secret.test"]);
  const draft = await parse(await composeDraft(input));
  expect(draft.bcc?.map(({ address }) => address)).toContain("hidden@secret.test");
  expect((await parse(await composeDraft({ ...input, to: [], cc: [], bcc: [] }))).subject).toBe("Hello");
});

test("attachments, inline pictures and forwarded messages keep their name, type and bytes", async () => {
  const bytes = new Uint8Array(100_000).map((_, i) => i * 7);
  const mail = Buffer.from("Subject: inner\r\n\r\nhi\r\n");
  const { raw } = await composeMessage({
    ...BASE,
    body: '<p>see <img src="cid:pic%401" alt="x"></p>',
    attachments: [
      { name: "Übersicht „Mai“.pdf", mime: "application/pdf", content: () => new Blob([bytes]).stream() },
      { name: `${"長".repeat(200)}.txt`, mime: "text/plain", content: Buffer.from("lone \r and \n stay") },
      { name: "p.png", mime: "image/png", content: bytes, content_id: "pic@1" },
      { name: "unused.png", mime: "image/png", content: bytes, content_id: "other@1" },
      { name: "../../etc/inner.eml", mime: "message/rfc822", content: mail },
      { name: "eight.eml", mime: "message/rfc822", content: Buffer.from("Subject: ü\r\n\r\n") },
      { name: "x\r\nBcc: evil@x.test", mime: "text/html\r\nX-Evil: 1", content: Buffer.from("") },
      { name: "photo\u202egpj.exe", mime: "text/plain", content: Buffer.from("x") },
    ],
  });
  expectWellFormed(raw);
  const { attachments } = await parseMessage(raw);
  expect(attachments.map(({ name, mime, disposition }) => [name, mime, disposition])).toEqual([
    ["p.png", "image/png", "inline"],
    ["Übersicht „Mai“.pdf", "application/pdf", "attachment"],
    [`${"長".repeat(65)}.txt`, "text/plain", "attachment"],
    ["unused.png", "image/png", "attachment"],
    ["inner.eml", "message/rfc822", "attachment"],
    ["eight.eml", "application/octet-stream", "attachment"],
    ["x Bcc: evil@x.test", "application/octet-stream", "attachment"],
    ["photogpj.exe", "text/plain", "attachment"],
  ]);
  expect(Buffer.compare(attachments[1]!.content!, bytes)).toBe(0);
  expect(Buffer.from(attachments[2]!.content!).toString()).toBe("lone \r and \n stay");
  expect(textOf(raw)).not.toMatch(/^(?:X-Evil|Bcc):/m);
});

test("replies have In-Reply-To and a bounded chain of References", async () => {
  const references = Array.from({ length: 80 }, (_, i) => `<${i}@x.test>`);
  const { raw } = await composeMessage({
    ...BASE,
    in_reply_to: "<79@x.test>",
    references: [...references, "junk", "<a b@c>"],
  });
  const parsed = await parseMessage(raw);
  expect(parsed.inReplyTo).toEqual(["<79@x.test>"]);
  expect(parsed.references).toEqual(["<0@x.test>", ...references.slice(-20)]);
});

test("the same input gives the same bytes", async () => {
  const input = { ...BASE, attachments: [{ name: "a", mime: "a/b", content: Buffer.from("x") }] };
  expect(textOf((await composeMessage(input)).raw)).toBe(textOf((await composeMessage(input)).raw));
});

test("the error names an address that cannot be used", async () => {
  const fault = async (input: Partial<ComposeInput>) => {
    const error = await composeMessage({ ...BASE, ...input }).catch((e: unknown) => e);
    return error instanceof AddressFault ? error.param : error;
  };
  expect(await fault({ to: ["a@b.test", "nonsense"] })).toBe("to[1]");
  expect(await fault({ cc: ["x@y.test\r\nBcc: z@z.test"] })).toBe("cc[0]");
  expect(await fault({ bcc: ["a@b.test", "a@b.test, c@d.test"] })).toBe("bcc[1]");
  expect(await fault({ to: [] })).toBe("to");
  expect(await fault({ from: { name: "", email: "no" } })).toBe("from");
});

test("a local part outside ASCII needs SMTPUTF8; a domain alone does not", async () => {
  const needed = async (to: string) => (await composeMessage({ ...BASE, to: [to] })).needsSmtputf8;
  expect(await needed("žofie@mail.test")).toBe(true);
  expect(await needed("zofie@příklad.test")).toBe(false);
  const { raw } = await composeMessage({ ...BASE, to: ["Žofie <žofie@příklad.test>"] });
  expect(Buffer.from(raw).toString()).toContain("žofie@");
});

const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 120 }),
  fc
    .array(
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        "\u0000",
        "\u2028",
        "\u0085",
        "Bcc: evil@x.test",
        "X-Evil: 1",
        "=?utf-8?Q?=0D=0AX-Evil:_1?=",
        "--",
        '"',
        "\\",
        "<",
        ">",
        "ü",
        "a".repeat(80),
        " ",
        ";",
        ",",
        "\t",
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
);

test("no field can add a header, end one or change the body", async () => {
  const expected = [
    "subject",
    "from",
    "to",
    "message-id",
    "date",
    "mime-version",
    "content-type",
    "in-reply-to",
    "references",
  ];
  await fc.assert(
    fc.asyncProperty(
      nasty,
      nasty,
      nasty,
      nasty,
      nasty,
      nasty,
      nasty,
      async (subject, name, to, file, mime, id, reply) => {
        const input: ComposeInput = {
          ...BASE,
          from: { name, email: "alice@mail.test" },
          subject,
          in_reply_to: reply,
          references: [reply, "<good@x.test>"],
          body: "Hello Bob",
          attachments: [{ name: file, mime, content: Buffer.from("content"), content_id: id }],
        };
        // When a name makes the address unusable, refusing it is correct.
        const composed = await composeMessage({ ...input, to: [`${to} <bob@mail.test>`] }).catch((error: unknown) => {
          expect(error).toBeInstanceOf(AddressFault);
          return composeMessage(input);
        });
        expectWellFormed(composed.raw);
        expect(composed.envelope.to).toEqual(["bob@mail.test"]);
        const parsed = await parse(composed.raw);
        for (const { key } of parsed.headers) expect(expected).toContain(key);
        expect(parsed.headers.filter(({ key }) => key === "from").length).toBe(1);
        expect(parsed.text?.trim()).toBe("Hello Bob");
        expect(parsed.attachments.length).toBe(1);
        expect(parsed.from?.address).toBe("alice@mail.test");
        expect(parsed.to?.map(({ address }) => address)).toEqual(["bob@mail.test"]);
        const read = await parseMessage(composed.raw);
        const line = (text: string) =>
          text
            .toWellFormed()
            .replace(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
            .trim();
        expect(read.subject).toBe(line(subject));
      },
    ),
    { numRuns: 300 },
  );
}, 60_000);

test("any text arrives as written, except for blanks at line ends", async () => {
  const line = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.lorem({ maxCount: 40 }),
    fc.constantFrom("", "-- ", "From me", " indented", "a  b", "> not", ".", ".."),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
      const body = lines
        .map((one) =>
          one
            .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "")
            .replace(/^>+/, "")
            .replace(/<\w/g, ""),
        )
        .join("\n");
      fc.pre(body.trim() !== "");
      const { raw } = await composeMessage({ ...BASE, body });
      const trimmed = (text: string) =>
        text
          .split("\n")
          .map((one) => (one === "-- " ? one : one.replace(/ +$/, "")))
          .join("\n")
          .trimEnd();
      expect(trimmed((await parseMessage(raw)).text)).toBe(trimmed(body));
    }),
    { numRuns: 300 },
  );
}, 60_000);
