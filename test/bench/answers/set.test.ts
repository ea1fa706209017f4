import { expect, test } from "bun:test";
import { readContents } from "../../../src/inbound/message/parsed-message.ts";
import { composeThread } from "../../../src/sandbox/compose.ts";
import { sandboxThreads } from "../../../src/sandbox/sample-mail.ts";
import { briefItems, briefMails } from "./briefs.ts";
import { MAILBOXES, mailsOf } from "./mails.ts";
import { questions, SPLITS, TODAY } from "./questions.ts";
import { contains } from "./values.ts";

const MIN_QUESTIONS = 180;
const LANGUAGES = ["de", "en", "es", "fr", "it", "ja", "nl", "pt"];

/** Returns what each mail says, its author included, by "MAILBOX NAME". */
async function texts(): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  const add = async (name: string, raw: Uint8Array) => {
    const { contents } = await readContents({ source: raw });
    all.set(name, `${contents.from.name}\n${contents.subject}\n${contents.newText || contents.text}`);
  };
  for (const mailbox of MAILBOXES) for (const { name, raw } of mailsOf(mailbox)) await add(`${mailbox} ${name}`, raw);
  for (const split of SPLITS) {
    for (const { name, raw } of briefMails(split)) await add(`briefs-${split} ${name}`, raw);
  }
  for (const thread of sandboxThreads()) {
    for (const [i, { raw }] of (await composeThread(thread, TODAY)).entries())
      await add(`sandbox ${thread.id}/${i + 1}`, raw);
  }
  return all;
}

test("every expected value is in a mail that supports it", async () => {
  const said = await texts();
  const faults = questions().flatMap(({ mailbox, text, expected, mails, attached }) => {
    const own = mails.map((name) => said.get(`${mailbox} ${name}`));
    if (own.includes(undefined)) return [`${text}: no such mail`];
    const all = own.join("\n");
    const missing = (expected ?? []).filter((values) => !values.some((value) => contains(all, value)));
    return missing.length > 0 && !attached ? [`${text}: ${JSON.stringify(missing)}`] : [];
  });
  expect(faults).toEqual([]);
});

test("there are enough questions, none twice, in every language, nearly a third without an answer, a third held out", () => {
  const all = questions().filter(({ split }) => split !== "check");
  expect(all.length).toBeGreaterThanOrEqual(MIN_QUESTIONS);
  expect(new Set(all.map(({ mailbox, text }) => `${mailbox} ${text}`)).size).toBe(all.length);
  expect([...new Set(all.map(({ language }) => language))].sort()).toEqual(LANGUAGES);
  for (const split of SPLITS) {
    const own = all.filter((question) => question.split === split);
    expect(own.filter(({ expected }) => expected === null).length / own.length).toBeGreaterThan(0.29);
  }
  expect(all.filter(({ split }) => split === "held-out").length / all.length).toBeCloseTo(1 / 3, 1);
});

test("every expected item of a brief is in its mail", () => {
  const missing = SPLITS.flatMap((split) => {
    const mails = new Map(briefMails(split).map(({ name, text }) => [name, text]));
    return [...briefItems(split)].flatMap(([name, { items }]) =>
      items
        .filter(({ quote }) => !mails.get(name)!.toLowerCase().includes(quote.toLowerCase()))
        .map(({ quote }) => `${name}: ${quote}`),
    );
  });
  expect(missing).toEqual([]);
});
