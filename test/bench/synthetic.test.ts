import { expect, test } from "bun:test";
import { readOnThisThread } from "../../src/inbound/message/parsed-message.ts";
import { spamAssassin } from "../support/corpus.ts";
import { SyntheticMail } from "./synthetic.ts";

const originals = (await readOnThisThread(spamAssassin(400).map(({ raw }) => ({ source: raw })))).map(
  (read) => read.contents,
);
const words = (text: string) => text.toLowerCase().match(/[a-z]{3,}/g) ?? [];

test("the same seed makes the same mail, another seed or copy different mail", () => {
  const make = (seed: number, n: number) => JSON.stringify(new SyntheticMail(originals, seed).message(n, 0));
  expect(make(1, 7)).toBe(make(1, 7));
  expect(make(1, 7)).not.toBe(make(2, 7));
  expect(make(1, 7)).not.toBe(make(1, 407));
});

test("every copy has the lengths, attachments and conversations of the originals, under separate names and words", () => {
  const mail = new SyntheticMail(originals, 1);
  const copy = originals.map((_, i) => mail.message(2 * originals.length + i, 1_000));
  const parents = (list: typeof originals) => {
    const place = new Map(list.map(({ messageId }, i) => [messageId, i]));
    return list.map(({ inReplyTo }) => inReplyTo.map((id) => place.get(id) ?? null));
  };
  expect(parents(copy)).toEqual(parents(originals));
  expect(copy.map(({ text }) => text.length)).toEqual(originals.map(({ text }) => text.length));
  expect(copy.map(({ attachments }) => attachments)).toEqual(originals.map(({ attachments }) => attachments));
  expect(copy.filter(({ text }, i) => text === originals[i]!.text && words(text).length > 200)).toEqual([]);
  expect(copy.every(({ date }) => date === 1_000)).toBe(true);
});

test("an answer keeps the subject of the mail that it answers", () => {
  const mail = new SyntheticMail(originals, 1);
  const subject = (text: string) => text.replace(/^re: /i, "");
  const base = 5 * originals.length;
  originals.forEach((original, i) => {
    const j = originals.findIndex(({ messageId }) => messageId !== null && original.inReplyTo.includes(messageId));
    if (j < 0 || subject(originals[j]!.subject) !== subject(original.subject)) return;
    expect(subject(mail.message(base + i, 0).subject)).toBe(subject(mail.message(base + j, 0).subject));
  });
});

test("the vocabulary grows like that of a real mailbox, more slowly than the mail", () => {
  const mail = new SyntheticMail(originals, 1);
  const sizes = [1, 2, 4].map((copies) => {
    const seen = new Set<string>();
    for (let n = 0; n < copies * originals.length; n++)
      for (const word of words(mail.message(n, 0).text)) seen.add(word);
    return seen.size;
  });
  expect(sizes[1]! / sizes[0]!).toBeWithin(1.2, 1.9);
  expect(sizes[2]! / sizes[1]!).toBeWithin(1.2, 1.95);
});
