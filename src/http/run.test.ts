import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, type CallOptions, createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, type Sample, sampleRoutes } from "../../test/support/sample-routes.ts";
import { ApiError, type ErrorCode } from "../kernel/errors.ts";

let h: Harness;
let sample: Sample;

beforeEach(() => {
  sample = createSample();
  h = createHarness({ routes: sampleRoutes(sample) });
});
afterEach(() => h.close());

const post = (text: unknown, key: string, more: CallOptions = {}) =>
  h.call("POST", "/notes", { body: { text }, ...more, headers: { "Idempotency-Key": key, ...more.headers } });
const notes = (harness = h) => harness.platform.audit.list(harness.user.id, { limit: 99, action: "note" }).length;

/** Returns an error reply without its request id, which differs each time. */
const withoutRequestId = ({ status, json }: Answer) => {
  const { request_id: _, ...error } = json.error;
  return { status, error };
};

describe("a deeply nested body", () => {
  const headers = { "Content-Type": "application/json" };

  test.each([
    ["lists", "[".repeat(500_000)],
    ["objects", '{"a":'.repeat(100_000)],
    ["in a known field", `{"text":${"[".repeat(400_000)}${"]".repeat(400_000)}}`],
  ])("is refused before it costs time: %s", async (_name, body) => {
    const { status, json } = await h.call("POST", "/notes", { body, headers });
    expect([status, json.error.param]).toEqual([400, "body"]);
    expect(json.error.message).toContain("levels deep");
  });

  test("is detected without counting brackets in strings", async () => {
    const text = '[{"\\'.repeat(20);
    expect((await post(text, "k")).json.text).toBe(text);
  });
});

test("a malformed id in the path is refused like an unknown one, after the form of the request is checked", async () => {
  const key = () => ({ "Idempotency-Key": crypto.randomUUID() });
  for (const id of ["nonsense", h.platform.newId("thread"), "%ff"]) {
    const path = `/notes/${id}/send`;
    const answers = [
      await h.call("POST", path, { body: { confirm: true } }),
      await h.call("POST", path, { body: { confirm: false }, headers: key() }),
      await h.call("POST", path, { body: "{", headers: { ...key(), "Content-Type": "application/json" } }),
    ];
    expect([id, ...answers.map(({ json }) => json.error?.param)]).toEqual([id, "Idempotency-Key", "confirm", "body"]);
  }
  const refused = await h.call("POST", "/notes/nonsense/send", { body: { confirm: true }, headers: key() });
  expect([refused.status, refused.json.error.code, sample.runs]).toEqual([404, "not_found", 0]);
});

describe("a change with an Idempotency-Key", () => {
  test("happens once, and the retry gets the first reply with a new request id", async () => {
    const first = await post("a", "k");
    const again = await post("a", "k");
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.text).toBe(first.text);
    expect(again.headers.get("content-type")).toBe("application/json");
    expect([first.headers.get("idempotency-replayed"), again.headers.get("idempotency-replayed")]).toEqual([
      null,
      "true",
    ]);
    expect(again.headers.get("x-request-id")).not.toBe(first.headers.get("x-request-id"));
    expect([sample.runs, notes()]).toEqual([1, 1]);
  });

  test("happens once when sent many times concurrently", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post("a", "k")));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.has("idempotency-replayed")).length).toBe(19);
    expect([sample.runs, notes()]).toEqual([1, 1]);
  });

  test("has the same body in another key order or with other white space", async () => {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "k" };
    const first = await h.call("POST", "/notes", { body: '{"text":"a","rank":1}', headers });
    const again = await h.call("POST", "/notes", { body: '{ "rank": 1,\n "text": "a" }', headers });
    expect(again.text).toBe(first.text);
  });

  test("with another body is 409 idempotency_conflict, and the first reply is kept", async () => {
    const first = await post("a", "k");
    const other = await post("b", "k");
    expect([other.status, other.json.error.code]).toEqual([409, "idempotency_conflict"]);
    expect((await post("a", "k")).text).toBe(first.text);
    expect(notes()).toBe(1);
  });

  test("belongs to one user, method and path", async () => {
    await post("a", "k");
    await post("a", "k", { key: h.newKey({ test: true }).secret });
    await h.call("DELETE", `/notes/${h.platform.newId("thread")}`, { headers: { "Idempotency-Key": "k" } });
    await h.call("DELETE", `/notes/${h.platform.newId("thread")}`, { headers: { "Idempotency-Key": "k" } });
    expect(sample.runs).toBe(4);
  });

  test("is forgotten after 24 hours", async () => {
    await post("a", "k");
    h.clock.advance(24 * 3_600_000 - 1);
    await post("a", "k");
    expect(sample.runs).toBe(1);
    h.clock.advance(1);
    expect((await post("b", "k")).status).toBe(201);
    h.clock.advance(24 * 3_600_000);
    expect(h.platform.idempotency.prune()).toBe(1);
  });

  test("replays 204 as 204", async () => {
    const path = `/notes/${h.platform.newId("thread")}`;
    await h.call("DELETE", path, { headers: { "Idempotency-Key": "k" } });
    const again = await h.call("DELETE", path, { headers: { "Idempotency-Key": "k" } });
    expect([again.status, again.text, again.headers.get("idempotency-replayed")]).toEqual([204, "", "true"]);
    expect(sample.runs).toBe(1);
  });

  test.each(["not_found", "draft_locked", "invalid_params"] as ErrorCode[])(
    "keeps a refusal %s but not its writes",
    async (code) => {
      sample.fail = new ApiError(code, "no");
      const first = await post("a", "k");
      const again = await post("a", "k");
      expect(first.json.error.code).toBe(code);
      expect(again.headers.get("idempotency-replayed")).toBe("true");
      expect(withoutRequestId(again)).toEqual(withoutRequestId(first));
      expect([sample.runs, notes()]).toEqual([1, 0]);
      const ids = [first, again].map(({ json, headers }) => [json.error.request_id, headers.get("x-request-id")]);
      for (const [inBody, inHeader] of ids) expect(inBody).toBe(inHeader);
      expect(ids[0]![0]).not.toBe(ids[1]![0]);
    },
  );

  test("keeps the refusal of an invalid body, too", async () => {
    expect((await post(5, "k")).status).toBe(400);
    const again = await post(5, "k");
    expect([again.status, again.headers.get("idempotency-replayed")]).toEqual([400, "true"]);
  });

  test.each(["insufficient_credits", "quota_exceeded", "provider_unavailable", "internal_error"] as ErrorCode[])(
    "does not keep %s: the retry runs",
    async (code) => {
      sample.fail = new ApiError(code, "not now");
      expect((await post("a", "k")).json.error.code).toBe(code);
      expect((await post("a", "k")).status).toBe(201);
      expect([sample.runs, notes()]).toEqual([2, 1]);
    },
  );

  test("stays unused when refused before the handler", async () => {
    const weak = h.newKey({ scopes: ["mail:read"] });
    expect((await post("a", "k", { key: weak.secret })).status).toBe(403);
    expect((await post("b", "k")).status).toBe(201);
  });

  test("stores replies sealed on disk", async () => {
    await post("a very private thing", "k");
    const row = h.platform.db.sql.query("SELECT * FROM idempotency").get() as { reply: Uint8Array };
    expect(Buffer.from(row.reply).toString("latin1")).not.toContain("private");
  });

  test("longer than 255 characters is 400, and a send requires one", async () => {
    expect((await post("a", "k".repeat(256))).json.error.param).toBe("Idempotency-Key");
    const path = `/notes/${h.platform.newId("thread")}/send`;
    for (const key of ["", "  "]) {
      const answer = await h.call("POST", path, { body: { confirm: true }, headers: { "Idempotency-Key": key } });
      expect([answer.status, answer.json.error.param]).toEqual([400, "Idempotency-Key"]);
    }
    const missing = await h.call("POST", path, { body: {} });
    expect(missing.json.error).toMatchObject({ code: "invalid_params", param: "Idempotency-Key" });
    const unsure = await h.call("POST", path, { body: { confirm: false }, headers: { "Idempotency-Key": "a" } });
    expect(unsure.json.error).toMatchObject({ code: "invalid_params", param: "confirm" });
  });
});

test("does not happen when the reply cannot be stored", async () => {
  const { idempotency } = h.platform;
  const store = idempotency.store;
  idempotency.store = () => {
    throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
  };
  expect((await post("a", "k")).json.error.code).toBe("storage_full");
  sample.gate.resolve();
  const think = () => h.call("POST", "/notes/think", { body: { text: "a" }, headers: { "Idempotency-Key": "k" } });
  expect((await think()).json.error.code).toBe("storage_full");
  expect(notes()).toBe(0);
  idempotency.store = store;
  expect([(await post("a", "k")).status, (await think()).status]).toEqual([201, 200]);
  expect(notes()).toBe(2);
});

describe("an act with an Idempotency-Key", () => {
  const think = (key: string, harness = h) =>
    harness.call("POST", "/notes/think", { body: { text: "a" }, headers: { "Idempotency-Key": key } });

  test("is 409 idempotency_in_progress while the first runs, then replayed", async () => {
    const first = think("k");
    const duplicate = await think("k");
    expect([duplicate.status, duplicate.json.error.code]).toEqual([409, "idempotency_in_progress"]);
    expect(duplicate.headers.get("retry-after")).toBe("1");
    sample.gate.resolve();
    const done = await first;
    expect((await think("k")).text).toBe(done.text);
    expect([sample.runs, notes()]).toEqual([1, 1]);
  });

  test("releases the key after a temporary failure and keeps a refusal", async () => {
    sample.gate.resolve();
    sample.fail = new Error("model down");
    expect((await think("k")).status).toBe(500);
    sample.fail = new ApiError("not_found", "no");
    expect((await think("k")).status).toBe(404);
    expect((await think("k")).headers.get("idempotency-replayed")).toBe("true");
    expect(sample.runs).toBe(2);
  });

  test("treats an upload repeated with another multipart boundary as the same body", async () => {
    const upload = (content: string) => {
      const form = new FormData();
      form.set("file", new Blob([content]), "a.txt");
      return h.call("POST", "/notes/upload", { body: form, headers: { "Idempotency-Key": "k" } });
    };
    await upload("hello");
    expect((await upload("hello")).headers.get("idempotency-replayed")).toBe("true");
    expect((await upload("other")).json.error.code).toBe("idempotency_conflict");
  });
});

describe("after a crash", () => {
  test("committed work is replayed, interrupted work may run again, and its body still counts", async () => {
    const data_dir = mkdtempSync(join(tmpdir(), "postroom-crash-"));
    const before = createSample();
    const dying = createHarness({ routes: sampleRoutes(before), data_dir });
    const send = (harness: Harness, path: string, text: string) =>
      harness.call("POST", path, { key: dying.key, body: { text }, headers: { "Idempotency-Key": "k" } });
    const kept = await send(dying, "/notes", "a");
    void send(dying, "/notes/think", "a"); // never finishes: the process dies first
    await send(dying, "/notes/think", "a");
    dying.close();

    const after = createSample();
    after.gate.resolve();
    const restarted = createHarness({ routes: sampleRoutes(after), data_dir });
    expect((await send(restarted, "/notes", "a")).text).toBe(kept.text);
    expect(after.runs).toBe(0);
    expect((await send(restarted, "/notes/think", "b")).json.error.code).toBe("idempotency_conflict");
    expect((await send(restarted, "/notes/think", "a")).status).toBe(200);
    expect(after.runs).toBe(1);
    restarted.close();
    rmSync(data_dir, { recursive: true });
  });
});
