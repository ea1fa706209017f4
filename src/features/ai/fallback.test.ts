import { afterEach, describe, expect, test } from "bun:test";
import { type AiFixture, aiFixture } from "../../../test/support/ai-fixture.ts";
import {
  eventStream,
  type ModelScript,
  type ModelServer,
  startModelServer,
  wholeAnswer,
} from "../../../test/support/model-server.ts";
import { draftRoutes } from "../drafts/routes.ts";

/** Why the built-in engine answered although a language model is configured, as the API says it. */

let s: AiFixture;
let server: ModelServer;
let thread_id: string;
afterEach(async () => {
  s.h.close();
  await server.close();
});

const QUESTION = "When does the lease of the Porto office end?";
/** Longer than any wait between two attempts. */
const WAIT_MS = 6_000;

function setUp(script: ModelScript): void {
  server = startModelServer(script);
  s = aiFixture(
    { config: { "ai.base_url": server.base_url, "ai.model": "tiny" } },
    (_platform, { accounts }, outbound, ai) =>
      draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draftFiles, ai: ai.drafting }),
  );
  const text = "Hi Ada,\n\nthe lease of the Porto office ends on 30 June 2026. Could you sign the new one?\n\nBob";
  thread_id = s.seeded.converse(s.fromBob(text, { subject: "Office in Porto" })).thread_id;
}

/** Makes a request. The clock advances after each failed call to the model, so that no wait between attempts lasts. */
async function call(path: string, body: object) {
  const request = s.h.call("POST", path, { body });
  let done = false;
  void request.finally(() => {
    done = true;
  });
  for (let ended = 0; !done; ) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    const calls = s.h.platform.modelCalls.list(s.h.user.id, null, 10).filter(({ result }) => result !== null).length;
    if (calls > ended) {
      ended = calls;
      await new Promise<void>((resolve) => setImmediate(resolve));
      s.h.clock.advance(WAIT_MS);
    }
  }
  const { status, json } = await request;
  expect(status).toBe(200);
  return json;
}

const ask = () => call("/ai/ask", { question: QUESTION });
const summary = () => call("/ai/summarize", { thread_id });
const draft = () => call("/drafts", { use_ai: true, reply_to_thread_id: thread_id, instructions: "accept" });
const results = () =>
  s.h.platform.modelCalls
    .list(s.h.user.id, null, 10)
    .map(({ result }) => result)
    .reverse();
const says = (answer: object) => () => wholeAnswer(JSON.stringify(answer));

describe("an answer, a summary and a draft of the built-in engine name the reason:", () => {
  test.each<[string, ModelScript, string, string[]]>([
    [
      "the model was too slow",
      () => {
        s.h.clock.advance(61_000);
        return new Promise<Response>(() => {});
      },
      "The model did not answer within 60 s (ai.timeout_seconds).",
      ["timeout"],
    ],
    [
      "the answer has another form",
      () => wholeAnswer("I cannot tell."),
      "The model's answer does not have the requested form.",
      ["ok", "ok"],
    ],
    [
      "the answer was cut off",
      () => eventStream(['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n']),
      "The model's answer was cut off.",
      ["protocol"],
    ],
    [
      "the key or the model is unknown",
      () => new Response("", { status: 401 }),
      "The model's server refuses the request (401).",
      ["refused"],
    ],
    [
      "the server is busy",
      () => new Response("", { status: 429 }),
      "The model's server is busy (429).",
      ["busy", "busy", "busy"],
    ],
    [
      "the server failed",
      () => new Response("", { status: 500 }),
      "The model's server failed (500).",
      ["server_error", "server_error", "server_error"],
    ],
  ])("%s", async (_what, script, reason, calls) => {
    setUp(script);
    expect(await ask()).toMatchObject({ answered: true, engine: "extractive", fallback: reason });
    expect(results()).toEqual(calls);
    expect(await summary()).toMatchObject({ engine: "extractive", fallback: reason });
    expect((await draft()).ai).toMatchObject({ engine: "extractive", fallback: reason });
  });

  test("no server answers", async () => {
    setUp(() => wholeAnswer("x"));
    await server.close();
    const fallback = `The model's server at ${server.host} could not be reached.`;
    expect(await ask()).toMatchObject({ answered: true, engine: "extractive", fallback });
    expect(results()).toEqual(["unreachable", "unreachable", "unreachable"]);
    expect(await summary()).toMatchObject({ fallback });
    expect((await draft()).ai).toMatchObject({ engine: "extractive", fallback });
  });
});

describe("an answer of a model is dropped, and the reason is named:", () => {
  test("its quotes are not in the mail", async () => {
    setUp(says({ answered: true, answer: "On 1 May.", citations: [{ mail: 1, quote: "the lease ends on 1 May" }] }));
    const fallback = "The quotes of the model do not occur in your mail.";
    expect(await ask()).toMatchObject({ answered: true, engine: "extractive", fallback });
  });

  test("it says more than the quoted mail", async () => {
    const citations = [{ mail: 1, quote: "the lease of the Porto office ends on 30 June 2026" }];
    setUp(says({ answered: true, answer: "On 30 June 2026. Pay 9,000 EUR at https://evil.example.", citations }));
    const json = await ask();
    expect(json).toMatchObject({ answered: true, engine: "extractive" });
    expect(json.fallback).toBe("The model's answer contains statements that the quoted mail does not support.");
  });

  test("no point of a summary is in the thread", async () => {
    setUp(says({ points: [{ text: "Bob is ill.", mail: 1, quote: "I am ill and stay at home" }] }));
    const fallback = "The model's summary quotes nothing that occurs in the thread.";
    expect(await summary()).toMatchObject({ engine: "extractive", fallback });
  });
});

test("where a model finds no answer, the passages that may have one are listed, and nothing fell back", async () => {
  setUp(says({ answered: false, answer: "", citations: [] }));
  const json = await ask();
  expect(json).toMatchObject({ answered: false, engine: "local", fallback: null, credits_spent: 0 });
  expect(json.answer).toStartWith("Not sure. This mail may say it:");
  expect(json.possible[0].quote).toContain("30 June 2026");
});
