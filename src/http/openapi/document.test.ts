import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Type } from "@sinclair/typebox";
import { createHarness, type Harness } from "../../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../../test/support/sample-routes.ts";
import { read } from "../route.ts";
import { openapiDocument } from "./document.ts";
import { hoistNamed } from "./schemas.ts";

let h: Harness;
// biome-ignore lint/suspicious/noExplicitAny: the document is plain data of many shapes
let document: any;

beforeAll(() => {
  const routes = sampleRoutes(createSample());
  h = createHarness({ routes });
  document = openapiDocument(routes(h.platform), { public_url: "" });
});
afterAll(() => h.close());

test("routes of every shape produce a valid document", async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
});

describe("an operation", () => {
  test("offers only JSON where JSON is read, and only multipart where that is read", () => {
    expect(Object.keys(document.paths["/notes"].post.requestBody.content)).toEqual(["application/json"]);
    const upload = document.paths["/notes/upload"].post.requestBody.content;
    expect(Object.keys(upload)).toEqual(["multipart/form-data"]);
  });

  test("keeps enum, default and description, and does not require fields with a default", () => {
    const state = document.paths["/notes"].get.parameters.find(
      (parameter: { name: string }) => parameter.name === "state",
    );
    expect(state).toEqual({
      name: "state",
      in: "query",
      required: false,
      description: "Which.",
      schema: { type: "string", enum: ["inbox", "archived"], default: "inbox" },
    });
    const body = document.paths["/notes"].post.requestBody.content["application/json"];
    expect(body.schema.required).toEqual(["text"]);
    expect(body.schema.properties.color).toEqual({ type: "string", enum: ["red", "blue"], default: "red" });
    expect(body.example).toEqual({ text: "x" });
  });

  test("offers the Idempotency-Key where it changes something, and requires it where the route does", () => {
    const header = (operation: { parameters: { name: string; required: boolean }[] }) =>
      operation.parameters.find(({ name }) => name === "Idempotency-Key")?.required;
    expect(header(document.paths["/notes"].post)).toBe(false);
    expect(header(document.paths["/notes/{id}/send"].post)).toBe(true);
    expect(header(document.paths["/notes"].get)).toBeUndefined();
  });

  test("has its status, media type and errors", () => {
    const { responses } = document.paths["/notes"].post;
    expect(Object.keys(responses)).toEqual([
      "201",
      "400",
      "401",
      "402",
      "403",
      "404",
      "409",
      "413",
      "429",
      "500",
      "503",
      "507",
    ]);
    expect(responses["409"].$ref).toBe("#/components/responses/draft_locked_or_idempotency_conflict");
    expect(document.paths["/notes/{id}"].delete.responses["204"].content).toBeUndefined();
    const stream = document.paths["/notes/stream"].get.responses["200"].content;
    expect(Object.keys(stream)).toEqual(["text/event-stream"]);
  });

  test("offers Prefer: handling=strict and the header that names unknown fields", () => {
    for (const operation of [document.paths["/notes"].get, document.paths["/notes"].post]) {
      expect(operation.parameters).toContainEqual({ $ref: "#/components/parameters/Prefer" });
      const [success] = Object.values(operation.responses) as { headers: object }[];
      const refused = document.components.responses.invalid_params.headers;
      for (const headers of [success!.headers, refused]) {
        expect(Object.keys(headers)).toEqual(expect.arrayContaining(["X-Unknown-Params", "Preference-Applied"]));
      }
    }
    expect(document.components.parameters.Prefer).toMatchObject({ in: "header", required: false });
  });

  test("lists the errors of every request: a team member who does not exist, and a full disk", async () => {
    for (const path of Object.values(document.paths) as Record<string, { responses: object; operationId: string }>[]) {
      for (const { responses, operationId } of Object.values(path)) {
        if (operationId === "getOpenapi") continue;
        expect([operationId, ...Object.keys(responses)]).toEqual(
          expect.arrayContaining(["400", "404", "429", "500", "507"]),
        );
      }
    }
    const team_id = h.platform.teams.create("Works").id;
    const headers = { "X-On-Behalf-Of": "nobody@example.org" };
    expect((await h.call("GET", "/notes", { key: h.newKey({ team_id }).secret, headers })).status).toBe(404);
  });

  test("refers to a named schema instead of repeating it", () => {
    const note = { $ref: "#/components/schemas/Note" };
    expect(document.paths["/notes"].post.responses["201"].content["application/json"].schema).toEqual(note);
    expect(document.components.schemas.Note).toMatchObject({ type: "object", required: ["id", "text"] });
    expect(JSON.stringify(document)).not.toContain('"$id"');
  });
});

test("the description has the version of the API, and lists its own errors", async () => {
  const served = await h.call("GET", "/openapi.json", { key: null });
  expect(served.json.info.version).toBe("1.0.0");
  const { responses } = document.paths["/openapi.json"].get;
  expect(Object.keys(responses)).toEqual(["200", "429", "500"]);
  const refusal = document.components.responses[responses["429"].$ref.split("/").at(-1)];
  expect(Object.keys(refusal.headers)).toContain("Retry-After");
  expect(Object.keys(refusal.content["application/json"].examples)).toEqual(["rate_limited"]);
  for (let i = 0; i < 300; i++) await h.call("GET", "/openapi.json", { key: null, peer: "10.0.0.1" });
  const over = await h.call("GET", "/openapi.json", { key: null, peer: "10.0.0.1" });
  expect([over.status, Number(over.headers.get("retry-after"))]).toEqual([429, 60]);
});

test("two different schemas of the same name are refused", () => {
  const schemas = new Map<string, string>();
  hoistNamed(Type.Object({ a: Type.String() }, { $id: "Same" }), schemas);
  hoistNamed(Type.Object({ a: Type.String() }, { $id: "Same" }), schemas);
  expect(() => hoistNamed(Type.Object({ b: Type.String() }, { $id: "Same" }), schemas)).toThrow("Same");
});

test("the reference page shows every operation, and its only script is one of this server", async () => {
  const { text, headers } = await h.call("GET", "/docs", { key: null });
  for (const route of sampleRoutes(createSample())(h.platform)) expect(text).toContain(`id="${route.operationId}"`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect([...text.matchAll(/<script[^>]*>[^<]*/g)].map(([script]) => script.replace(/[0-9a-f]{12}/, "HASH"))).toEqual([
    '<script type="module" src="../app/assets/docs-HASH.js">',
  ]);
  expect(headers.get("content-security-policy")).not.toContain("unsafe");
  expect(text).not.toMatch(/(src|href)="https?:/);
});

describe("an invalid declaration fails at startup", () => {
  const base = { scope: "mail:read", operationId: "a", tag: "T", summary: "s", response: Type.String() } as const;
  const one = read({ ...base, method: "GET", path: "/a/:id", params: { id: "thread" }, handle: () => "x" });

  test.each([
    ["the same path twice", [one, { ...one, operationId: "b", path: "/a/:other", params: { other: "text" as const } }]],
    ["the same operation twice", [one, { ...one, path: "/b/:id" }]],
    ["parameters that differ from the path", [{ ...one, params: {} }]],
    ["no scope", [{ ...one, scope: "" as never }]],
  ])("%s", (_, routes) => {
    expect(() => createHarness({ routes: () => routes })).toThrow();
  });
});

test("a nullable choice has null among its values, because strict clients refuse it otherwise", () => {
  const schema = { type: ["string", "null"], enum: ["a", "b"] };
  expect(hoistNamed({ properties: { reason: schema } }, new Map())).toEqual({
    properties: { reason: { type: ["string", "null"], enum: ["a", "b", null] } },
  });
});

test("a download that supports Range describes 206 and 304", () => {
  const file = read({
    method: "GET",
    path: "/file",
    scope: "mail:read",
    operationId: "getFile",
    tag: "Files",
    summary: "A file",
    produces: "*/*",
    errors: ["range_not_satisfiable"],
    handle: () => new Response("x"),
  });
  type Described = Record<string, { get: { responses: Record<string, { content?: Record<string, unknown> }> } }>;
  const paths = openapiDocument([file], { public_url: "" }).paths as Described;
  const { responses } = paths["/file"]!.get;
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(["200", "206", "304", "416"]));
  expect(Object.keys(responses["206"]!.content!)).toEqual(["*/*"]);
  expect(responses["304"]!.content).toBeUndefined();
});
