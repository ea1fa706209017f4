import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import { type AiFixture, aiFixture } from "../../../../test/support/ai-fixture.ts";
import { Conversations } from "../../../mailbox/queries/conversations.ts";
import { Embedder } from "../../../ml/embedding/embedder.ts";
import { findModel } from "../../../ml/embedding/model.ts";
import type { Embed } from "../../../ml/extract/rank.ts";
import { findCandidates } from "./extractive.ts";
import { readQuestion } from "./question.ts";

let s: AiFixture;
let embedder: Embedder;
beforeEach(async () => {
  s = aiFixture();
  const { data_dir } = s.h.platform.config;
  embedder = await Embedder.load(await findModel(data_dir, "built-in"), join(data_dir, "cache"));
});
afterEach(async () => {
  await embedder.close();
  s.h.close();
});

const comparedFor = async (text: string, embed: Embed) => {
  const reader = new Conversations(s.h.platform, s.mailbox.accounts).of({ user_id: s.h.user.id, account_id: null });
  const messages = reader.threadsSince(["inbox"], 0).flatMap(({ id }) => reader.messages(id));
  const { candidates } = await findCandidates(readQuestion(text, s.h.clock.now()), messages, embed);
  return candidates;
};
const likestOf = async (text: string, embed: Embed) =>
  (await comparedFor(text, embed)).filter(({ isLikest }) => isLikest).map(({ passage }) => passage.text);

test("sentences are compared with the question by meaning, also in another language", async () => {
  s.seeded.deliver(
    s.fromBob(
      "The jerseys cost £52 each this year because the old supplier has closed. Bring your old jerseys on Sunday.",
      {
        subject: "Club",
      },
    ),
  );
  const embed: Embed = (texts) => embedder.embed(texts);
  const expected = ["The jerseys cost £52 each this year because the old supplier has closed."];
  expect(await likestOf("Why are the jerseys so expensive?", embed)).toEqual(expected);
  s.seeded.deliver(
    s.fromBob("The hotel is expensive because of the fair. The room at the hotel has a garden.", { subject: "Trip" }),
  );
  const [first, second] = await comparedFor("Pourquoi l'hôtel est-il cher ?", embed);
  expect(first!.passage.text).toBe("The hotel is expensive because of the fair.");
  expect(first!.likeness).toBeGreaterThan(second!.likeness!);
});

test("without the model, words alone decide", async () => {
  s.seeded.deliver(s.fromBob("The jerseys are £52 each. Jerseys are washed at 30 degrees.", { subject: "Club" }));
  expect(await likestOf("Why are the jerseys so expensive?", () => Promise.reject(new Error("no model")))).toEqual([]);
});
