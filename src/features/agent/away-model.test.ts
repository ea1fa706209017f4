import { afterEach, describe, expect, test } from "bun:test";
import { type AgentScene, agentScene, daysAgo } from "../../../test/agent-scene.ts";
import { type ModelScript, type ModelServer, startModelServer, wholeAnswer } from "../../../test/model-server.ts";

let s: AgentScene;
let server: ModelServer;
afterEach(async () => {
  s.h.close();
  await server.close();
});

function sceneWith(script: ModelScript): void {
  server = startModelServer(script);
  s = agentScene({ "ai.base_url": server.base_url, "ai.model": "tiny" });
  s.permit("autopilot", "draft");
}

const silent: ModelScript = () => {
  s.h.clock.advance(3_600_000);
  return new Promise<Response>(() => {});
};

/** What the drafts of a pass say of who wrote them, oldest first. */
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
  ])("and %s is not asked for the others, which say so", async (_what, script) => {
    sceneWith(script);
    for (const n of [1, 2, 3]) s.question({ subject: `Contract ${n}`, at: daysAgo(1) + n });
    const notes = await drafted();
    expect(notes.map(({ engine }) => engine)).toEqual(["extractive", "extractive", "extractive"]);
    expect(server.asked).toHaveLength(1);
    const again = "The model was not called again";
    expect(notes.map(({ fallback }) => fallback?.startsWith(again))).toEqual([false, true, true]);
  });

  test("is asked again in the next pass", async () => {
    sceneWith(silent);
    s.question();
    await s.run();
    s.question({ subject: "Another", at: s.h.clock.now() });
    await s.run();
    expect(server.asked).toHaveLength(2);
  });
});

test("a model that only wrote one bad draft is asked for the next", async () => {
  sceneWith((_ask, nth) =>
    wholeAnswer(nth <= 2 ? "I cannot do that." : JSON.stringify({ body: "Hi,\n\nfine.\n\nAda" })),
  );
  for (const n of [1, 2]) s.question({ subject: `Contract ${n}`, at: daysAgo(1) + n });
  expect((await drafted()).map(({ engine }) => engine)).toEqual(["extractive", "local"]);
});
