import { expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../../test/support/body-structure.ts";
import { FIXTURES } from "../../../test/support/fixtures-path.ts";
import { htmlToText } from "../html/text.ts";
import { parseMessage } from "./parse.ts";
import { parseFromParts } from "./parts.ts";
import { planParts } from "./structure.ts";

const MIME = join(FIXTURES, "mime");
const missing = !existsSync(MIME);
if (missing) console.info(`skipped: the MIME suites of other projects are missing (${MIME})`);

function filesBelow(folder: string, ending: RegExp): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => ending.test(name)).sort();
}

/** The parts of Stalwart's own parse, as its JSON lists them. */
interface ExpectedPart {
  headers: {
    name: unknown;
    value: { Text?: string; ContentType?: { attributes: { name: string; value: string }[] | null } };
  }[];
  body: { Text?: string; Html?: string };
}
interface Expected {
  text_body: number[];
  html_body: number[];
  attachments: number[];
  parts: ExpectedPart[];
}

/** Messages that we deliberately read differently. The suite's expectations are the output of its own parser. */
const DIFFERENT: Record<string, string> = {
  "malformed/001": "takes the outer boundary for the inner one, which is its prefix",
  "malformed/009": "does not end an unclosed inner multipart at the outer boundary (RFC 2046 §5.1.2 does)",
  "malformed/011": "as 009",
  "malformed/012": "as 009",
  "malformed/016": "as 001",
  "malformed/019": "a damaged message; takes the first boundary line that differs in case from the declared one",
  "malformed/020": "the second Content-Type counts there, the first one here (as for IMAP servers)",
  "malformed/021": "as 020",
  "thirdparty/002": "shows what does not decode as base64 as U+FFFD; here it stays readable",
  "thirdparty/005": "finds a boundary in the middle of a line",
  "thirdparty/015": "loses two of three attached messages to a boundary inside the first",
};

const plain = (text: string) => text.replace(/[\s\0]+/g, " ").trim();

/** Compares texts except for white space; U+FFFD in the expected text may be a letter that we could read. */
function same(expected: string, got: string): boolean {
  const pattern = plain(expected)
    .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
    .replace(/\ufffd+/g, "[^\\s]{1,3}");
  return new RegExp(`^${pattern}$`, "u").test(plain(got));
}

function parameter(part: ExpectedPart, header: string, name: string): string | undefined {
  const value = part.headers.find((candidate) => candidate.name === header)?.value;
  return value?.ContentType?.attributes?.find((attribute) => attribute.name === name)?.value;
}

/** Returns the subject, text and attachment names of Stalwart's parse. */
function expectation({ parts, ...lists }: Expected, broken: boolean) {
  const isText = (index: number) => parts[index]!.body.Text !== undefined || parts[index]!.body.Html !== undefined;
  const nameOf = (index: number) =>
    parameter(parts[index]!, "content_disposition", "filename") ?? parameter(parts[index]!, "content_type", "name");
  // Stalwart lists the last text of an unclosed multipart as a nameless attachment, which no sender meant.
  const leftOver = lists.attachments.filter(
    (index) =>
      broken &&
      isText(index) &&
      nameOf(index) === undefined &&
      !parts[index]!.headers.some(({ name }) => name === "content_disposition") &&
      !lists.text_body.includes(index),
  );
  const texts = [...lists.text_body, ...leftOver].filter(isText);
  const files = new Set([...lists.attachments, ...lists.text_body, ...lists.html_body]);
  return {
    subject: parts[0]!.headers.find(({ name }) => name === "subject")?.value.Text ?? "",
    text: texts.map((index) => parts[index]!.body.Text ?? htmlToText(parts[index]!.body.Html!)).join("\n"),
    names: [...files]
      .filter((index) => (lists.attachments.includes(index) && !leftOver.includes(index)) || !isText(index))
      .sort((a, b) => a - b)
      .map(nameOf),
  };
}

test.skipIf(missing)("matches Stalwart's suite in subject, text and attachments", async () => {
  const folder = join(MIME, "stalwart/eml");
  const wrong: string[] = [];
  let agreed = 0;
  const cases = filesBelow(folder, /\.json$/);
  for (const name of cases) {
    const key = name.replace(/\..*$/, "");
    const source = readFileSync(join(folder, `${key}.eml`), "latin1");
    const raw = name.endsWith(".crlf.json") ? source.replace(/\r?\n/g, "\r\n") : source;
    const expected = expectation(JSON.parse(readFileSync(join(folder, name), "utf8")), key.startsWith("malformed/"));
    const message = await parseMessage(Buffer.from(raw, "latin1"));
    const namesAgree =
      message.attachments.length === expected.names.length &&
      message.attachments.every(({ name: got }, index) => {
        const wanted = expected.names[index];
        // A name from a header that Stalwart cannot read is fine; backslashes of Windows paths are kept.
        return wanted === undefined || same(wanted, got) || same(wanted, got.replaceAll("\\", ""));
      });
    if (same(expected.subject, message.subject) && same(expected.text, message.text) && namesAgree) agreed++;
    else if (!DIFFERENT[key]) wrong.push(name);
  }
  console.info(`Stalwart: ${agreed} of ${cases.length} agree, the others differ on purpose`);
  expect(wrong).toEqual([]);
  expect(agreed / cases.length).toBeGreaterThan(0.88);
});

/** imapflow decodes RFC 2231 before we see it; bytes outside the declared charset turn into other letters. */
const NAME_DIFFERS = /attachment_with_encoded_name|raw_email8/;

test.skipIf(missing)("reads every message of every suite alike, whole and in parts", async () => {
  const files = filesBelow(MIME, /\.(?:eml|raw|txt)$/).filter((name) => !/LICENSE|attachments\//.test(name));
  expect(files.length).toBeGreaterThan(300);
  let seen = 0;
  for (const name of files) {
    const raw = readFileSync(join(MIME, name));
    const started = performance.now();
    const message = await parseMessage(raw);
    expect([name, performance.now() - started < 2000]).toEqual([name, true]);
    if (message.text.trim() !== "" || message.attachments.length > 0) seen++;
    const { header, structure, parts } = serve(raw);
    const again = await parseFromParts(header, planParts(structure), parts);
    const shape = (parsed: typeof message) => [
      name,
      parsed.subject,
      plain(parsed.text),
      parsed.attachments.map((attachment) => [attachment.index, attachment.name, attachment.mime, attachment.size]),
    ];
    if (!NAME_DIFFERS.test(name)) expect(shape(again)).toEqual(shape(message));
  }
  // The others are headers without a body, and empty bodies.
  expect(seen / files.length).toBeGreaterThan(0.9);
});

test.skipIf(missing)("reads messages of the suites whose correct reading is known", async () => {
  for (const [name, wanted] of [
    ["enmime/mail/mime-bad-8bit-filename.raw", { names: ["管理.doc"] }],
    ["enmime/mail/mime-unquoted-tspecials-param.raw", { names: ["Invoice_(302232133150612).pdf"] }],
    ["enmime/low-quality/bad-header-wrap.raw", { names: ["7DDA4_foo_9E5D72.zip"], text: "A text section" }],
    ["enmime/low-quality/bad-final-boundary.raw", { names: ["foo_9E5D72.zip"], text: "A text section" }],
    ["enmime/parts/multibase64.raw", { names: ["test.html"], text: "A text section" }],
    ["enmime/mail/qp-utf8-header-no-break.raw", { subject: "MIME UTF8 Test ¢ More Text" }],
    ["cpython/msg_35.txt", { text: "counter to RFC 2822, there's no separating newline here" }],
    ["cpython/msg_43.txt", { names: ["attachment-1.txt", "attachment-2.txt"] }],
    ["cpython/msg_46.txt", { names: ["attachment-1.eml"] }],
    ["ruby-mail/emails/multi_charset/japanese_iso_2022.eml", { subject: "まみむめも", text: "すみません。" }],
    ["ruby-mail/emails/multi_charset/ks_c_5601-1987.eml", { text: "스티해" }],
    ["ruby-mail/emails/multi_charset/japanese_attachment.eml", { names: ["てすと.txt"] }],
    ["ruby-mail/emails/rfc6532/utf8_headers.eml", { subject: "Säying Hello" }],
    ["ruby-mail/emails/attachment_emails/attachment_nonascii_filename.eml", { names: ["ciële.txt"] }],
    ["mailparser/delivery-status.eml", { names: ["attachment-1.txt", "attachment-2.eml"] }],
    ["mailparser/base64encodedroot.eml", { names: ["screenshot.png"], text: "" }],
  ] as [string, { subject?: string; text?: string; names?: string[] }][]) {
    const message = await parseMessage(readFileSync(join(MIME, name)));
    const got = {
      subject: message.subject,
      text: plain(message.text),
      names: message.attachments.map((attachment) => attachment.name),
    };
    expect([name, got]).toEqual([name, { ...got, ...wanted }]);
  }
});
