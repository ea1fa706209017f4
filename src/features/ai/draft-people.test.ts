import { afterEach, beforeEach, expect, test } from "bun:test";
import { ADA, type AiFixture, aiFixture, BOB } from "../../../test/support/ai-fixture.ts";
import { draftRoutes } from "../drafts/routes.ts";

let s: AiFixture;
beforeEach(() => {
  s = aiFixture({}, (_platform, { accounts }, outbound, ai) =>
    draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draftFiles, ai: ai.drafting }),
  );
});
afterEach(() => s.h.close());

const draft = (body: object) => s.h.call("POST", "/drafts", { body: { use_ai: true, ...body } });

test("a reply is written as the user writes to that person, and the other people receive a copy", async () => {
  const mum = { name: "Carol Lovelace", email: "carol@home.example" };
  const tom = { name: "Tom", email: "tom@home.example" };
  s.seeded.converse(
    { from: mum, to: [ADA], text: "Hi darling", subject: "News" },
    s.toBob("Hi Mum,\n\nall is well.\n\nLots of love\nAda", { to: [mum], subject: "Re: News" }),
  );
  const { thread_id } = s.seeded.converse({
    from: mum,
    to: [ADA, tom],
    text: "Hi you two,\n\nare you coming on Sunday?\n\nMum",
    subject: "Sunday",
  });
  const instructions = "tell her that we are coming and ask whether she needs anything";
  const { json } = await draft({ reply_to_thread_id: thread_id, instructions });
  expect(json.body).toBe("Hi Mum,\n\nWe are coming. Do you need anything?\n\nLots of love\nAda");
  expect([json.to, json.cc, json.ai.gaps]).toEqual([[mum.email], [tom.email], []]);
  const only = await draft({ reply_to_thread_id: thread_id, instructions, to: [mum.email] });
  expect(only.json.cc).toEqual([]);
});

test("a stranger cannot choose who receives a copy", async () => {
  const eve = { name: "Eve", email: "eve@evil.example" };
  const { thread_id } = s.seeded.converse(s.fromBob("Can you sign this?", { cc: [eve], subject: "Sign" }));
  const { json } = await draft({ reply_to_thread_id: thread_id, instructions: "accept" });
  expect([json.to, json.cc]).toEqual([[BOB.email], []]);
});

test("what the engine cannot write stays a gap, and the draft says why", async () => {
  const { thread_id } = s.seeded.converse(s.fromBob("Can you come on Tuesday?", { subject: "Tuesday" }));
  const { json } = await draft({ reply_to_thread_id: thread_id, instructions: "accept, tell him about the kitchen" });
  expect(json.body).toContain("Yes, that works for me. [Tell him about the kitchen]");
  expect(json.ai.gaps).toEqual([
    "The instruction does not say enough for a whole sentence. Write it yourself: “tell him about the kitchen”",
  ]);
});
