import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readPeople } from "./people.ts";
import { readThreads } from "./reader.ts";
import { sandboxThreads } from "./sample-mail.ts";

const read = (content: string) => readThreads("mail/a.txt", content);
/** A thread of one message. The message begins in line 4. */
const thread = (message: string) => `=== thread: one\nsubject: Hello\n\n--- message\n${message}`;
const message = (part: string) => thread(`from: rita\nat: -3h\n\nHi.\n\n${part}`);

test("a thread with its messages is read", () => {
  const [one] = read(
    "# A comment.\n\n=== thread: one\nsubject: Keys: plants\nlabels: friends, travel\r\n\n--- message\nfrom: alex\nat: -3d 10:00\n" +
      "to: rita\n# Another comment.\nflags: starred\n\n\nHi Rita,\n\n# not a comment\n-- \nAlex\n\n\n--- message\nfrom: rita\nat: -25m\n" +
      "answers: none\n--- text: a.txt\n\nfile\n",
  );
  expect(one).toEqual({
    id: "one",
    subject: "Keys: plants",
    labels: ["friends", "travel"],
    messages: [
      {
        from: "alex",
        at: "-3d 10:00",
        to: ["rita"],
        starred: true,
        body: "Hi Rita,\n\n# not a comment\n-- \nAlex",
      },
      { from: "rita", at: "-25m", replyTo: null, attachments: [{ name: "a.txt", text: "file\n" }] },
    ],
  });
});

test("rows of a layout are separated by bars, and empty cells and date templates are kept", () => {
  const brand = "=== brand: b\nname: B\nhost: b.example\ncolor: #000000\nfooter: F\n\n";
  const fields = "brand: b\ntitle: T\nfact: Date | {{date|full}}\nrow: Fare |  | €2.50\ntotal: Total | €2.50";
  const [one] = read(`${brand}${thread(`from: ride\nat: -3h\n\n--- receipt\n${fields}\n\nIntro`)}`);
  expect(one!.messages[0]!.body).toBe("T\n\nIntro\n\nDate: {{date|full}}\n\nFare  €2.50\n\nTotal: €2.50");
});

describe("a mistake is reported with its file and line", () => {
  test.each([
    ["text without an empty line above it", thread("from: rita\nat: -3h\nHi."), "mail/a.txt:7: Expected `name: value`"],
    ["text before the first thread", "Hi.", "mail/a.txt:1: Expected `name: value`"],
    ["an unknown person", thread("from: nobody"), "mail/a.txt:5: `from` must be a person of people.txt, not `nobody`"],
    ["an unknown recipient", thread("from: rita\nat: -3h\nto: alex, x"), "mail/a.txt:7: `x` is not a person"],
    ["a missing field", thread("from: rita"), "mail/a.txt:4: `message` needs a field `at`"],
    ["an unknown field", thread("from: rita\nat: -3h\nunread: yes"), "mail/a.txt:7: `message` has no field `unread`"],
    ["a field that occurs twice", thread("from: rita\nfrom: alex"), "mail/a.txt:6: `from` occurs twice"],
    ["a time that is none", thread("from: rita\nat: yesterday"), "mail/a.txt:6: `at` must be a time such as"],
    ["an answer to a later message", thread("from: rita\nat: -3h\nanswers: 1"), "mail/a.txt:7: `answers` must be"],
    [
      "a mistyped date",
      thread("from: rita\nat: -3h\n\nSee you\n{{now+2|dya}}"),
      "mail/a.txt:9: unknown date format `dya`",
    ],
    ["an open date", thread("from: rita\nat: -3h\n\n{{now+2|day}"), "mail/a.txt:8: unknown template expression"],
    ["an unknown block", "=== trhead: one\n", "mail/a.txt:1: `trhead` is none of"],
    ["a block without a name", "=== thread\n", "mail/a.txt:1: `thread` needs a name"],
    ["a message without a thread", "--- message\n", "mail/a.txt:1: This needs a `=== thread` above"],
    ["an unknown part", message("--- odf: a"), "mail/a.txt:10: `odf` is none of"],
    ["an article without a newsletter", message("--- article: a\npath: /"), "mail/a.txt:10: This needs a"],
    ["an unknown brand", thread("from: rita\nat: -3h\n\n--- notice\nbrand: b"), "mail/a.txt:9: `brand` must be"],
    ["too few cells", thread("from: rita\nat: -3h\n--- notice\nbutton: Go"), "mail/a.txt:8: `button` needs 2 parts"],
    ["a picture without colors", message("--- picture: a\nsize: 2x2\nbands: red"), "mail/a.txt:12: `bands` must be"],
    ["a letter that a PDF lacks", message("--- pdf: a\ntitle: 田"), "mail/a.txt:10: A PDF cannot show this line: 田"],
  ])("%s", (_what, content, expected) => {
    expect(() => read(content)).toThrow(expected);
  });
});

test("a mistake in the file of people is reported with its file and line", () => {
  const person = "=== person: a\nname: A\nemail: a@a.example\nprogram: gmail\n";
  expect(readPeople("p.txt", `${person}\nA\nB\n`).get("a")).toMatchObject({ client: "gmail", signature: "A\nB" });
  expect(() => readPeople("p.txt", person.replace("gmail", "pine"))).toThrow("p.txt:4: `program` must be one of");
  expect(() => readPeople("p.txt", `${person}\n${person}`)).toThrow("p.txt:6: There are two people `a`");
  expect(() => readPeople("p.txt", "=== thread: a\n")).toThrow("p.txt:1: `thread` is none of: person, headers");
});

test("every file of sample mail is part of the mailbox, and no two threads have the same name", () => {
  const files = readdirSync(join(import.meta.dir, "mail")).filter((name) => name.endsWith(".txt"));
  const imported = ["sample-mail.ts", "people.ts"].map((name) => readFileSync(join(import.meta.dir, name), "utf8"));
  expect(files.filter((name) => !imported.join().includes(`"./mail/${name}"`))).toEqual([]);
  const ids = sandboxThreads().map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});
