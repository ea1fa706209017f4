import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import fc from "fast-check";
import { type CallOptions, createHarness, type Harness } from "../../test/support/http-harness.ts";
import { createSample, type Sample, sampleRoutes } from "../../test/support/sample-routes.ts";
import { nearestName } from "./nearest.ts";
import { prefersStrict } from "./prefer.ts";
import { OneOf } from "./schema.ts";
import { unknownFinder } from "./unknown.ts";

let h: Harness;
let sample: Sample;
beforeEach(() => {
  sample = createSample();
  h = createHarness({ routes: sampleRoutes(sample), config: { "http.cors_origins": ["https://app.example.org"] } });
});
afterEach(() => h.close());

const post = (body: unknown, headers: Record<string, string> = {}, path = "/notes") =>
  h.call("POST", path, { body, headers });
const strict = { Prefer: "handling=strict" };
const unknown = async (method: string, path: string, options?: CallOptions) =>
  (await h.call(method, path, options)).headers.get("x-unknown-params");
const notes = () => h.platform.audit.list(h.user.id, { limit: 99, action: "note" }).length;

describe("unknown fields and parameters", () => {
  test("are ignored and listed, with the closest known name", async () => {
    const answer = await post({ txt: "x", text: "hi", Color: "red" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-unknown-params")).toBe('"txt";did-you-mean="text", "Color";did-you-mean="color"');
    expect(answer.headers.get("preference-applied")).toBeNull();
    expect(await unknown("GET", "/notes?stared=true&Limit=4&zebra=1&zebra=2")).toBe(
      '"stared";did-you-mean="starred", "Limit";did-you-mean="limit", "zebra"',
    );
  });

  test("are not reported when all are known", async () => {
    for (const answer of [
      await post({ text: "hi", tags: [], due: null, rank: 1, parts: [{ op: "equals", value: "x" }] }, strict),
      await h.call("GET", "/notes?limit=2&label=a&label=b", { headers: strict }),
      await h.call("GET", "/notes?", { headers: strict }),
      await h.call("DELETE", `/notes/${h.platform.newId("thread")}`, { headers: strict }),
    ]) {
      expect(answer.status).toBeLessThan(300);
      expect([answer.headers.get("x-unknown-params"), answer.headers.get("preference-applied")]).toEqual([
        null,
        "handling=strict",
      ]);
    }
  });

  test("are listed by their path in lists and objects", async () => {
    const parts = [
      { op: "equals", value: "" },
      { op: "equals", value: "", vlaue: 1 },
    ];
    expect((await post({ text: "x", parts })).headers.get("x-unknown-params")).toBe(
      '"parts[1].vlaue";did-you-mean="parts[1].value"',
    );
  });

  test("are listed in an error reply, too", async () => {
    const answer = await post({ txet: "x" });
    expect([answer.status, answer.json.error.param]).toEqual([400, "text"]);
    expect(answer.headers.get("x-unknown-params")).toBe('"txet";did-you-mean="text"');
  });

  test("are found in a form, and in a request that takes no body or no query", async () => {
    const form = new FormData();
    form.set("file", new Blob(["x"]), "a.txt");
    form.set("flie", "y");
    expect(await unknown("POST", "/notes/upload", { body: form })).toBe('"flie";did-you-mean="file"');
    const path = `/notes/${h.platform.newId("thread")}`;
    expect(await unknown("DELETE", path, { body: { force: true } })).toBe('"force"');
    expect(await unknown("DELETE", path, { body: "{", headers: { "Content-Type": "application/json" } })).toBeNull();
    expect(await unknown("DELETE", `${path}?force=1`)).toBe('"force"');
    expect((await h.call("DELETE", path, { body: { force: true }, headers: strict })).status).toBe(400);
  });

  test("are listed and refused for any id in the path", async () => {
    for (const id of ["nonsense", h.platform.newId("thread").toUpperCase(), "thr_01jz4t9h2m8q5r7v3w6x0y1z2a"]) {
      const answer = await h.call("DELETE", `/notes/${id}?force=1`);
      expect([id, answer.status, answer.headers.get("x-unknown-params")]).toEqual([id, 404, '"force"']);
      const refused = await h.call("DELETE", `/notes/${id}?force=1`, { headers: strict });
      expect([id, refused.status, refused.json.error.param]).toEqual([id, 400, "force"]);
    }
  });

  test("are named by the public pages of the API too", async () => {
    for (const path of ["/openapi.json", "/docs", "/docs/docs.css"]) {
      const answer = await h.call("GET", `${path}?foo=1`, { key: null });
      expect([path, answer.status, answer.headers.get("x-unknown-params")]).toEqual([path, 200, '"foo"']);
      const refused = await h.call("GET", `${path}?foo=1`, { key: null, headers: strict });
      expect([path, refused.status, refused.json.error.param]).toEqual([path, 400, "foo"]);
      expect((await h.call("GET", path, { key: null })).headers.get("x-unknown-params")).toBeNull();
    }
  });

  test("cannot break out of the header", async () => {
    const hostile = { 'a"b\\': 1, "x\r\nSet-Cookie: a=b": 1, früh: 1, "\u0000": 1, "\ud800": 1, "": 1, __proto__: 1 };
    const body = JSON.stringify({ text: "x", ...hostile }).replace('"":1', '"":1,"__proto__":{"x":1}');
    const answer = await post(body, { "Content-Type": "application/json" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("x-unknown-params")).toBe(
      '"a\\"b\\\\", %"x%0d%0aSet-Cookie: a=b", %"fr%c3%bch", %"%00", %"%ef%bf%bd", "", "__proto__"',
    );
    expect(answer.headers.get("set-cookie")).toBeNull();
    expect(await unknown("GET", "/notes?%0d%0aX-Evil:1&%ff=1&=2")).toBe('%"%0d%0aX-Evil:1", %"%ef%bf%bd", ""');
  });

  test("are limited in number and length", async () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`field_${i}`, i]));
    const value = (await post({ text: "x", ...many })).headers.get("x-unknown-params")!;
    expect(value).toEndWith(", more;count=4984");
    const long = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`${i}${"ü".repeat(10_000)}`, i]));
    const cut = await post({ text: "x", ...long });
    expect(cut.status).toBe(201);
    expect(cut.headers.get("x-unknown-params")!.length).toBeLessThan(1_600);
    expect(cut.headers.get("x-unknown-params")).toMatch(/more;count=\d+$/);
    const refused = await post({ text: "x", ...long }, strict);
    expect([refused.status, refused.text.length < 1_000]).toEqual([400, true]);
  });

  test("are shown to pages of allowed other origins", async () => {
    const origin = { Origin: "https://app.example.org" };
    const answer = await post({ text: "x", a: 1 }, origin);
    for (const name of ["X-Unknown-Params", "Preference-Applied", "X-Truncated"]) {
      expect(answer.headers.get("access-control-expose-headers")).toContain(name);
    }
    const asking = { ...origin, "Access-Control-Request-Method": "POST" };
    const preflight = await h.call("OPTIONS", "/notes", { key: null, headers: asking });
    expect(preflight.headers.get("access-control-allow-headers")).toContain("Prefer");
  });
});

describe("Prefer: handling=strict", () => {
  test("refuses them by name, and nothing is changed", async () => {
    const answer = await post({ text: "x", reed: true, rnak: 1 }, strict);
    expect(answer.status).toBe(400);
    expect(answer.json.error).toMatchObject({ code: "invalid_params", param: "reed" });
    expect(answer.headers.get("preference-applied")).toBe("handling=strict");
    expect(answer.headers.get("x-unknown-params")).toBe('"reed", "rnak";did-you-mean="rank"');
    const query = await h.call("GET", "/notes?lmit=1", { headers: strict });
    expect(query.json.error).toMatchObject({ param: "lmit", message: expect.stringContaining("Did you mean limit?") });
    expect(answer.json.error.message).toEndWith("1 more unknown name: see X-Unknown-Params.");
    const three = await post({ text: "x", a1: 1, b2: 2, c3: 3 }, strict);
    expect(three.json.error.message).toEndWith("2 more unknown names: see X-Unknown-Params.");
    expect([sample.runs, notes()]).toEqual([0, 0]);
  });

  test("leaves the Idempotency-Key unused, and a stored reply keeps listing the unknown fields", async () => {
    const key = { "Idempotency-Key": "k" };
    expect((await post({ text: "x", reed: true }, { ...strict, ...key })).status).toBe(400);
    const first = await post({ text: "x", reed: true }, key);
    const again = await post({ text: "x", reed: true }, key);
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text]);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(again.headers.get("x-unknown-params")).toBe(first.headers.get("x-unknown-params"));
    expect(notes()).toBe(1);
  });

  test("is checked after key and scope", async () => {
    const weak = h.newKey({ scopes: ["usage:read"] }).secret;
    const answer = await h.call("GET", "/notes?lmit=1", { key: weak, headers: strict });
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([403, null]);
  });

  test.each([
    ["handling=strict", true],
    ["Handling = STRICT", true],
    ['handling="strict"', true],
    ['handling="str\\ict"', true],
    ["respond-async, wait=10, handling=strict", true],
    ["handling=strict; foo=bar", true],
    ['foo="a, handling=lenient"; x, handling=strict', true],
    ['return=minimal; note="a;b", handling=strict', true],
    ["handling=lenient, handling=strict", false],
    ["handling=strict, handling=lenient", true],
    ['foo="handling=strict"', false],
    ['foo="a, handling=strict', false],
    ["handling", false],
    ["handling=", false],
    ["handling=strictly", false],
    ["x-handling=strict", false],
    ["foo; handling=strict", false],
    ["", false],
    [", ,handling=strict", true],
  ])("is parsed according to RFC 7240: %s", (header, wanted) => {
    expect(prefersStrict(header)).toBe(wanted);
  });

  test("parses every header in time that grows at most linearly with its length", () => {
    for (const piece of ["handling=", '"', "\\", ",", ";", 'a="', " ", '\\"'])
      prefersStrict(`${piece.repeat(16_000)}handling=strict`);
    fc.assert(fc.property(fc.string(), (text) => typeof prefersStrict(text) === "boolean"));
  });

  test("means the same in several headers as in one", async () => {
    const headers = new Headers({ Authorization: `Bearer ${h.key}` });
    headers.append("Prefer", "wait=10");
    headers.append("Prefer", "handling=strict");
    const answer = await h.pipeline.fetch(new Request("http://localhost/v1/notes?lmit=1", { headers }));
    expect(answer.status).toBe(400);
  });
});

describe("the search for unknown fields", () => {
  const When = Type.Union([Type.Object({ hour: Type.Integer() }), Type.Null()]);
  const Action = Type.Union([
    Type.Object({ type: Type.Literal("label"), value: Type.String() }),
    Type.Object({ type: OneOf(["archive", "star"]) }),
  ]);
  const body = Type.Object({
    when: When,
    actions: Type.Array(Action, { maxItems: 3 }),
    set: Type.Record(Type.String(), Type.Object({ value: Type.String() })),
    words: Type.Record(Type.String(), Type.String()),
    any: Type.Unknown(),
  });
  const found = (value: unknown) => unknownFinder(null, body, null).find(null, value, new FormData())?.header() ?? null;

  test("accepts any key of a map, but checks its values", () => {
    expect(found({ words: { a: "b" }, any: { x: { y: 1 } } })).toBeNull();
    expect(found({ set: { mine: { value: "x", valeu: 1 } } })).toBe('"set.mine.valeu";did-you-mean="set.mine.value"');
  });

  test("judges a union by the matching branch, or by the closest one if none matches", () => {
    expect(found({ actions: [{ type: "archive" }, { type: "label", value: "x" }] })).toBeNull();
    expect(found({ actions: [{ type: "archive", value: "x" }] })).toBe('"actions[0].value"');
    expect(found({ actions: [{ type: "nope", value: "x" }] })).toBeNull();
    expect(found({ when: { hours: 1 } })).toBe('"when.hours";did-you-mean="when.hour"');
    expect(found({ when: null })).toBeNull();
  });

  test("accepts any JSON without an error, and a huge one quickly", () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void found(value)));
    const before = performance.now();
    found({ actions: Array.from({ length: 100_000 }, () => ({ typ: 1 })), set: { ["x".repeat(900_000)]: { a: 1 } } });
    expect(performance.now() - before).toBeLessThan(1_000);
  });
});

test.each([
  ["reed", "read"],
  ["Read", "read"],
  ["snoozeUntil", "snooze_until"],
  ["label", "add_labels"],
  ["statr", "state"],
  ["add-labels", "add_labels"],
  ["zebra", null],
  ["", null],
  ["x".repeat(5_000), null],
])("the closest name to %p is %p", (name, wanted) => {
  expect(nearestName(name, ["read", "state", "add_labels", "remove_labels", "snooze_until"])).toBe(wanted);
});

test("a name that shares no character with a short one is not close to it", () => {
  for (const name of ["", ",", "x", "\u{1f44d}", "[]", "\u0000"]) expect(nearestName(name, ["q", "to"])).toBeNull();
  expect(["Q", "qq", "t0", "ot"].map((name) => nearestName(name, ["q", "to"]))).toEqual(["q", "q", "to", "to"]);
});
