import { afterEach, describe, expect, test } from "bun:test";
import { type AgentFixture, agentFixture, daysAgo } from "../../../test/support/agent-fixture.ts";
import {
  type ModelScript,
  type ModelServer,
  startModelServer,
  wholeAnswer,
} from "../../../test/support/model-server.ts";

let s: AgentFixture;
let server: ModelServer;
afterEach(async () => {
  s.h.close();
  await server.close();
});

function setUp(script: ModelScript): void {
  server = startModelServer(script);
  s = agentFixture({ "ai.base_url": server.base_url, "ai.model": "tiny" });
  s.permit("autopilot", "draft");
}

const silent: ModelScript = () => {
  s.h.clock.advance(3_600_000);
  return new Promise<Response>(() => {});
};

/** Runs a pass and returns the AI notes of its drafts, oldest first. */
async function drafted(): Promise<{ engine: string; fallback: string | null }[]> {
  const notes = [];
  for (const { draft_id } of (await s.run()).filter(({ action }) => action === "drafted")) {
    notes.push((await s.h.call("GET", `/drafts/${draft_id}`)).json.ai);
  }
  return notes;
}

describe("a model that does not answer the first draft of a pass", () => {
  test.each<[string, ModelScript]>([
    ["is silent", silent],
    ["refuses", () => new Response("", { status: 401 })],
    ["is something else", () => new Response("<html></html>")],
  ])("and %s is not called for the later drafts, whose notes say so", async (_what, script) => {
    setUp(script);
    for (const n of [1, 2, 3]) s.question({ subject: `Contract ${n}`, at: daysAgo(1) + n });
    const notes = await drafted();
    expect(notes.map(({ engine }) => engine)).toEqual(["extractive", "extractive", "extractive"]);
    expect(server.asked).toHaveLength(1);
    const again = "The model was not called again";
    expect(notes.map(({ fallback }) => fallback?.startsWith(again))).toEqual([false, true, true]);
  });

  test("is called again in the next pass", async () => {
    setUp(silent);
    s.question();
    await s.run();
    s.question({ subject: "Another", at: s.h.clock.now() });
    await s.run();
    expect(server.asked).toHaveLength(2);
  });
});

test("a model that wrote one bad draft is still called for the next", async () => {
  setUp((_ask, nth) => wholeAnswer(nth <= 2 ? "I cannot do that." : JSON.stringify({ body: "Hi,\n\nfine.\n\nAda" })));
  for (const n of [1, 2]) s.question({ subject: `Contract ${n}`, at: daysAgo(1) + n });
  expect((await drafted()).map(({ engine }) => engine)).toEqual(["extractive", "local"]);
});
