import { expect, test } from "bun:test";
import { parseMessage } from "../../wire/mime/parse.ts";
import { parseFromParts } from "../../wire/mime/parts.ts";
import { type Reading, readContents, readOnThisThread } from "./parsed-message.ts";

const SOURCE = new TextEncoder().encode(
  [
    "Received: from a by b",
    "From: Ann <ann@example.org>",
    "Subject: Friday",
    "List-Id: <team.example.org>",
    "Message-ID: <1@example.org>",
    "",
    "Yes, Friday is fine.",
    "",
    "On Mon, 3 Feb 2025 at 09:14, Bob <bob@example.org> wrote:",
    "> Friday?",
    "",
  ].join("\r\n"),
);

const reading: Reading = {
  parse: (raw) => parseMessage((raw as { source: Uint8Array }).source),
  parseHeader: (header) => parseFromParts(header, { text: [], attachments: [] }, new Map()),
  split: ({ text }) => ({ bodyText: text, newText: text }),
};
const broken = (): never => {
  throw new Error("Ann's secret words");
};

test("reads a message, its new text and the meaningful headers", async () => {
  const { contents, fault } = await readContents({ source: SOURCE });
  expect(fault).toBeNull();
  expect(contents).toMatchObject({ subject: "Friday", messageId: "<1@example.org>", newText: "Yes, Friday is fine." });
  expect([...contents.headers.keys()].sort()).toEqual(["list-id", "subject"]);
});

test("when the parser fails, the header is kept and the log contains none of the text", async () => {
  const { contents, fault } = await readContents({ source: SOURCE }, { ...reading, parse: broken });
  expect(contents).toMatchObject({
    subject: "Friday",
    from: { name: "Ann", email: "ann@example.org" },
    messageId: "<1@example.org>",
    text: "",
    bodyText: "",
    newText: "",
    attachments: [],
  });
  expect(fault).toMatchObject({ error: "Error" });
  expect(JSON.stringify(fault)).not.toContain("secret");
});

test("when nothing can be read, the message still exists", async () => {
  const nothing = { ...reading, parse: broken, parseHeader: async () => broken() };
  const { contents, fault } = await readContents({ source: SOURCE }, nothing);
  expect(contents).toMatchObject({ subject: "", text: "", messageId: null, date: null });
  expect(fault).not.toBeNull();
});

test("when quotes cannot be distinguished, the whole text is the body", async () => {
  const { contents, fault } = await readContents({ source: SOURCE }, { ...reading, split: broken });
  expect(contents.bodyText).toBe(contents.text);
  expect(contents.newText).toContain("> Friday?");
  expect(fault).not.toBeNull();
});

test("one message that fails does not hold up the others of its list", async () => {
  const read = await readOnThisThread([
    { source: SOURCE },
    { source: undefined as unknown as Uint8Array },
    { source: SOURCE },
  ]);
  expect(read.map(({ contents }) => contents.subject)).toEqual(["Friday", "", "Friday"]);
  expect(read.map(({ fault }) => fault !== null)).toEqual([false, true, false]);
});

test("the fields that lists show are limited in length", async () => {
  const to = Array.from({ length: 1_500 }, (_, i) => `Person ${i} <p${i}@example.org>`).join(",\r\n ");
  const source = [
    `From: ${"Ann ".repeat(500)}<ann@example.org>`,
    `To: ${to}`,
    `Subject: ${"😀".repeat(5_000)}`,
    "Message-ID: <2@example.org>",
    "",
    "Hello",
  ].join("\r\n");
  const { contents, fault } = await readContents({ source: new TextEncoder().encode(source) });
  expect(fault).toBeNull();
  expect(contents.subject).toBe(`${"😀".repeat(999)}…`);
  expect(contents.from.name.length).toBeLessThanOrEqual(500);
  expect(contents.to).toHaveLength(1_000);
  expect(contents.newText.trim()).toBe("Hello");
});
