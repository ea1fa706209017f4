import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type MemberFixture, memberFixture } from "../../../test/support/member-fixture.ts";
import { type ModelServer, startModelServer, wholeAnswer } from "../../../test/support/model-server.ts";

let s: MemberFixture;
let server: ModelServer | null = null;
beforeEach(() => {
  s = memberFixture();
});
afterEach(async () => {
  s.h.close();
  await server?.close();
  server = null;
});

const put = (body: object) => s.owner.call("PUT", "/ai", { body: { model: "tiny", ...body } });
const LOCAL = "http://127.0.0.1:11434/v1";
const HOSTED = "https://api.example.com/v1";

test("without a model every user sees that no mail text leaves this machine", async () => {
  const { json } = await s.ada.call("GET", "/ai");
  expect(json).toMatchObject({ engine: "extractive", from: null, base_url: null, model: null, has_key: false });
  expect(json.where_text_goes).toStartWith("Nowhere.");
});

describe("a model", () => {
  test("on this machine is used immediately, and can be removed", async () => {
    expect((await put({ base_url: LOCAL, api_key: "k-secret" })).json).toMatchObject({
      engine: "local",
      from: "settings",
      model: "tiny",
      host: "127.0.0.1:11434",
      has_key: true,
    });
    expect((await s.owner.call("DELETE", "/ai")).status).toBe(204);
    expect((await s.ada.call("GET", "/ai")).json.engine).toBe("extractive");
  });

  test("on another machine needs the owner's consent to send mail text there", async () => {
    const refused = await put({ base_url: HOSTED });
    expect([refused.status, refused.json.error.param]).toEqual([400, "base_url"]);
    expect(refused.json.error.message).toContain("confirm here");
    const { json } = await put({ base_url: HOSTED, allow_host: true });
    expect(json).toMatchObject({ engine: "hosted", host: "api.example.com", problem: null });
    expect(json.where_text_goes).toContain("How long the provider keeps the data");
    // The consent applies to this host, also after other changes, and to no other host.
    expect((await put({ base_url: HOSTED, model: "big" })).json).toMatchObject({ model: "big", problem: null });
    expect((await put({ base_url: "https://api.example.net/v1" })).status).toBe(400);
  });

  test.each([
    ["http://api.example.com/v1", 400],
    ["http://nas.lan:11434/v1", 200],
    ["http://192.168.1.5:8080/v1", 200],
    ["http://[fd12::5]:8080/v1", 200],
    ["http://[2001:db8::5]:8080/v1", 400],
    ["ftp://nas.lan/v1", 400],
    ["https://user:pass@api.example.com/v1", 400],
  ])("at %s, with the owner's consent: %i", async (base_url, status) => {
    expect((await put({ base_url, allow_host: true })).status).toBe(status);
  });

  test.each([
    [HOSTED, true],
    ["http://api.example.com/v1", false],
    ["ftp://nas.lan/v1", false],
    ["https://user:pass@api.example.com/v1", false],
  ])("at %s: consent is offered only where it helps", async (base_url, offered) => {
    const { json } = await put({ base_url });
    expect(json.error.message.includes("confirm here")).toBe(offered);
  });

  test("that Ollama passes on to its maker needs the owner's consent to that, also after a local one", async () => {
    await put({ base_url: LOCAL });
    const cloud = { base_url: LOCAL, model: "gpt-oss:120b-cloud" };
    const refused = await put(cloud);
    expect([refused.status, refused.json.error.message]).toEqual([400, expect.stringContaining("ollama.com")]);
    expect(refused.json.error.message).toContain("confirm here");
    const { json } = await put({ ...cloud, allow_host: true });
    expect(json).toMatchObject({ engine: "hosted", host: "ollama.com", problem: null });
    expect((await put({ base_url: LOCAL })).json.engine).toBe("local");
    expect((await put(cloud)).status).toBe(400);
  });

  test("keeps its key when only the model name changes, and never sends the key to another server", async () => {
    await put({ base_url: LOCAL, api_key: "k-secret" });
    expect((await put({ base_url: LOCAL, model: "other" })).json.has_key).toBe(true);
    expect((await put({ base_url: "http://127.0.0.1:8080/v1" })).json.has_key).toBe(false);
    await put({ base_url: LOCAL, api_key: "k-secret" });
    expect((await put({ base_url: LOCAL, api_key: null })).json.has_key).toBe(false);
  });

  test("is audited without its key, which is stored encrypted", async () => {
    await put({ base_url: LOCAL, api_key: "k-secret" });
    const [row] = s.h.platform.audit.list(s.owner.user.id, { limit: 1, action: "ai.endpoint" });
    expect(row).toMatchObject({
      after: { base_url: LOCAL, model: "tiny" },
      request_id: expect.stringMatching(/^req_/),
    });
    expect(JSON.stringify(row)).not.toContain("k-secret");
    expect(JSON.stringify((await s.owner.call("GET", "/ai")).json)).not.toContain("k-secret");
  });
});

describe("a connection test", () => {
  test("asks for one word, sends no mail, and adds its totals to the ledger", async () => {
    s.arrive({ text: "The heron." });
    server = startModelServer(() => wholeAnswer("ready"));
    const body = { base_url: server.base_url, model: "tiny", api_key: "k" };
    expect((await s.owner.call("POST", "/ai/test", { body })).json).toMatchObject({ ok: true, problem: null });
    expect(JSON.stringify(server.asked)).not.toContain("heron");
    expect((await s.owner.call("GET", "/ai")).json.engine).toBe("extractive");
    const { json } = await s.owner.call("GET", "/ai/ledger");
    expect(json.data).toMatchObject([{ purpose: "probe", host: server.host, message_ids: [], result: "ok" }]);
    expect(json.totals).toMatchObject([{ host: server.host, calls: 1, failed: 0, bytes_out: server.asked[0]!.bytes }]);
    expect((await s.ada.call("GET", "/ai/ledger")).json).toMatchObject({ data: [], totals: [] });
  });

  test("of the stored model uses its key", async () => {
    server = startModelServer(() => wholeAnswer("ready"));
    await put({ base_url: server.base_url, api_key: "k-1" });
    expect((await s.owner.call("POST", "/ai/test", { body: {} })).json.ok).toBe(true);
    expect(server.asked[0]!.authorization).toBe("Bearer k-1");
  });

  test("says why it failed", async () => {
    server = startModelServer(() => new Response("", { status: 401 }));
    const { json } = await s.owner.call("POST", "/ai/test", { body: { base_url: server.base_url, model: "tiny" } });
    expect([json.ok, typeof json.problem]).toEqual([false, "string"]);
    const nothing = await s.owner.call("POST", "/ai/test", { body: {} });
    expect([nothing.status, nothing.json.error.param]).toEqual([400, "base_url"]);
  });
});

test("the ledger is paginated, newest first", async () => {
  server = startModelServer(() => wholeAnswer("ready"));
  for (let i = 0; i < 3; i++) {
    await s.owner.call("POST", "/ai/test", { body: { base_url: server.base_url, model: `m${i}` } });
  }
  const first = (await s.owner.call("GET", "/ai/ledger?limit=2")).json;
  expect(first.data.map(({ model }: { model: string }) => model)).toEqual(["m2", "m1"]);
  const rest = (await s.owner.call("GET", `/ai/ledger?limit=2&cursor=${first.next_cursor}`)).json;
  expect([rest.data[0].model, rest.has_more]).toEqual(["m0", false]);
});
