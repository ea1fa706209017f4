import { expect, test } from "bun:test";
import fc from "fast-check";
import { serve } from "../../../test/support/body-structure.ts";
import { parseMessage } from "./parse.ts";
import { parseFromParts } from "./parts.ts";
import { planParts } from "./structure.ts";
import type { ParsedMessage } from "./types.ts";

const bytes = (text: string) => Buffer.from(text, "latin1");

/** The properties that must be the same whether a message was read whole or in parts. */
function comparable(message: ParsedMessage) {
  const { attachments, ...rest } = message;
  return { ...rest, attachments: attachments.map(({ part: _part, ...attachment }) => attachment) };
}

async function fromParts(raw: Uint8Array): Promise<ParsedMessage> {
  const { header, structure, parts } = serve(raw);
  return parseFromParts(header, planParts(structure), parts);
}

test("a plan names text parts and attachments by part number", () => {
  const plan = planParts({
    type: "multipart/mixed",
    childNodes: [
      {
        part: "1",
        type: "multipart/alternative",
        childNodes: [
          {
            part: "1.1",
            type: "text/plain",
            encoding: "7bit",
            size: 10,
            parameters: { charset: "utf-8", format: "flowed" },
          },
          { part: "1.2", type: "text/html", encoding: "quoted-printable", size: 20, parameters: { charset: "utf-8" } },
        ],
      },
      {
        part: "2",
        type: "message/rfc822",
        encoding: "7bit",
        size: 300,
        childNodes: [{ part: "2", type: "text/plain" }],
      },
      {
        part: "3",
        type: "image/png",
        encoding: "BASE64",
        size: 780,
        id: "<i@x>",
        disposition: "inline",
        dispositionParameters: { filename: "=?utf-8?q?=C3=A9?=.png" },
      },
    ],
  });
  expect(plan.text).toEqual([
    { part: "1.1", mime: "text/plain", charset: "utf-8", encoding: "7bit", size: 10, format: "flowed", group: 0 },
    { part: "1.2", mime: "text/html", charset: "utf-8", encoding: "quoted-printable", size: 20, group: 0 },
  ]);
  expect(
    plan.attachments.map(({ part, index, name, mime, size, disposition, contentId }) => [
      part,
      index,
      name,
      mime,
      size,
      disposition,
      contentId,
    ]),
  ).toEqual([
    ["2", 0, "attachment-1.eml", "message/rfc822", 300, "attachment", null],
    ["3", 1, "é.png", "image/png", 570, "inline", "i@x"],
  ]);
  expect(planParts({ type: "text/plain", size: 3 }).text).toMatchObject([{ part: "1", size: 3 }]);
  expect(planParts({ type: "application/pdf", size: 3 }).attachments).toMatchObject([{ part: "1", index: 0 }]);
});

const leaf = fc
  .record({
    type: fc.constantFrom(
      "text/plain",
      "text/html",
      "text/calendar",
      "image/png",
      "message/rfc822",
      "application/pdf",
      "",
    ),
    disposition: fc.constantFrom("", "inline", "attachment"),
    file: fc.constantFrom("", "a.txt", "ünï.txt", "a b;c.pdf", "日本語.png"),
    id: fc.constantFrom("", "<x@y>"),
    encoding: fc.constantFrom("7bit", "base64", "quoted-printable"),
    body: fc.constantFrom("hello\n", "<p>caf&eacute;</p>", "line \nline\n", ""),
  })
  .map(({ type, disposition, file, id, encoding, body }) => {
    const name = file === "" ? "" : `; filename*=utf-8''${encodeURIComponent(file)}`;
    const lines = [
      type && `Content-Type: ${type}${type === "text/plain" ? "; charset=utf-8; format=flowed" : ""}`,
      disposition && `Content-Disposition: ${disposition}${name}`,
      id && `Content-ID: ${id}`,
      `Content-Transfer-Encoding: ${encoding}`,
    ].filter((line) => line !== "");
    return `${lines.join("\n")}\n\n${encoding === "base64" ? Buffer.from(body).toString("base64") : body}`;
  });

const entity: fc.Arbitrary<string> = fc.letrec<{ entity: string; multipart: string; leaf: string }>((tie) => ({
  leaf,
  multipart: fc
    .tuple(
      fc.constantFrom("mixed", "alternative", "related", "signed", "report", "digest"),
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.array(tie("entity"), { minLength: 1, maxLength: 4 }),
    )
    .map(([subtype, boundary, children]) => {
      const parts = children.map((child) => `--=_${boundary}\n${child}\n`).join("");
      return `Content-Type: multipart/${subtype}; boundary="=_${boundary}"\n\n${parts}--=_${boundary}--\n`;
    }),
  entity: fc.oneof({ depthSize: "small" }, tie("leaf"), tie("multipart")),
})).entity;

test("a message read in parts equals the message read whole", async () => {
  await fc.assert(
    fc.asyncProperty(entity, async (tree) => {
      const raw = bytes(`From: a@b.c\nSubject: x\n${tree}`.replaceAll("\n", "\r\n"));
      expect(comparable(await fromParts(raw))).toEqual(comparable(await parseMessage(raw)));
    }),
    { numRuns: 400 },
  );
});

test("a text part that was cut ends before the cut", async () => {
  const cases: [string, string, string][] = [
    ["text/plain; charset=utf-8", "quoted-printable", "caf=C3=A9 =E2=9C=93 end"],
    ["text/plain; charset=utf-8", "base64", Buffer.from("café ✓ end").toString("base64")],
    ["text/plain; charset=utf-8", "8bit", Buffer.from("café ✓ end").toString("latin1")],
  ];
  for (const [type, encoding, body] of cases) {
    const raw = bytes(`Content-Type: ${type}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}`);
    const { header, structure, parts } = serve(raw);
    for (let length = 0; length < body.length; length++) {
      const fetched = new Map([["1", parts.get("1")!.subarray(0, length)]]);
      const { text } = await parseFromParts(header, planParts(structure), fetched);
      expect([encoding, length, "café ✓ end".startsWith(text)]).toEqual([encoding, length, true]);
    }
  }
});

test("cut HTML shows no partial tag, and parts that were not fetched are only listed", async () => {
  const html = '<p>one &amp; two</p><a href="https://x.example/long">three</a>';
  const raw = bytes(
    `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n${html}\r\n--b\r\nContent-Type: application/pdf\r\n\r\nx\r\n--b--`,
  );
  const { header, structure, parts } = serve(raw);
  const read = (length: number) =>
    parseFromParts(header, planParts(structure), new Map([["1", parts.get("1")!.subarray(0, length)]]));
  expect((await read(html.indexOf("https") + 3)).html).toBe("<p>one &amp; two</p>");
  expect((await read(html.indexOf("amp;") + 2)).html).toBe("<p>one ");
  expect((await read(html.length)).attachments).toMatchObject([{ part: "2", name: "attachment-1.pdf", size: 1 }]);
  expect((await read(html.length)).attachments[0]!.content).toBeUndefined();
  expect((await parseFromParts(header, planParts(structure), new Map())).text).toBe("");
});

test("any structure that a server may send gives a plan", () => {
  const node: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.record(
      {
        type: fc.oneof(fc.string(), fc.constantFrom("multipart/mixed", "multipart/digest", "text/plain", "/")),
        part: fc.string(),
        parameters: fc.dictionary(fc.string(), fc.string()),
        disposition: fc.string(),
        dispositionParameters: fc.dictionary(fc.constantFrom("filename", "FILENAME"), fc.string()),
        childNodes: fc.array(tie("node"), { maxLength: 3 }),
        size: fc.nat(),
      },
      { requiredKeys: ["type"] },
    ),
  })).node;
  fc.assert(
    fc.property(node, (structure) => {
      const plan = planParts(structure as Parameters<typeof planParts>[0]);
      expect(plan.attachments.map((attachment) => attachment.index)).toEqual([...plan.attachments.keys()]);
    }),
  );
});

test("a message with very many text parts is requested in a command that servers accept", () => {
  const childNodes = Array.from({ length: 10_000 }, (_, i) => ({ part: String(i + 1), type: "text/plain", size: 9 }));
  const plan = planParts({ type: "multipart/mixed", childNodes } as Parameters<typeof planParts>[0]);
  expect(plan.text).toHaveLength(100);
  expect(plan.text[0]!.part).toBe("1");
});

test("an impossible size counts as unknown", () => {
  for (const size of [-1, Number.NaN, Number.POSITIVE_INFINITY, 1.5, 2 ** 60]) {
    const [attachment] = planParts({ type: "application/pdf", disposition: "attachment", size }).attachments;
    expect(attachment).toMatchObject({ size: 0 });
  }
});
