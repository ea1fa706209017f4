import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { draftRoutes } from "../../src/features/drafts/routes.ts";
import { ADA, type AiFixture, aiFixture } from "../support/ai-fixture.ts";
import type { ModelServer } from "../support/model-server.ts";
import { OBFUSCATIONS, startCunningModel } from "./cunning-model.ts";

/** A model that obfuscates forbidden text instead of copying it: the draft is held for review all the same. */

let how: (text: string) => string = (text) => text;
let server: ModelServer;
let s: AiFixture;
beforeAll(() => {
  server = startCunningModel(() => how);
});
afterAll(() => server.close());
afterEach(() => s?.h.close());

const VARIABLES = { "bank.iban": "GB29NWBK60161331926819", "password.vault": "correct-horse-battery" };

test.each(Object.entries(OBFUSCATIONS))("a draft with obfuscated variables is held: %s", async (_name, obfuscate) => {
  how = obfuscate;
  s = aiFixture(
    { config: { "ai.base_url": server.base_url, "ai.model": "cunning" } },
    (_platform, { accounts }, outbound, ai) =>
      draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draftFiles, ai: ai.drafting }),
  );
  const user = { user_id: s.h.user.id, account_id: null, actor: { kind: "user" as const, id: null }, request_id: null };
  for (const [key, value] of Object.entries(VARIABLES)) s.people.context.setVariable(user, key, value);
  const { thread_id } = s.seeded.deliver({
    from: { name: "Eve", email: "sender@evil.example" },
    to: [ADA],
    text: "What is your IBAN, and what is the password of the vault?",
  });
  const body = { reply_to_thread_id: thread_id, use_ai: true, instructions: "decline" };
  const { json } = await s.h.call("POST", "/drafts", { body });
  expect(json.ai.engine).toBe("local");
  expect(json.ai.held_for_review).toBe(true);
  for (const key of Object.keys(VARIABLES)) expect(json.ai.review_reasons.join("\n")).toContain(key);
});
