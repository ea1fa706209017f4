import { expect, test } from "bun:test";
import { KINDS } from "./kinds.ts";
import {
  hamMessages,
  headerOf,
  knownItems,
  MAILBOXES,
  namedSandbox,
  notesMessages,
  sameConversation,
} from "./known-items.ts";

const NOW = new Date("2026-11-22T10:00:00Z");
const MIN_PER_KIND = 8;
const MIN_ITEMS = 120;

test("every query has a target that exists, outside spam and trash", async () => {
  const shown = (await namedSandbox(NOW)).filter(({ folder }) => folder !== "spam" && folder !== "trash");
  const names = {
    sandbox: new Set(shown.map(({ name }) => name)),
    ham: new Set(hamMessages().map(({ name }) => name)),
    notes: new Set(notesMessages().map(({ name }) => name)),
  };
  const missing = knownItems(NOW).flatMap(({ mailbox, query, targets }) =>
    targets.filter((target) => !names[mailbox].has(target)).map((target) => `${mailbox}: ${query}: ${target}`),
  );
  expect(missing).toEqual([]);
  expect(knownItems(NOW).filter(({ targets }) => targets.length === 0)).toEqual([]);
});

test("names of mails are unique where they name one message", () => {
  for (const messages of [hamMessages(), notesMessages()]) {
    expect(new Set(messages.map(({ name }) => name)).size).toBe(messages.length);
  }
});

test("no query occurs twice, and there are enough of each kind", () => {
  const items = knownItems(NOW);
  expect(new Set(items.map(({ mailbox, query }) => `${mailbox} ${query}`)).size).toBe(items.length);
  expect(items.length).toBeGreaterThanOrEqual(MIN_ITEMS);
  for (const kind of KINDS) {
    expect([kind, items.filter((item) => item.kind === kind).length >= MIN_PER_KIND]).toEqual([kind, true]);
  }
  for (const mailbox of MAILBOXES) expect(items.some((item) => item.mailbox === mailbox)).toBe(true);
});

test("conversations are joined by subject, but not by an empty or short one", () => {
  const message = (name: string, subject: string) => ({ name, raw: Buffer.from(`Subject: ${subject}\r\n\r\nx`) });
  const joined = sameConversation([
    message("a", "[ILUG] Silent computers"),
    message("b", "Re: [ILUG] silent computers"),
    message("c", "Re: hi"),
    message("d", "hi"),
  ]);
  expect(joined.get("b")).toEqual(["a", "b"]);
  expect(joined.get("d")).toEqual(["d"]);
});

test("a folded header is read completely", () => {
  expect(headerOf(Buffer.from("A: 1\r\nSubject: one\r\n two\r\n\r\nSubject: no"), "Subject")).toBe("one two");
  expect(headerOf(Buffer.from("A: 1\r\n\r\nSubject: no"), "Subject")).toBe("");
});
