import { afterEach, describe, expect, test } from "bun:test";
import { findLocalServers, readModels, readOllamaModels } from "./detect.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** Starts a server on this machine that has these documents, and records what it was asked. */
function serving(documents: Record<string, unknown>): { port: number; asked: string[] } {
  const asked: string[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const { pathname } = new URL(request.url);
      asked.push(`${request.method} ${pathname}`);
      const document = documents[pathname];
      if (document instanceof Response) return document;
      return document === undefined ? new Response("", { status: 404 }) : Response.json(document);
    },
  });
  stops.push(() => server.stop(true));
  return { port: server.port!, asked };
}

const TAGS = {
  models: [
    { name: "qwen2.5:7b", size: 4_683_087_332, details: { family: "qwen2", families: ["qwen2"] } },
    { name: "nomic-embed-text:latest", size: 274_302_450, details: { family: "nomic-bert" } },
    { name: "gpt-oss:120b-cloud", size: 384, remote_host: "https://ollama.com:443", details: { family: "gptoss" } },
  ],
};
const model = (name: string, bytes: number | null, more: object = {}) => ({
  name,
  bytes,
  elsewhere: false,
  loaded: false,
  ...more,
});

describe("servers on this machine", () => {
  test("Ollama: its models with their sizes, which are in memory, and which run elsewhere", async () => {
    const running = { models: [{ name: "qwen2.5:7b", size: 6_000_000_000, context_length: 4_096 }] };
    const { port, asked } = serving({ "/api/tags": TAGS, "/api/ps": running });
    expect(await findLocalServers([{ port, kind: "ollama" }])).toEqual([
      {
        kind: "ollama",
        base_url: `http://127.0.0.1:${port}/v1`,
        models: [
          model("qwen2.5:7b", 4_683_087_332, { loaded: true }),
          model("gpt-oss:120b-cloud", null, { elsewhere: true }),
        ],
        context_tokens: 4_096,
      },
    ]);
    expect(asked).toEqual(["GET /api/tags", "GET /api/ps"]);
  });

  test("Ollama without models is found, so that a model can be recommended", async () => {
    const { port } = serving({ "/api/tags": { models: [] } });
    expect(await findLocalServers([{ port, kind: "ollama" }])).toMatchObject([{ models: [], context_tokens: null }]);
  });

  test("llama.cpp: its model, size and context", async () => {
    const { port, asked } = serving({
      "/v1/models": {
        data: [{ id: "gemma-3-4b-it-Q4_K_M.gguf", meta: { size: 2_480_000_000, n_ctx_train: 131_072 } }],
      },
      "/props": { default_generation_settings: { n_ctx: 2_048 }, total_slots: 1 },
    });
    const [found] = await findLocalServers([{ port, kind: "llama.cpp" }]);
    expect(found!.models).toEqual([model("gemma-3-4b-it-Q4_K_M.gguf", 2_480_000_000, { loaded: true })]);
    expect(found!.context_tokens).toBe(2_048);
    expect(asked).toEqual(["GET /v1/models", "GET /props"]);
  });

  test("LM Studio: its models without those that only embed", async () => {
    const data = [{ id: "qwen2.5-7b-instruct" }, { id: "text-embedding-nomic-embed-text-v1.5" }];
    const { port } = serving({ "/v1/models": { object: "list", data } });
    const [found] = await findLocalServers([{ port, kind: "lm_studio" }]);
    expect(found).toMatchObject({ kind: "lm_studio", models: [model("qwen2.5-7b-instruct", null)] });
  });

  test("a closed port, a redirect, a flood and another program are no server", async () => {
    const elsewhere = serving({ "/v1/models": { data: [{ id: "far" }] } });
    const away = serving({ "/v1/models": Response.redirect(`http://127.0.0.1:${elsewhere.port}/v1/models`, 302) });
    const flood = serving({ "/v1/models": { data: [{ id: "x" }], more: "a".repeat(600_000) } });
    const page = serving({ "/v1/models": new Response("<html>") });
    const ports = [1, away.port, flood.port, page.port];
    expect(await findLocalServers(ports.map((port) => ({ port, kind: "other" })))).toEqual([]);
    expect(elsewhere.asked).toEqual([]);
  });

  test("other documents are no list of models", () => {
    for (const document of [null, 3, "", {}, { data: {} }, { data: [null, { id: 3 }, { id: " " }] }, { models: {} }]) {
      expect(readModels(document)).toBeNull();
      expect(readOllamaModels(document)).toBeNull();
    }
    expect(readOllamaModels({ models: [null, { name: 3 }, { name: "a", size: "big" }] })).toEqual([model("a", null)]);
  });
});
