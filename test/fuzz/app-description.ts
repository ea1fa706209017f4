import { ERROR_TABLE } from "../../src/http/errors.ts";
import { openapiDocument } from "../../src/http/openapi/document.ts";
import { possibleErrors } from "../../src/http/openapi/possible-errors.ts";
import type { Route } from "../../src/http/route.ts";
import type { ErrorCode } from "../../src/kernel/errors.ts";
import type { Described, Operation, Reply } from "./described.ts";

/** Headers and fields that a browser, or a program that imitates one, may send. */
export const ODD_BROWSERS: readonly Record<string, string>[] = [
  { Cookie: "" },
  { Cookie: "postroom_session=nobody; postroom_session=somebody" },
  { Origin: "https://evil.example" },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site" },
  { "X-Postroom-App": "" },
  { "X-Postroom-Sandbox": "1" },
  { Host: "rebound.example" },
  { Authorization: "Bearer service_live_nobody" },
];

const REAUTHENTICATION: readonly ErrorCode[] = ["sign_in_refused", "too_many_attempts"];
/** Codes that single paths of the settings page return, besides those of every path of their shape. */
const OWN: Record<string, readonly ErrorCode[]> = {
  "POST /setup": ["setup_done", "setup_token_wrong", "too_many_attempts"],
  "POST /sign-in": [...REAUTHENTICATION, "totp_required"],
  "POST /sign-in/passkey": REAUTHENTICATION,
  "POST /invitation": REAUTHENTICATION,
  "POST /password": REAUTHENTICATION,
  "POST /proof": REAUTHENTICATION,
  "POST /proof/passkey": REAUTHENTICATION,
  "DELETE /totp": REAUTHENTICATION,
  "POST /recovery-key": REAUTHENTICATION,
  "POST /mailboxes": ["connection_failed", "mailbox_exists"],
  "PATCH /mailboxes/:id": ["connection_failed"],
  "POST /mailboxes/oauth/start": ["oauth_client_missing", "mailbox_exists", "not_found"],
  "POST /mailboxes/oauth/finish": ["oauth_client_missing", "oauth_refused", "connection_failed", "mailbox_exists"],
  "POST /assistants/consents/:uid/approve": ["not_found"],
  "POST /keys": ["not_found"],
  "DELETE /me": ["owner_stays"],
  "DELETE /me/team": ["not_found"],
  "DELETE /members/:id": ["owner_stays"],
  "POST /approvals/:id/approve": ["approval_closed"],
  "POST /approvals/:id/reject": ["approval_closed"],
  "POST /backup": ["backup_running"],
  "POST /exports": ["not_found"],
  "POST /imports": ["import_running", "not_found"],
  "PUT /imports/:id/data": ["upload_offset", "payload_too_large"],
};

const HEADERS = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];

/**
 * Returns the settings page's own paths as an OpenAPI document. The document is not published, because these paths are
 * not a public interface; it is made from the same declarations, with their specific refusals.
 */
export function describeApp(routes: readonly Route[]): Described {
  const plain = routes.map((route) => ({
    ...route,
    query: unnamed(route.query),
    body: unnamed(route.body),
    response: unnamed(route.response),
  }));
  const document = openapiDocument(plain, { public_url: "" }) as unknown as Described;
  for (const route of routes) {
    const path = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]!;
    path[route.method.toLowerCase()] = described(route, path[route.method.toLowerCase()]!);
  }
  return document;
}

/** Leaves out the names of schemas: unpublished ones may share a name. */
function unnamed<T>(node: T): T {
  if (Array.isArray(node)) return node.map(unnamed) as T;
  if (typeof node !== "object" || node === null) return node;
  const copy = { ...node } as Record<string | symbol, unknown>;
  delete copy.$id;
  for (const key of Object.keys(copy)) copy[key] = unnamed(copy[key]);
  return copy as T;
}

function described(route: Route, operation: Operation): Operation {
  const success = operation.responses[String(route.status)]!;
  const headers = { ...success.headers, "Set-Cookie": {} };
  const content = route.produces ? { "*/*": {} } : success.content;
  const byStatus = Map.groupBy(appErrors(route), (code) => ERROR_TABLE[code].status);
  const failures = [...byStatus].map(([status, codes]) => [status, failure(status, codes)] as const);
  return {
    ...operation,
    responses: {
      ...Object.fromEntries(failures),
      [route.status]: { headers, ...(content ? { content } : {}) },
    },
  };
}

function failure(status: number, codes: readonly ErrorCode[]): Reply {
  const headers = [
    ...HEADERS,
    "Idempotency-Replayed",
    "X-Unknown-Params",
    "Preference-Applied",
    "Set-Cookie",
    ...(status === 429 ? ["Retry-After"] : []),
  ];
  const text = { type: "string" };
  const error = {
    type: "object",
    required: ["type", "code", "message", "request_id"],
    properties: { type: text, code: { enum: [...codes] }, message: text, param: text, details: {}, request_id: text },
    additionalProperties: false,
  };
  const schema = { type: "object", required: ["error"], properties: { error }, additionalProperties: false };
  return {
    headers: Object.fromEntries(headers.map((name) => [name, {}])),
    content: { "application/json": { schema } },
  };
}

function appErrors(route: Route): ErrorCode[] {
  const codes = new Set<ErrorCode>([...possibleErrors(route), "host_refused", "origin_refused"]);
  if (route.role === "owner") codes.add("owner_required");
  if (route.recentAuth) codes.add("proof_required");
  for (const code of OWN[`${route.method} ${route.path}`] ?? []) codes.add(code);
  return [...codes];
}
