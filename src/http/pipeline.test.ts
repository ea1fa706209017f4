import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, type Sample, sampleRoutes } from "../../test/support/sample-routes.ts";

let h: Harness;
let sample: Sample;

function start(options: Parameters<typeof createHarness>[0] = {}): Harness {
  sample = createSample();
  h = createHarness({ routes: sampleRoutes(sample), ...options });
  return h;
}
beforeEach(() => void start());
afterEach(() => h.close());

const seen = (answer: { json: { data: { seen: string }[] } }) => JSON.parse(answer.json.data[0]!.seen);

describe("input", () => {
  test("a query arrives in its declared types, with defaults and without undeclared fields", async () => {
    expect(seen(await h.call("GET", "/notes"))).toEqual({ limit: 25, state: "inbox", cursor: null });
    const answer = await h.call("GET", "/notes?limit=7&starred=true&label=a&label=b&foo=1&state=archived");
    expect(seen(answer)).toEqual({ limit: 7, state: "archived", starred: true, label: ["a", "b"], cursor: null });
  });

  test.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["limit=1e1", "limit"],
    ["limit=", "limit"],
    ["limit=5.0", "limit"],
    ["starred=1", "starred"],
    ["state=nope", "state"],
    ["since=yesterday", "since"],
    ["since=2026-03-02T09:00:00", "since"],
    ["cursor=", "cursor"],
    ["cursor=abc", "cursor"],
  ])("an invalid query %s is 400 and names its parameter", async (query, param) => {
    const answer = await h.call("GET", `/notes?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ type: "invalid_request_error", code: "invalid_params", param });
  });

  test("a body arrives with defaults and without undeclared fields", async () => {
    const body = { text: "hi", extra: 1, __proto__: { x: 1 }, parts: [{ op: "equals", value: "x", more: true }] };
    expect((await h.call("POST", "/notes", { body })).status).toBe(201);
    expect(sample.body).toEqual({ text: "hi", tags: [], color: "red", parts: [{ op: "equals", value: "x" }] });
  });

  test.each([
    [{}, "text", "text is required."],
    [{ text: "" }, "text", "text must not be empty."],
    [{ text: 5 }, "text", "text must be a string."],
    [{ text: "x", rank: "5" }, "rank", "rank must be an integer."],
    [{ text: "x", rank: 10 }, "rank", "rank must be at most 9."],
    [{ text: "x", tags: ["a", 1] }, "tags[1]", "tags[1] must be a string."],
    [{ text: "x", tags: "a" }, "tags", "tags must be an array."],
    [{ text: "x", color: "green" }, "color", "color must be one of red, blue."],
    [
      { text: "x", due: "soon" },
      "due",
      "due must be an ISO 8601 date-time with a zone, such as 2026-03-02T09:00:00Z or null.",
    ],
    [
      {
        text: "x",
        parts: [
          { op: "equals", value: "" },
          { op: "is", value: "" },
        ],
      },
      "parts[1].op",
      "parts[1].op must be one of equals, contains.",
    ],
    [{ text: "x", parts: [{ op: "equals" }] }, "parts[0].value", "parts[0].value is required."],
    [[], "body", "body must be an object."],
    [null, "body", "body must be an object."],
  ])("an invalid body %j is 400 and names its field", async (body, param, message) => {
    const text = JSON.stringify(body);
    const answer = await h.call("POST", "/notes", { body: text, headers: { "Content-Type": "application/json" } });
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param, message });
    expect(sample.runs).toBe(0);
  });

  test.each([
    ['{"text":', "application/json", "body"],
    ["[".repeat(200_000), "application/json", "body"],
    ["text=hi", "application/x-www-form-urlencoded", "Content-Type"],
    ["", "application/json", "text"],
  ])("an unreadable body is 400", async (body, type, param) => {
    const answer = await h.call("POST", "/notes", { body, headers: { "Content-Type": type } });
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param });
  });

  test("a body that is not UTF-8 is 400", async () => {
    const request = new Request("http://localhost/v1/notes", {
      method: "POST",
      headers: { Authorization: `Bearer ${h.key}`, "Content-Type": "application/json" },
      body: new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x7d]),
    });
    expect((await h.pipeline.fetch(request)).status).toBe(400);
  });

  test("a JSON body over 1 MiB is 413, declared or not, and so is an upload over 25 MiB", async () => {
    const long = JSON.stringify({ text: "x".repeat(1024 * 1024) });
    const declared = await h.call("POST", "/notes", { body: long });
    const stream = new Response(long).body!;
    const headers = { Authorization: `Bearer ${h.key}`, "Content-Type": "application/json" };
    const chunked = await h.pipeline.fetch(
      new Request("http://localhost/v1/notes", { method: "POST", headers, body: stream }),
    );
    const form = new FormData();
    form.set("file", new Blob([new Uint8Array(25 * 1024 * 1024 + 70_000)]), "big.bin");
    const upload = await h.call("POST", "/notes/upload", { body: form });
    for (const answer of [declared, chunked, upload]) {
      expect(answer.status).toBe(413);
      expect(answer.headers.get("x-ratelimit-limit")).toBe("120");
      expect(answer.headers.get("x-request-id")).toStartWith("req_");
    }
    expect(declared.json.error.code).toBe("payload_too_large");
  });

  test("a multipart body reaches the handler as form data; JSON instead is 400", async () => {
    const form = new FormData();
    form.set("file", new Blob(["hello"]), "a.txt");
    expect((await h.call("POST", "/notes/upload", { body: form })).json).toEqual({ id: "a.txt", text: "5" });
    const json = await h.call("POST", "/notes/upload", { body: { file: "x" } });
    expect(json.json.error).toMatchObject({ code: "invalid_params", param: "Content-Type" });
  });
});

describe("replies", () => {
  test("all have a request id, the rate-limit headers and safe defaults", async () => {
    const calls: [string, string, string | null | undefined][] = [
      ["GET", "/notes", undefined],
      ["GET", "/notes", null],
      ["GET", "/nope", undefined],
      ["PUT", "/notes", undefined],
      ["OPTIONS", "/notes", null],
      ["POST", "/notes", undefined],
    ];
    const ids = new Set<string>();
    for (const [method, path, key] of calls) {
      const { headers } = await h.call(method, path, { key });
      ids.add(headers.get("x-request-id")!);
      expect(headers.get("x-ratelimit-limit")).toMatch(/^(120|300)$/);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("cache-control")).toBe("no-store");
    }
    expect(ids.size).toBe(calls.length);
  });

  test("to HEAD are those of GET without the body", async () => {
    const head = await h.call("HEAD", "/notes");
    expect([head.status, head.text]).toEqual([200, ""]);
    const { text } = await h.call("GET", "/notes?limit=25");
    expect(head.headers.get("content-length")).toMatch(/^\d{3}$/);
    expect(text.length).toBeGreaterThan(99);
    expect(h.log.at(-2)).toContain('"method":"HEAD"');
  });

  test("with 204 have no body and no content type", async () => {
    const gone = await h.call("DELETE", `/notes/${h.platform.newId("thread")}`);
    expect([gone.status, gone.text, gone.headers.get("content-type")]).toEqual([204, "", null]);
  });

  test("to an unknown failure are 500 without its reason, which is logged", async () => {
    sample.fail = new TypeError("password hunter2 in /home/ada/mail");
    const answer = await h.call("GET", "/notes");
    expect(answer.status).toBe(500);
    expect(answer.json.error).toMatchObject({ type: "api_error", code: "internal_error" });
    expect(answer.text).not.toContain("hunter2");
    const line = h.log.map((text) => JSON.parse(text)).find((entry) => entry.message === "request failed");
    expect(line).toMatchObject({ level: "error", request_id: answer.json.error.request_id, error: "TypeError" });
  });

  test.each(["SQLITE_FULL", "ENOSPC", "EDQUOT"])("report %s as 507 storage_full, and nothing changes", async (code) => {
    sample.fail = Object.assign(new Error("disk"), { code });
    const answer = await h.call("POST", "/notes", { body: { text: "x" } });
    expect([answer.status, answer.json.error.code]).toEqual([507, "storage_full"]);
    expect(h.platform.audit.list(h.user.id, { limit: 9, action: "note" })).toEqual([]);
  });

  test("the access log has the pattern, never the path, the query or the key", async () => {
    const id = h.platform.newId("thread");
    await h.call("DELETE", `/notes/${id}?secret=1`);
    const line = h.log.at(-1)!;
    expect(JSON.parse(line)).toMatchObject({ method: "DELETE", route: "/v1/notes/:id", status: 204 });
    for (const hidden of [id, "secret=1", h.key]) expect(line).not.toContain(hidden);
  });

  test("a cursor works for its user only", async () => {
    const first = await h.call("GET", "/notes");
    expect(first.json.has_more).toBe(true);
    const query = `/notes?cursor=${first.json.next_cursor}`;
    const next = await h.call("GET", query);
    expect(seen(next).cursor).toEqual(["x", 1]);
    expect(next.json).not.toHaveProperty("next_cursor");
    const other = h.newKey({ test: true });
    expect((await h.call("GET", query, { key: other.secret })).json.error).toMatchObject({ param: "cursor" });
  });
});

describe("cross-origin", () => {
  const origin = "https://app.example.org";

  test("is off by default", async () => {
    const preflight = { key: null, headers: { Origin: origin, "Access-Control-Request-Method": "GET" } };
    expect((await h.call("OPTIONS", "/notes", preflight)).status).toBe(401);
    const plain = await h.call("GET", "/notes", { headers: { Origin: origin } });
    expect(plain.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("is on for the listed origins and no other", async () => {
    h.close();
    start({ config: { "http.cors_origins": [origin] } });
    const asking = { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization" };
    const yes = await h.call("OPTIONS", "/notes", { key: null, headers: { Origin: origin, ...asking } });
    expect(yes.status).toBe(204);
    expect(yes.headers.get("access-control-allow-origin")).toBe(origin);
    expect(yes.headers.get("access-control-allow-methods")).toBe("GET, POST, HEAD");
    expect(yes.headers.get("access-control-allow-headers")).toContain("Idempotency-Key");
    // The TypeScript client sends this header with every request.
    expect(yes.headers.get("access-control-allow-headers")).toContain("Prefer");
    expect(yes.headers.get("access-control-allow-credentials")).toBeNull();
    const no = await h.call("OPTIONS", "/notes", { key: null, headers: { Origin: "https://evil.example", ...asking } });
    expect([no.status, no.headers.get("access-control-allow-origin")]).toEqual([401, null]);
    const refused = await h.call("GET", "/notes", { key: null, headers: { Origin: origin } });
    expect(refused.headers.get("access-control-allow-origin")).toBe(origin);
    expect(refused.headers.get("access-control-expose-headers")).toContain("X-RateLimit-Reset");
    expect(refused.headers.get("access-control-expose-headers")).toContain("X-Unknown-Params");
    expect(refused.headers.get("vary")).toContain("Origin");
  });
});
