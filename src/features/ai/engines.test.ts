import { afterEach, expect, test } from "bun:test";
import { type Scratch, scratchPlatform } from "../../../test/support/scratch-platform.ts";
import { Engines } from "./engines.ts";

let s: Scratch;
afterEach(() => s.close());

function engines(config: Parameters<Scratch["another"]>[0] = {}): Engines {
  const platform = s.another(config);
  return new Engines(platform);
}
const by = () => ({ user_id: s.user.id, actor: { kind: "user" as const, id: s.user.id } });
const LOCAL = { base_url: "http://127.0.0.1:11434/v1", model: "qwen3:4b", api_key: "k-secret" };

test("without configuration there is no model, and the built-in engine answers", () => {
  s = scratchPlatform();
  expect(engines().model()).toBeNull();
  expect(engines().status()).toEqual({ engine: "extractive", model: null, host: null, problem: null });
});

test("a stored endpoint is used at once, sealed, audited without its key, and can be removed", () => {
  s = scratchPlatform();
  const first = engines();
  first.save(LOCAL, by());
  expect(first.status()).toEqual({ engine: "local", model: "qwen3:4b", host: "127.0.0.1:11434", problem: null });
  const { value } = s.platform.db.sql.query<{ value: Uint8Array }, []>("SELECT value FROM settings").get()!;
  expect(Buffer.from(value).toString("latin1")).not.toContain("qwen3");
  const [row] = s.platform.audit.list(s.user.id, { limit: 1, action: "ai.endpoint" });
  expect(JSON.stringify(row)).not.toContain("k-secret");
  first.save(null, by());
  expect(first.model()).toBeNull();
});

test("the configuration takes precedence over the stored endpoint", () => {
  s = scratchPlatform();
  engines().save(LOCAL, by());
  expect(engines({ "ai.base_url": "http://localhost:8080/v1", "ai.model": "other" }).status()).toMatchObject({
    model: "other",
  });
});

test("a host that is not listed is neither stored nor used", () => {
  s = scratchPlatform();
  const hosted = { ...LOCAL, base_url: "https://api.example.com/v1" };
  expect(() => engines().save(hosted, by())).toThrow("ai.allow_hosts");
  const config = { "ai.base_url": hosted.base_url, "ai.model": "big" };
  expect(engines(config).model()).toBeNull();
  expect(engines(config).status().problem).toContain("ai.allow_hosts");
  expect(engines({ ...config, "ai.allow_hosts": ["api.example.com"] }).status()).toMatchObject({
    engine: "hosted",
    problem: null,
  });
});

test("an endpoint without a model name is not used", () => {
  s = scratchPlatform();
  expect(engines({ "ai.base_url": LOCAL.base_url }).status()).toMatchObject({
    engine: "extractive",
    problem: "ai.model is not set. Set it to the name of a model of this server.",
  });
});

test("pruning the ledger removes old calls and keeps new ones", () => {
  s = scratchPlatform();
  const store = s.platform.modelCalls;
  const call = {
    user_id: s.user.id,
    purpose: "ask" as const,
    host: "h",
    model: "m",
    bytes_out: 3,
    message_ids: ["msg_1"],
  };
  store.begin(call)({ result: "ok", bytes_in: 5 });
  s.clock.advance(10_000);
  store.begin(call);
  expect(store.prune(s.clock.now())).toBe(1);
  // The remaining call was interrupted, so its end was never recorded.
  expect(store.list(s.user.id, null, 9)).toMatchObject([
    { bytes_out: 3, bytes_in: null, result: null, message_ids: ["msg_1"] },
  ]);
});
