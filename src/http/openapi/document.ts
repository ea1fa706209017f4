import { toOpenAPISchema } from "@elysiajs/openapi/openapi";
import { Elysia } from "elysia";
import { ApiError, type ApiErrorCode, ERROR_CODES } from "../../kernel/errors.ts";
import { ID_PREFIXES } from "../../kernel/ids.ts";
import { SCOPES } from "../../kernel/scopes.ts";
import { ERROR_TABLE, ERROR_TYPES, errorReply } from "../errors.ts";
import { ON_BEHALF_HEADER } from "../guard/on-behalf.ts";
import { APPLIED_HEADER, PREFER_HEADER, STRICT } from "../prefer.ts";
import type { Route } from "../route.ts";
import { UNKNOWN_HEADER } from "../unknown.ts";
import { ABOUT } from "./about.ts";
import { webhookDescriptions } from "./events.ts";
import { ERROR_MEANINGS, possibleErrors } from "./possible-errors.ts";
import { hoistNamed, type Json, withEnums, withoutDefaulted } from "./schemas.ts";

const OPENAPI_VERSION = "3.1.2";
/** Version of the API, not of the program: it changes when the API changes. /healthz reports the program's version. */
const API_VERSION = "1.0.0";

export interface DocumentOptions {
  /** Where clients reach the server, without /v1; empty: the origin that served the document. */
  public_url: string;
}

const ON_BEHALF = {
  name: ON_BEHALF_HEADER,
  in: "header",
  required: false,
  description:
    "Required for organization keys: the email address of the team member whose mail the request concerns. If " +
    "missing, the response is 400 `invalid_params`. If the address is not that of a member who accepted the " +
    "invitation, it is 404 `not_found`.",
  schema: { type: "string", format: "email" },
  example: "bo@example.org",
};
const PREFER = {
  name: PREFER_HEADER,
  in: "header",
  required: false,
  description:
    "`handling=strict` (RFC 7240) rejects unknown body fields and query parameters with 400 `invalid_params` " +
    "before anything is changed. Otherwise they are ignored and listed in `X-Unknown-Params`.",
  schema: { type: "string" },
  example: STRICT,
};
const PREFER_REF = { $ref: "#/components/parameters/Prefer" };
const ON_BEHALF_REF = { $ref: "#/components/parameters/OnBehalfOf" };

const RATE_HEADERS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
/** Headers of replies to a request whose input was read. */
const READ_HEADERS = [UNKNOWN_HEADER, APPLIED_HEADER];

/**
 * Returns the OpenAPI description of a route table. Elysia's generator turns paths and schemas into operations; this
 * module adds what every operation of this API has: its scope, the Idempotency-Key, headers, errors and examples.
 */
export function openapiDocument(routes: readonly Route[], options: DocumentOptions): Json {
  const generated = generate(routes);
  const responses: Json = {};
  for (const route of routes) {
    const operation = operationOf(generated, route);
    Object.assign(operation, completed(route, operation, responses));
  }
  const schemas = new Map<string, string>();
  const paths = hoistNamed({ ...generated, ...ownDescription(responses) }, schemas) as Json;
  const named = Object.fromEntries([...schemas].sort().map(([name, text]) => [name, JSON.parse(text) as unknown]));
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: "Postroom",
      version: API_VERSION,
      summary: "One REST API for all your mailboxes.",
      description: ABOUT,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: `${options.public_url.replace(/\/$/, "")}/v1` }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths,
    webhooks: webhookDescriptions(),
    components: {
      schemas: { ...named, Error: ERROR_SCHEMA },
      responses,
      headers: HEADERS,
      parameters: { OnBehalfOf: ON_BEHALF, Prefer: PREFER },
      securitySchemes: {
        api_key: {
          type: "http",
          scheme: "bearer",
          description: `An API key, \`service_live_…\` or \`service_test_…\`. Its scopes are fixed at creation: ${SCOPES.join(", ")}.`,
        },
      },
    },
  };
}

function generate(routes: readonly Route[]): Json {
  const app = new Elysia();
  const references: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const { operationId, tag, summary } = route;
    const description = [route.description, `Requires the \`${route.scope}\` scope.`].filter(Boolean).join("\n\n");
    app.route(route.method, route.path, () => null, {
      parse: route.form ? "formdata" : "json",
      detail: { operationId, tags: [tag], summary, description },
    });
    references[route.path] ??= {};
    references[route.path]![route.method.toLowerCase()] = {
      body: bodySchema(route),
      query: route.query ? withoutDefaulted(withEnums(route.query)) : undefined,
      response: route.response && !route.produces ? { [route.status]: withEnums(route.response) } : undefined,
    };
  }
  // The type requires every kind of schema; the generator reads only those that are present.
  const given = references as unknown as Parameters<typeof toOpenAPISchema>[2];
  return toOpenAPISchema(app, { staticFile: false }, given, undefined, OPENAPI_VERSION).paths as Json;
}

function bodySchema(route: Route) {
  const schema = route.form ?? route.body;
  return schema ? withoutDefaulted(withEnums(schema)) : undefined;
}

function operationOf(paths: Json, route: Route): Json {
  const path = paths[route.path.replace(/:(\w+)/g, "{$1}")] as Json;
  return path[route.method.toLowerCase()] as Json;
}

function completed(route: Route, operation: Json, shared: Json): Json {
  const parts: Json = {
    security: [{ api_key: [route.scope] }],
    parameters: parameters(route, operation),
    responses: { ...success(route, operation), ...failures(route, shared) },
  };
  const request = operation.requestBody as { content: Record<string, Json> } | undefined;
  if (request && route.examples.body !== undefined) {
    for (const content of Object.values(request.content)) content.example = route.examples.body;
  }
  return parts;
}

function parameters(route: Route, operation: Json): Json[] {
  const declared = ((operation.parameters ?? []) as Json[]).map((parameter) =>
    parameter.in === "path" ? pathParameter(route, parameter) : withOwnDescription(parameter),
  );
  if (route.kind === "read") return [...declared, ON_BEHALF_REF, PREFER_REF];
  return [
    ...declared,
    ON_BEHALF_REF,
    PREFER_REF,
    {
      name: "Idempotency-Key",
      in: "header",
      required: route.keyRequired,
      description:
        "A unique string of up to 255 characters. For 24 hours, a retry with the same key returns the first response " +
        "instead of repeating the action.",
      schema: { type: "string", maxLength: 255 },
      example: "6f9b2c1e-order-42",
    },
  ];
}

function pathParameter(route: Route, parameter: Json): Json {
  const kind = route.params[parameter.name as string] ?? "text";
  if (kind === "text") return parameter;
  return { ...parameter, example: `${ID_PREFIXES[kind]}01jz4t9h2m8q5r7v3w6x0y1z2a` };
}

/** Moves a parameter's description from its schema to the parameter, where OpenAPI expects it. */
function withOwnDescription(parameter: Json): Json {
  const { description, ...schema } = parameter.schema as Json;
  return description === undefined ? parameter : { ...parameter, description, schema };
}

function success(route: Route, operation: Json): Json {
  const headers = headerRefs([...RATE_HEADERS, ...READ_HEADERS]);
  if (route.kind !== "read") Object.assign(headers, headerRefs(["Idempotency-Replayed"]));
  if (route.produces?.startsWith("text/html")) Object.assign(headers, headerRefs(["X-Truncated"]));
  const reply: Json = { description: route.response || route.produces ? "Success." : "Success; no body.", headers };
  if (route.produces) reply.content = { [route.produces]: { schema: binarySchema(route.produces) } };
  else if (route.response) {
    const made = (operation.responses as Record<string, { content?: Record<string, Json> }>)[String(route.status)];
    const content = made?.content?.["application/json"] ?? { schema: withEnums(route.response) };
    if (route.examples.response !== undefined) content.example = route.examples.response;
    reply.content = { "application/json": content };
  }
  return { [route.status]: reply, ...partial(route, reply) };
}

/**
 * Returns the replies that a route with Range support adds: a part (RFC 9110 §15.3.7), and "not modified" (§15.4.5).
 */
function partial(route: Route, whole: Json): Json {
  if (!route.errors.includes("range_not_satisfiable")) return {};
  const { headers } = whole;
  return {
    206: { ...whole, description: "The requested range." },
    304: { description: "The content still matches the ETag in `If-None-Match`.", headers },
  };
}

function binarySchema(mediaType: string): Json {
  return mediaType.startsWith("text/") ? { type: "string" } : { type: "string", contentEncoding: "binary" };
}

/** Returns the errors by status. Equal sets of codes share one entry in `components.responses`. */
function failures(route: Route, shared: Json): Json {
  return errorsByStatus(possibleErrors(route), shared);
}

function errorsByStatus(all: readonly ApiErrorCode[], shared: Json): Json {
  const byStatus = new Map<number, ApiErrorCode[]>();
  for (const code of all) {
    const { status } = ERROR_TABLE[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const replies = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    replies.map(([status, codes]) => {
      const name = codes.join("_or_");
      shared[name] ??= failure(status, codes);
      return [status, { $ref: `#/components/responses/${name}` }];
    }),
  );
}

/** Statuses of errors that a retry with the same Idempotency-Key receives again. */
const REPEATED = new Set([400, 404, 409, 413]);

function failure(status: number, codes: ApiErrorCode[]): Json {
  const more = status === 429 ? ["Retry-After"] : REPEATED.has(status) ? ["Idempotency-Replayed"] : [];
  const read = status === 401 ? [] : READ_HEADERS;
  const headers = headerRefs([...RATE_HEADERS, ...read, ...more]);
  const examples = codes.map((code) => [code, { summary: ERROR_MEANINGS[code], value: exampleError(code) }]);
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANINGS[code]}`).join("\n\n"),
    headers,
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(examples) as Json,
      },
    },
  };
}

function exampleError(code: ApiErrorCode): unknown {
  const param = code === "invalid_params" ? "limit" : undefined;
  return errorReply(new ApiError(code, ERROR_MEANINGS[code], { param }), "req_01jz4t9h2m8q5r7v3w6x0y1z2a");
}

function headerRefs(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the operation of the description itself, which is public and not in the route table. */
function ownDescription(shared: Json): Json {
  const content = { "application/json": { schema: { type: "object" } } };
  return {
    "/openapi.json": {
      get: {
        operationId: "getOpenapi",
        summary: "Get the OpenAPI description",
        security: [],
        responses: {
          200: { description: "OpenAPI 3.1.", headers: headerRefs(RATE_HEADERS), content },
          ...errorsByStatus(["rate_limited", "internal_error"], shared),
        },
      },
    },
  };
}

const ERROR_SCHEMA: Json = {
  type: "object",
  description: "The envelope of every error. Match on `code`, never on `message`.",
  required: ["error"],
  properties: {
    error: {
      type: "object",
      required: ["type", "code", "message", "request_id"],
      properties: {
        type: { type: "string", enum: [...ERROR_TYPES] },
        code: { type: "string", enum: [...ERROR_CODES] },
        message: { type: "string", description: "For people. The wording can change." },
        param: {
          type: "string",
          description: "The failing parameter, header or body field, if the error concerns one.",
        },
        request_id: { type: "string", description: "Same as the header `X-Request-Id`." },
      },
    },
  },
};

const HEADERS: Json = {
  "X-Request-Id": {
    description: "Identifies the request. Quote it when you ask for support.",
    schema: { type: "string" },
  },
  "X-RateLimit-Limit": {
    description:
      "Requests per minute that the tightest of the three rate limits allows (API key, user or client address).",
    schema: { type: "integer" },
  },
  "X-RateLimit-Remaining": {
    description: "Requests left in the current minute of that limit.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": { description: "When that limit resets, in Unix seconds.", schema: { type: "integer" } },
  "Retry-After": { description: "Seconds to wait before the next request.", schema: { type: "integer" } },
  "Idempotency-Replayed": {
    description: "`true` if this is the stored response to an earlier request with the same Idempotency-Key.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Truncated": {
    description: "`true` if the end of the message is missing from the page.",
    schema: { type: "string", enum: ["true"] },
  },
  "X-Unknown-Params": {
    description:
      "The unknown body fields and query parameters of the request, as a list of strings (RFC 9651). Each has the " +
      "parameter `did-you-mean` if a similar name is known. Non-ASCII names are display strings. `more;count=N` " +
      "counts names that are not listed.",
    schema: { type: "string" },
    example: '"reed";did-you-mean="read"',
  },
  "Preference-Applied": {
    description: "`handling=strict` if the request asked for strict handling and it was applied.",
    schema: { type: "string", enum: [STRICT] },
  },
};
