import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { type AssistantFixture, assistantFixture, REDIRECT_URI } from "../../../test/support/assistant-fixture.ts";
import { OAuthClient } from "../../../test/support/oauth-client.ts";
import type { EgressRequest } from "../../platform/egress/client.ts";
import { EgressGuard } from "../../platform/egress/guard.ts";

const ID = "https://client.example/oauth/client.json";
const DOCUMENT = { client_id: ID, client_name: "Published", redirect_uris: [REDIRECT_URI] };

let s: AssistantFixture;
let asked: EgressRequest[];
let reply: { status?: number; body?: string; truncated?: boolean };
beforeEach(() => {
  asked = [];
  reply = { body: JSON.stringify(DOCUMENT) };
  const guard = new EgressGuard([]);
  const request = async (given: EgressRequest) => {
    guard.checkUrl(given.url);
    asked.push(given);
    const { status = 200, body = "", truncated = false } = reply;
    return { status, headers: {}, body: Buffer.from(body), truncated };
  };
  s = assistantFixture({}, { egress: { request } });
});
afterEach(() => s.h.close());

const begun = async (client_id = ID) => {
  const response = await s.window().go(new OAuthClient(s, client_id).url().href);
  return response.status;
};

describe("a client that publishes its metadata", () => {
  test("connects without a registration, and consent says that its description was verified", async () => {
    const client = new OAuthClient(s, ID);
    const window = s.window();
    const uid = await s.begin(client.url({ redirect_uri: REDIRECT_URI.replace("7777", "8123") }), window);
    const { json } = await s.consent("GET", uid, window);
    expect(json).toMatchObject({ client_id: ID, name: "Published", verified: true, redirect_host: "localhost" });
    const tokens = await client.connect();
    expect((await s.call(tokens.json.access_token)).status).toBe(200);
    expect(asked.map(({ url, method }) => [url, method])).toEqual([[ID, "GET"]]);
    const next = await client.refresh(tokens.json.refresh_token);
    expect(next.status).toBe(200);
  });

  test("cannot claim the address of another", async () => {
    reply = { body: JSON.stringify({ ...DOCUMENT, client_id: "https://other.example/client.json" }) };
    expect(await begun()).toBe(400);
  });

  test.each([
    [{ redirect_uris: ["http://client.example/"] }],
    [{ redirect_uris: ["javascript:alert(1)"] }],
    [{ redirect_uris: undefined }],
    [{ client_secret: "s" }],
    [{ token_endpoint_auth_method: "client_secret_post" }],
  ])("is refused with %j", async (more) => {
    reply = { body: JSON.stringify({ ...DOCUMENT, ...more }) };
    expect(await begun()).toBe(400);
  });

  test.each([
    [{ status: 404 }],
    [{ status: 302 }],
    [{ body: "not JSON" }],
    [{ body: "[]" }],
    [{ body: JSON.stringify({ ...DOCUMENT, client_name: "x".repeat(20_000) }), truncated: true }],
  ])("is refused when its address answers %j", async (answer) => {
    reply = answer;
    expect(await begun()).toBe(400);
  });

  test.each([
    ["http://client.example/client.json"],
    ["https://127.0.0.1/client.json"],
    ["https://192.168.1.1/client.json"],
    ["https://169.254.169.254/latest/meta-data"],
    ["https://localhost/client.json"],
    ["https://user@client.example/client.json"],
    ["https://client.example/a/../client.json"],
  ])("is not fetched from %s", async (client_id) => {
    expect([await begun(client_id), asked]).toEqual([400, []]);
  });

  test("is fetched at most 10 times a minute for one address, and 60 times for all", async () => {
    reply = { status: 404 };
    let id = 0;
    const ask = async (peer: string, times: number): Promise<number> => {
      const before = asked.length;
      for (let n = 0; n < times; n++) {
        const { href } = new OAuthClient(s, `https://client.example/${id++}.json`).url();
        await s.h.pipeline.fetch(new Request(href), { peer, keepOpen: () => {} });
      }
      return asked.length - before;
    };
    expect(await ask("203.0.113.1", 15)).toBe(10);
    for (const n of [2, 3, 4, 5, 6]) expect(await ask(`203.0.113.${n}`, 10)).toBe(10);
    expect(await ask("203.0.113.7", 10)).toBe(0);
    s.h.clock.advance(60_000);
    expect(await ask("203.0.113.1", 1)).toBeGreaterThan(0);
  });
});
