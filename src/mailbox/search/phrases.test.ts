import { afterEach, beforeEach, describe, test } from "bun:test";
import fc from "fast-check";
import { IndexModel } from "../../../test/support/index-model.ts";
import { onlyText } from "../../../test/support/naive-index.ts";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";

const LETTERS = ["aa", "ab", "ba", "bb"];

let s: Scratch;
beforeEach(() => {
  s = scratchPlatform();
});
afterEach(() => s.close());

describe("a phrase", () => {
  const letter = fc.constantFrom(...LETTERS);
  const text = fc.array(letter, { minLength: 1, maxLength: 12 }).map((words) => words.join(" "));
  const phrase = fc
    .tuple(fc.array(letter, { minLength: 2, maxLength: 5 }), fc.constantFrom("", "aa*", "ab*"))
    // Words joined by hyphens are a phrase whose last word may be a prefix.
    .map(([words, beginning]) => (beginning === "" ? words.join(" ") : [...words, beginning].join("-")));

  test("is found wherever its words are side by side, even if it repeats a word", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ subject: text, body: text }), { minLength: 1, maxLength: 8 }),
        fc.array(phrase, { minLength: 1, maxLength: 12 }),
        async (messages, asked) => {
          s.close();
          s = scratchPlatform();
          const model = new IndexModel(s);
          for (const [i, { subject, body }] of messages.entries()) {
            const says = onlyText(body);
            model.add({ ...says, message: { ...says.message, subject } });
            if (i === 3) await model.flush();
          }
          model.checkSearch(asked);
        },
      ),
      { numRuns: 30 },
    );
  }, 60_000);

  test("matches in every field, and never across two fields", () => {
    const model = new IndexModel(s);
    const says = onlyText("cedar dune");
    model.add({ ...says, message: { ...says.message, subject: "amber birch" } });
    model.checkSearch(["amber birch", "cedar dune", "birch cedar", "amber-bi*", "birch-ce*"]);
  });
});
