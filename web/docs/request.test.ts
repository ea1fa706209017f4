import { describe, expect, test } from "bun:test";
import { type Description, operationOf } from "./description.ts";
import { prepare, type Values } from "./request.ts";

const BASE = "https://mail.example.org/mail/v1/";
const KEY = "service_test_abc";

const DESCRIPTION: Description = {
  paths: {
    "/things/{id}": {
      patch: {
        operationId: "updateThing",
        summary: "Update a thing",
        security: [{ key: [] }],
        parameters: [
          { name: "id", in: "path", required: true, schema: { type: "string" } },
          { name: "q", in: "query", schema: { type: "string" } },
          { name: "limit", in: "query", required: true, schema: { type: "integer" } },
          { $ref: "#/components/parameters/IdempotencyKey" },
        ],
        requestBody: { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
      },
    },
    "/files": {
      post: {
        operationId: "addFile",
        summary: "Add a file",
        security: [],
        requestBody: { content: { "multipart/form-data": { schema: { $ref: "#/components/schemas/File" } } } },
      },
    },
  },
  components: {
    parameters: {
      IdempotencyKey: { name: "Idempotency-Key", in: "header", required: true, schema: { type: "string" } },
    },
    schemas: {
      Thing: { type: "object", properties: { name: { type: "string" } } },
      File: {
        type: "object",
        properties: { file: { type: "string", format: "binary" }, note: { type: "string" } },
        required: ["file"],
      },
    },
  },
};

const thing = operationOf(DESCRIPTION, "updateThing")!;
const file = operationOf(DESCRIPTION, "addFile")!;
const filled: Values = { "path id": "thr_1", "query limit": "5", body: '{"name":"x"}' };

/** Returns what is sent. @throws Error when something is wrong with the fields */
function sent(values: Values, key = KEY, operation = thing) {
  const prepared = prepare(operation, values, key, BASE);
  if (!("init" in prepared)) throw new Error(JSON.stringify(prepared));
  const { url, init } = prepared as { url: string; init: RequestInit };
  return { url, ...init, headers: init.headers as Record<string, string> };
}

describe("a request", () => {
  test("has the key, the parameters and the body, and no cookies", () => {
    const { url, method, headers, body, credentials, redirect } = sent({ ...filled, "query q": "a b&c=d" });
    expect([method, url]).toEqual(["PATCH", `${BASE}things/thr_1?q=a+b%26c%3Dd&limit=5`]);
    expect(headers).toEqual({
      Authorization: `Bearer ${KEY}`,
      "Content-Type": "application/json",
      "Idempotency-Key": expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect([body, credentials, redirect]).toEqual(['{"name":"x"}', "omit", "error"]);
  });

  test("has a new idempotency key each time, or the one that was entered", () => {
    const key = (values: Values) => sent(values).headers["Idempotency-Key"];
    expect(key(filled)).not.toBe(key(filled));
    expect(key({ ...filled, "header Idempotency-Key": "mine" })).toBe("mine");
  });

  test.each(["../../app/api/state", "//evil.example/x", "a?b#c", "https://evil.example", "..\\x"])(
    "stays at its path for the parameter %s",
    (id) => {
      const url = new URL(sent({ ...filled, "path id": id }).url);
      expect(url.origin + url.pathname).toBe(`${BASE}things/${encodeURIComponent(id)}`);
    },
  );

  test("sends files of a form, and no key if none is needed", () => {
    const given = new File(["x"], "x.txt");
    const { headers, body } = sent({ "form file": given, "form note": "n" }, "", file);
    expect(headers).toEqual({});
    expect([...(body as FormData).keys()]).toEqual(["file", "note"]);
  });
});

describe("nothing is sent", () => {
  test.each([
    ["without a key", {}, "", "key"],
    ["with a key that no header can have", {}, "ключ", "key"],
    ["without a parameter of the path", { "path id": " " }, KEY, "path id"],
    ["with dots that would lead to another path", { "path id": ".." }, KEY, "path id"],
    ["without a required parameter", { "query limit": "" }, KEY, "query limit"],
    ["with a body that is not JSON", { body: "{" }, KEY, "body"],
    ["with a header that cannot be sent", { "header Idempotency-Key": "ü" }, KEY, "header Idempotency-Key"],
  ])("%s", (_, change, key, field) => {
    expect(Object.keys(prepare(thing, { ...filled, ...change }, key, BASE))).toEqual([field]);
  });

  test("without a required file", () => {
    expect(prepare(file, {}, "", BASE)).toEqual({ "form file": "Choose a file." });
  });
});
