import { expect, test } from "bun:test";
import { answerFrom, mailsOfPrompt } from "./oracle.ts";
import { readValue } from "./values.ts";

const PROMPT = `Question of the user:
How much is the brake repair?

Mails:
<<mail 0abc>>
[1] from Bob <bob@acme.example>, 2026-03-01
The MOT is £54.85.
<<end 0abc>>
<<mail 0abc>>
[2] from Ann <ann@acme.example>, 2026-03-02
Hi,

the brakes were £310, now £338.
See you, A.
<<end 0abc>>`;
const MAILS = mailsOfPrompt(PROMPT, ["msg_a", "msg_b"]);
const question = (...expected: string[]) => ({
  expected: expected.map((line) => line.split(" / ").map(readValue)),
  attached: false,
});

test("the mails of a prompt are read with their ids", () => {
  expect(MAILS.map(({ n, id, header }) => [n, id, header])).toEqual([
    [1, "msg_a", "from Bob <bob@acme.example>, 2026-03-01"],
    [2, "msg_b", "from Ann <ann@acme.example>, 2026-03-02"],
  ]);
});

test("the expected value is given in the words of the mail, and its line is quoted", () => {
  expect(answerFrom(question("amount 338 GBP"), new Set(["msg_b"]), MAILS)).toEqual({
    reply: { answered: true, answer: "£338.", citations: [{ mail: 2, quote: "the brakes were £310, now £338." }] },
    missing: null,
  });
});

test("the author of a mail is an answer that the mail itself does not name", () => {
  const { reply } = answerFrom(question("name Ann"), new Set(["msg_b"]), MAILS);
  expect(reply).toMatchObject({ answered: true, answer: "Ann." });
});

test("without the passage there is no answer, and the reason is kept", () => {
  const of = (line: string, id: string) => answerFrom(question(line), new Set([id]), MAILS);
  expect(of("amount 338 GBP", "msg_c")).toMatchObject({ reply: { answered: false }, missing: "mail not given" });
  expect(of("amount 338 GBP", "msg_a")).toMatchObject({ reply: { answered: false }, missing: "passage cut off" });
  const attached = { ...question("amount 338 GBP"), attached: true };
  expect(answerFrom(attached, new Set(["msg_a"]), MAILS).missing).toBe("in an attachment");
  const nothing = answerFrom({ expected: null, attached: false }, new Set(), MAILS);
  expect(nothing).toEqual({ reply: { answered: false, answer: "", citations: [] }, missing: null });
});
