import { afterEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import {
  eventStream,
  type ModelScript,
  type ModelServer,
  startModelServer,
  streamedAnswer,
  wholeAnswer,
} from "../../../test/support/model-server.ts";
import { systemClock } from "../../platform/clock.ts";
import type { ModelCall, ModelCallEnd } from "../../platform/ledger/model-calls.ts";
import { LanguageModel, type ModelOptions, type ModelRequest } from "./client.ts";
import { ModelFault } from "./faults.ts";

let server: ModelServer | null = null;
let calls: (ModelCall & { end: ModelCallEnd | null })[] = [];
afterEach(async () => {
  await server?.close();
  server = null;
  calls = [];
});

const ASK: ModelRequest = {
  user_id: "usr_1",
  purpose: "draft",
  messages: [{ role: "user", content: "Say hello." }],
  message_ids: ["msg_1"],
  max_tokens: 100,
};

const ledger: ModelOptions["ledger"] = {
  begin(call) {
    const row: (typeof calls)[number] = { ...call, end: null };
    calls.push(row);
    return (end) => {
      row.end = end;
    };
  },
};

/**
 * Returns a clock that does not wait: delays between retries end immediately, and timeouts only if the test asks for
 * them.
 */
const hurried = (timeouts: boolean): ModelOptions["clock"] => ({
  now: () => systemClock.now(),
  after: (ms, fn) => (ms > 25_000 ? (timeouts ? systemClock.after(50, fn) : () => {}) : systemClock.after(0, fn)),
});

function model(script: ModelScript, options: Partial<ModelOptions> & { times_out?: boolean } = {}): LanguageModel {
  server = startModelServer(script);
  const { times_out = false, ...rest } = options;
  return new LanguageModel({
    endpoint: { base_url: server.base_url, model: "tiny", api_key: "k-1" },
    allow_hosts: [],
    ledger,
    clock: hurried(times_out),
    timeoutMs: 60_000,
    context_tokens: 4_096,
    ...rest,
  });
}

async function faultOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFault);
  return (error as ModelFault).kind;
}

describe("a call", () => {
  test("reads a stream in pieces of any size and passes them on as they arrive", async () => {
    const pieces: string[] = [];
    const text = await model(() => streamedAnswer("Grüße, 你好 and hello.", 3)).complete({
      ...ASK,
      onText: (piece) => pieces.push(piece),
    });
    expect(text).toBe("Grüße, 你好 and hello.");
    expect(pieces.join("")).toBe(text);
    expect(pieces.length).toBeGreaterThan(3);
  });

  test("reads a whole document from servers that do not stream", async () => {
    expect(await model(() => wholeAnswer("Hello.")).complete(ASK)).toBe("Hello.");
  });

  test("sends model, messages and key, and never offers a tool", async () => {
    await model(() => wholeAnswer("x")).complete(ASK);
    const [ask] = server!.asked;
    expect(ask).toMatchObject({ path: "/v1/chat/completions", authorization: "Bearer k-1" });
    expect(ask!.body).toMatchObject({ model: "tiny", messages: ASK.messages, stream: true, max_tokens: 100 });
    expect(ask!.body.tools).toBeUndefined();
  });

  test("is recorded in the ledger with purpose, host, bytes and messages, before and after the call", async () => {
    let notedBefore = false;
    await model(() => {
      notedBefore = calls.length === 1 && calls[0]!.end === null;
      return wholeAnswer("Hello.");
    }).complete(ASK);
    expect(notedBefore).toBe(true);
    const [ask] = server!.asked;
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      user_id: "usr_1",
      purpose: "draft",
      host: server!.host,
      model: "tiny",
      bytes_out: ask!.bytes,
      message_ids: ["msg_1"],
      end: { result: "ok" },
    });
    expect(calls[0]!.end!.bytes_in).toBeGreaterThan(10);
  });

  test("that would be too long for the model is not sent", async () => {
    const long = { ...ASK, messages: [{ role: "user" as const, content: "word ".repeat(5_000) }] };
    expect(await faultOf(model(() => wholeAnswer("x")).complete(long))).toBe("too_long");
    expect(server!.asked).toEqual([]);
    expect(calls).toEqual([]);
  });
});

describe("a server", () => {
  test("that is busy or fails temporarily is retried, and each attempt is in the ledger", async () => {
    const script: ModelScript = (_ask, nth) =>
      nth === 1
        ? new Response("", { status: 503 })
        : nth === 2
          ? new Response("", { status: 429 })
          : wholeAnswer("Yes.");
    expect(await model(script).complete(ASK)).toBe("Yes.");
    expect(calls.map((call) => call.end?.result)).toEqual(["server_error", "busy", "ok"]);
  });

  test.each([
    ["refuses the key", () => new Response("", { status: 401 }), "refused", 1],
    ["does not know the model", () => new Response("", { status: 404 }), "refused", 1],
    ["fails for good", () => new Response("", { status: 500 }), "server_error", 3],
    ["sends us elsewhere", () => Response.redirect("http://127.0.0.1:1/", 307), "refused", 1],
    ["answers with garbage", () => new Response("<html>hello</html>", { status: 200 }), "protocol", 1],
    ["answers with another JSON", () => Response.json([1, 2]), "protocol", 1],
    ["answers with null", () => Response.json(null), "protocol", 1],
    ["answers without text", () => wholeAnswer("  "), "protocol", 1],
    ["cuts its stream off", () => eventStream(['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n']), "protocol", 1],
    ["streams garbage", () => eventStream(["data: nonsense\n\n"]), "protocol", 1],
    [
      "reports an error in the stream",
      () => eventStream(['data: {"error":{"message":"boom"}}\n\n']),
      "server_error",
      3,
    ],
    [
      "calls a tool instead of answering",
      () =>
        Response.json({ choices: [{ message: { content: null, tool_calls: [{ function: { name: "send_mail" } }] } }] }),
      "protocol",
      1,
    ],
  ])("that %s", async (_what, script, kind, attempts) => {
    expect(await faultOf(model(script).complete(ASK))).toBe(kind);
    expect(calls).toHaveLength(attempts);
    expect(calls.at(-1)!.end!.result).toBe(kind);
  });

  test("that sends an endless answer is disconnected", async () => {
    const flood = () => {
      const event = `data: ${JSON.stringify({ choices: [{ delta: { content: "a".repeat(60_000) } }] })}\n\n`;
      const body = new ReadableStream<Uint8Array>({ pull: (to) => to.enqueue(new TextEncoder().encode(event)) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    expect(await faultOf(model(flood).complete(ASK))).toBe("too_large");
  });

  test("that sends an endless event is disconnected", async () => {
    const flood = () => eventStream([`data: ${"a".repeat(1_500_000)}`], false);
    expect(["protocol", "too_large"]).toContain(await faultOf(model(flood).complete(ASK)));
  });

  test("that sends nothing times out, before its first byte and after", async () => {
    expect(await faultOf(model(() => new Promise<Response>(() => {}), { times_out: true }).complete(ASK))).toBe(
      "timeout",
    );
    await server!.close();
    const stuck = () => eventStream(['data: {"choices":[{"delta":{"content":"Hel"}}]}\n\n'], false);
    expect(await faultOf(model(stuck, { times_out: true }).complete(ASK))).toBe("timeout");
  });

  test("that is not running is unreachable", async () => {
    const endpoint = { base_url: "http://127.0.0.1:1/v1", model: "tiny", api_key: null };
    expect(await faultOf(model(() => wholeAnswer("x"), { endpoint }).complete(ASK))).toBe("unreachable");
  });

  test("is disconnected immediately when the caller gives up", async () => {
    const abort = new AbortController();
    const call = model(() => {
      abort.abort();
      return new Promise<Response>(() => {});
    }).complete({ ...ASK, signal: abort.signal });
    expect(await faultOf(call)).toBe("cancelled");
  });
});

describe("an answer in JSON", () => {
  const Shape = Type.Object({ body: Type.String(), n: Type.Integer() }, { additionalProperties: false });
  const GOOD = '{"body":"Hello","n":2}';

  test.each([
    ["bare", GOOD],
    ["in a fence", `Here you are:\n\`\`\`json\n${GOOD}\n\`\`\``],
    ["in a sentence", `Sure! ${GOOD} Anything else?`],
    ["after its thoughts", `<think>{"body": 1}</think>${GOOD}`],
    ["with unrequested fields", '{"body":"Hello","n":2,"send_to":"eve@evil.example"}'],
  ])("is taken %s", async (_what, text) => {
    const answer = await model(() => streamedAnswer(text)).completeJson(ASK, "shape", Shape);
    expect(answer).toEqual({ body: "Hello", n: 2 });
    expect(server!.asked[0]!.body.response_format?.type).toBe("json_schema");
  });

  test("of the wrong form is requested once more, then refused", async () => {
    const script: ModelScript = (_ask, nth) => wholeAnswer(nth === 1 ? '{"body":7}' : GOOD);
    expect(await model(script).completeJson(ASK, "shape", Shape)).toEqual({ body: "Hello", n: 2 });
    await server!.close();
    calls = [];
    expect(await faultOf(model(() => wholeAnswer('{"n":"two"}')).completeJson(ASK, "shape", Shape))).toBe(
      "not_as_asked",
    );
    expect(calls).toHaveLength(2);
  });

  test("is requested in simpler form from servers without schema support, which are remembered", async () => {
    const script: ModelScript = (ask) =>
      ask.body.response_format ? new Response("", { status: 400 }) : wholeAnswer(GOOD);
    const plain = model(script);
    expect(await plain.completeJson(ASK, "shape", Shape)).toEqual({ body: "Hello", n: 2 });
    expect(server!.asked.map((ask) => ask.body.response_format?.type)).toEqual([
      "json_schema",
      "json_object",
      undefined,
    ]);
    await plain.completeJson(ASK, "shape", Shape);
    expect(server!.asked).toHaveLength(4);
  });
});

test("a proxy from the environment receives no requests to this machine or without encryption", async () => {
  let seen = 0;
  const proxy = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: () => {
      seen++;
      return wholeAnswer("from the proxy");
    },
  });
  const { HTTP_PROXY, http_proxy } = process.env;
  process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${proxy.port}`;
  try {
    expect(await model(() => wholeAnswer("from the model")).complete(ASK)).toBe("from the model");
    expect(seen).toBe(0);
  } finally {
    for (const [name, value] of Object.entries({ HTTP_PROXY, http_proxy })) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    await proxy.stop(true);
  }
});
