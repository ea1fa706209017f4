import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Route } from "../../src/http/route.ts";
import type { Answer } from "../support/http-harness.ts";
import type { Described, Operation, Reply } from "./described.ts";
import { bodyOf, headersOf, pathOf, type Request } from "./generated-requests.ts";
import type { Schema } from "./schema-values.ts";
import type { TwoPeople } from "./two-people.ts";

/** More processor time than this for one request counts as a hang. */
const LONGEST_CPU_MS = 1_000;
/** Headers that RFC 9110 and web security allow on any answer; all others must be in the description. */
const COMMON_HEADERS = new Set([
  "accept-ranges",
  "allow",
  "cache-control",
  "connection",
  "content-disposition",
  "content-length",
  "content-range",
  "content-security-policy",
  "content-type",
  "etag",
  "last-modified",
  "referrer-policy",
  "retry-after",
  "vary",
  "www-authenticate",
  "x-content-type-options",
  "x-frame-options",
  "x-accel-buffering",
]);

/** Makes a request and compares its answer with the description. */
export class Judge {
  readonly misses: string[] = [];
  readonly statuses: Record<string, number> = {};
  requests = 0;
  succeeded = 0;
  slowest_ms = 0;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #validators = new Map<string, ValidateFunction>();
  /** What must not be in any answer. */
  #foreign: string[];
  /** Requests that were granted, by operation. */
  readonly granted = new Map<string, number>();

  constructor(
    private readonly document: Described,
    private readonly people: TwoPeople,
  ) {
    addFormats(this.#ajv);
    this.#ajv.addSchema(document as object, "openapi");
    const { canary, ids } = people.eve;
    // The owner may see who has an account here and which teams there are, and the owner's actions on them are in the
    // owner's log.
    const shown = new Set(people.ada_owns ? [...(ids.get("user") ?? []), ...(ids.get("team") ?? [])] : []);
    this.#foreign = [canary, ...[...ids.values()].flat().filter((id) => !shown.has(id))];
  }

  readonly resolve = (reference: string): Schema => {
    const name = reference.split("/").at(-1)!;
    return this.document.components.schemas[name] ?? {};
  };

  /** The description of a route; null where it has none, which is a miss. */
  operation(route: Route): Operation | null {
    const operation = this.document.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method.toLowerCase()];
    if (!operation) this.misses.push(`${route.method} ${route.path} is not in the description`);
    return operation ?? null;
  }

  /** @returns what is wrong with the answer; null when nothing is */
  async ask(route: Route, operation: Operation, request: Request): Promise<string | null> {
    const path = pathOf(route, request);
    const began = process.cpuUsage();
    const answer = await this.people.send(this.people.ada, route.method, path, {
      body: bodyOf(request),
      headers: headersOf(request),
    });
    const { user, system } = process.cpuUsage(began);
    const tookMs = (user + system) / 1_000;
    this.requests++;
    this.slowest_ms = Math.max(this.slowest_ms, tookMs);
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    if (answer.status < 300) {
      this.succeeded++;
      this.granted.set(operation.operationId, (this.granted.get(operation.operationId) ?? 0) + 1);
    }
    if (tookMs > LONGEST_CPU_MS) return `${Math.round(tookMs)} ms`;
    return (
      this.#status(operation, answer) ??
      this.#headers(operation, answer) ??
      this.#body(operation, answer) ??
      this.#leak(route, request, answer)
    );
  }

  #reply(operation: Operation, status: number): Reply | undefined {
    const reply = operation.responses[String(status)];
    return reply?.$ref ? this.document.components.responses[reply.$ref.split("/").at(-1)!] : reply;
  }

  #status(operation: Operation, { status, text }: Answer): string | null {
    if (status === 500) return `500 ${text}; ${this.people.h.log.at(-2)?.slice(0, 700)}`;
    return this.#reply(operation, status) ? null : `the status ${status} is not described (${text.slice(0, 200)})`;
  }

  #headers(operation: Operation, { status, headers }: Answer): string | null {
    const described = Object.keys(this.#reply(operation, status)?.headers ?? {}).map((name) => name.toLowerCase());
    const undescribed = [...headers.keys()].find((name) => !COMMON_HEADERS.has(name) && !described.includes(name));
    if (undescribed) return `the header ${undescribed} is not described at ${status}`;
    if (!/^req_/.test(headers.get("x-request-id") ?? "")) return "there is no X-Request-Id";
    for (const name of ["limit", "remaining", "reset"]) {
      if (!/^\d+$/.test(headers.get(`x-ratelimit-${name}`) ?? "")) return `there is no X-RateLimit-${name}`;
    }
    if (status === 429 && !/^\d+$/.test(headers.get("retry-after") ?? "")) return "there is no Retry-After";
    return null;
  }

  #body(operation: Operation, answer: Answer): string | null {
    const { status, headers, text, json } = answer;
    const content = this.#reply(operation, status)?.content;
    const type = (headers.get("content-type") ?? "").split(";")[0]!.trim();
    if (!content) return text === "" ? null : `${status} has a body, and none is described`;
    const described = Object.keys(content).some((name) => name === "*/*" || name.split(";")[0]!.trim() === type);
    if (!described) return `${status} has the type ${type || "of nothing"}, described is ${Object.keys(content)}`;
    if (status >= 400) {
      const error = json?.error;
      if (Object.keys(json ?? {}).join() !== "error" || typeof error?.message !== "string" || error.message === "") {
        return `${status} without the envelope: ${text.slice(0, 200)}`;
      }
      // A repeated refusal is returned word for word, with its original id.
      const repeated = headers.has("idempotency-replayed");
      if (!repeated && error.request_id !== headers.get("x-request-id")) return "the envelope names another request";
    }
    if (type !== "application/json") return null;
    const validate = this.#validator(operation, status, type);
    if (validate(json)) return null;
    return `the body of ${status} is not as described: ${this.#ajv.errorsText(validate.errors)}; ${text.slice(0, 300)}`;
  }

  #validator(operation: Operation, status: number, type: string): ValidateFunction {
    const name = `${operation.operationId} ${status}`;
    const known = this.#validators.get(name);
    if (known) return known;
    const schema = this.#reply(operation, status)!.content![type]!.schema ?? {};
    const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    const made = this.#ajv.compile(absolute);
    this.#validators.set(name, made);
    return made;
  }

  /**
   * Checks that nothing of the other person is returned: no word of theirs, and no id that was not in an earlier
   * request, for example as a label. The owner of the installation sees its people and their mailboxes, and may export
   * all their data; but never sees a word of their mail.
   */
  #leak({ role, produces, method }: Route, request: Request, { status, text, headers }: Answer): string | null {
    const { canary } = this.people.eve;
    const question = JSON.stringify(request);
    const unseen = this.#foreign.filter((secret) => !question.includes(secret));
    // Only what was granted may be stored, and returned for another request.
    if (method !== "GET" && status < 300) this.#foreign = unseen;
    if (role === "owner") {
      const mail = new RegExp(`${canary} (\\d|says|answers)`).test(text);
      return mail && !produces ? "the answer shows another person's mail" : null;
    }
    const shown = text + [...headers.values()].join("\n");
    const leaked = unseen.find((secret) => shown.includes(secret));
    return leaked ? `the answer shows ${leaked}, which is another person's` : null;
  }
}
