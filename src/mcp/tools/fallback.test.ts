import { expect, test } from "bun:test";
import { mcpFixture } from "../../../test/support/mcp-fixture.ts";
import { startModelServer } from "../../../test/support/model-server.ts";

test("ask_mail and save_draft say that the built-in engine wrote, and why the language model did not", async () => {
  const server = startModelServer(() => new Response("", { status: 401 }));
  const m = mcpFixture({ config: { "ai.base_url": server.base_url, "ai.model": "tiny" } });
  try {
    const { thread_id } = m.fromBob("The wombat festival starts on 9 May in Vienna.", { subject: "Wombats" });
    const fallback = "The model's server refuses the request (401).";
    const found = await m.ok("ask_mail", { question: "When does the wombat festival start?" });
    expect(found).toMatchObject({ answered: true, engine: "extractive", fallback });
    const draft = await m.ok("save_draft", { reply_to_thread_id: thread_id, use_ai: true, instructions: "accept" });
    expect(draft).toMatchObject({ engine: "extractive", fallback });
  } finally {
    m.h.close();
    await server.close();
  }
});

test("without a language model, nothing fell back, and passages that may answer are listed", async () => {
  const m = mcpFixture();
  try {
    m.fromBob("The Porto office has a new roof since 4 May.", { subject: "Porto office" });
    const found = await m.ok("ask_mail", { question: "When was the roof of the Porto warehouse insured?" });
    expect(found).toMatchObject({ answered: false, engine: "extractive" });
    expect(found.fallback).toBeUndefined();
    expect(found.possible[0].quote).toContain("4 May");
  } finally {
    m.h.close();
  }
});
