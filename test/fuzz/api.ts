import Ajv2020, { type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import type { Route } from "../../src/http/route.ts";
import { between, type Campaign, type CampaignOptions } from "../faults/campaign.ts";
import type { Answer } from "../http-harness.ts";
import { asLines, checkInvariants } from "../invariants/check.ts";
import { fitting, JUNK, nearly, type Schema } from "./schema-values.ts";
import { createTwoPeople, type TwoPeople } from "./two-people.ts";

/** More than this for one request, in processor time, counts as a hang. */
const LONGEST_CPU_MS = 1_000;
/** Headers that RFC 9110 and the web's security give to any answer; all others must be in the description. */
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

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }>; required?: boolean };
  responses: Record<string, Reply>;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

interface Reply {
  $ref?: string;
  headers?: Record<string, unknown>;
  content?: Record<string, { schema?: Schema }>;
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Reply>; headers: Record<string, unknown> };
}

interface Request {
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body:
    | { kind: "none" }
    | { kind: "json"; value: unknown }
    | { kind: "text"; text: string; type: string }
    | { kind: "form" };
}

/**
 * Requests made up from the OpenAPI description, right and wrong ones: whatever comes, the answer is one that the
 * description knows, in its status, headers and body; every error has the envelope; and nothing of another person is in it.
 */
export const apiCampaign: Campaign = async (options) => {
  const people = await createTwoPeople();
  try {
    const document = (await people.h.call("GET", "/openapi.json", { key: null })).json as Described;
    const judge = new Judge(document, people);
    for (const route of people.routes) {
      const operation = document.paths[route.path.replace(/:(\w+)/g, "{$1}")]?.[route.method.toLowerCase()];
      if (!operation) judge.misses.push(`${route.method} ${route.path} is not in the description`);
      else await fuzzOperation(people, judge, route, operation, options);
    }
    const { findings } = await checkInvariants(people.h.platform);
    judge.misses.push(...asLines(findings.filter(({ rule }) => !UNLIKE_REAL.has(rule))));
    options.say(`answers by status: ${JSON.stringify(judge.statuses)}`);
    return {
      figures: {
        operations: people.routes.length,
        requests: judge.requests,
        succeeded: judge.succeeded,
        slowest_cpu_ms: Math.round(judge.slowest_ms),
      },
      misses: judge.misses,
    };
  } finally {
    people.close();
  }
};

/** The mailboxes of these two were filled by hand, without words, vectors and files of a real way in. */
const UNLIKE_REAL = new Set(["word index", "vectors"]);

async function fuzzOperation(
  people: TwoPeople,
  judge: Judge,
  route: Route,
  operation: Operation,
  { short, random }: CampaignOptions,
): Promise<void> {
  const seed = between(random, 0, 2 ** 31);
  const property = fc.asyncProperty(requests(people, judge, route, operation), async (request) => {
    const problem = await judge.ask(route, operation, request);
    if (problem !== null) throw new Error(problem);
  });
  const result = await fc.check(property, {
    seed,
    numRuns: short ? 12 : 250,
    // Shrinking changes the mailbox, too: a little of it is enough for a request that can be read.
    interruptAfterTimeLimit: short ? 4_000 : 60_000,
    endOnFailure: short,
  });
  if (!result.failed || result.counterexample === null) return;
  const [request] = result.counterexample as [Request];
  judge.misses.push(`${route.method} ${route.path}: ${messageOf(result.errorInstance)} for ${brief(request)}`);
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
const brief = (request: Request): string => JSON.stringify(request).slice(0, 600);

function requests(people: TwoPeople, judge: Judge, route: Route, operation: Operation): fc.Arbitrary<Request> {
  const own = [...people.ada.ids.values()].flat();
  const foreign = [...people.eve.ids.values()].flat();
  const unknown = own.map((id) => `${id.slice(0, 4)}01jz4t9h2m8q5r7v3w6x0y1z2a`);
  const ids = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...own) },
    { weight: 2, arbitrary: fc.constantFrom(...foreign) },
    { weight: 1, arbitrary: fc.constantFrom(...unknown) },
  );
  const path = Object.fromEntries(
    Object.entries(route.params).map(([name, kind]) => {
      const right = kind === "text" ? [people.ada.canary, "timezone"] : (people.ada.ids.get(kind) ?? []);
      const junk = JUNK.map((value) => asQuery(value).slice(0, 200)).filter((value) => !/^\.{0,2}$/.test(value));
      const given = right.length > 0 ? fc.constantFrom(...right) : ids;
      return [
        name,
        fc.oneof({ weight: 8, arbitrary: given }, { weight: 2, arbitrary: ids }, { weight: 1, arbitrary: junk }),
      ];
    }),
  );
  const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
  const query = fc
    .tuple(
      ...queries.map(({ name, schema }) =>
        fc
          .option(
            fc.oneof({ weight: 5, arbitrary: fitting(schema, judge.resolve, ids) }, { weight: 1, arbitrary: JUNK }),
          )
          .map((value) => (value === null ? [] : [[name, asQuery(value)] as [string, string]])),
      ),
      fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 9 })), { maxLength: 1 }),
    )
    .map((lists) => lists.flat() as [string, string][]);
  return fc.record({
    path: fc.record(path),
    query,
    headers: headers(),
    body: body(judge, operation, ids),
  }) as fc.Arbitrary<Request>;
}

const asQuery = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

function headers(): fc.Arbitrary<Record<string, string>> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.uuid().map((key) => ({ "Idempotency-Key": key })) },
    {
      weight: 2,
      arbitrary: fc.constantFrom<Record<string, string>>(
        {},
        { "Idempotency-Key": "" },
        { "Idempotency-Key": "same" },
        { "Idempotency-Key": "x".repeat(300) },
        { Range: "bytes=0-3" },
        { Range: "bytes=9-2,-1" },
        { Accept: "application/xml" },
        { "X-Forwarded-For": "1.2.3.4" },
        { "X-On-Behalf-Of": "eve@example.org" },
        { "If-None-Match": "*" },
        { "Accept-Language": "\u00e9" },
      ),
    },
  );
}

function body(judge: Judge, operation: Operation, ids: fc.Arbitrary<string>): fc.Arbitrary<Request["body"]> {
  const content = operation.requestBody?.content;
  const text = fc.record({
    kind: fc.constant("text" as const),
    text: fc.oneof(
      fc.constantFrom("", "{", "[1,", '{"a":1}', "null", "\u0000", "[".repeat(5_000)),
      fc.json({ maxDepth: 2 }),
    ),
    type: fc.constantFrom(
      "application/json",
      "text/plain",
      "application/json; charset=latin1",
      "a/b",
      "multipart/form-data",
    ),
  });
  const none = fc.constant({ kind: "none" } as const);
  if (!content) return fc.oneof({ weight: 9, arbitrary: none }, { weight: 1, arbitrary: text });
  if (content["multipart/form-data"]) {
    return fc.oneof({ weight: 4, arbitrary: fc.constant({ kind: "form" } as const) }, { weight: 1, arbitrary: text });
  }
  const schema = content["application/json"]?.schema ?? {};
  const json = nearly(schema, judge.resolve, ids).map((value) => ({ kind: "json" as const, value }));
  return fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: text }, { weight: 1, arbitrary: none });
}

/** Asks, and compares each answer with the description. */
class Judge {
  readonly misses: string[] = [];
  readonly statuses: Record<string, number> = {};
  requests = 0;
  succeeded = 0;
  slowest_ms = 0;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false });
  readonly #validators = new Map<string, ValidateFunction>();
  /** What must not be in any answer. */
  #foreign: string[];

  constructor(
    private readonly document: Described,
    private readonly people: TwoPeople,
  ) {
    addFormats(this.#ajv);
    this.#ajv.addSchema(document as object, "openapi");
    this.#foreign = [people.eve.canary, ...[...people.eve.ids.values()].flat()];
  }

  readonly resolve = (reference: string): Schema => {
    const name = reference.split("/").at(-1)!;
    return this.document.components.schemas[name] ?? {};
  };

  /** @returns what is wrong with the answer; null when nothing is */
  async ask(route: Route, operation: Operation, request: Request): Promise<string | null> {
    const path = route.path.replace(/:(\w+)/g, (_, name: string) => encode(request.path[name]!));
    const query = new URLSearchParams(request.query.map(([name, value]) => [wellFormed(name), wellFormed(value)]));
    const asked = `${path}${request.query.length > 0 ? `?${query}` : ""}`;
    const began = process.cpuUsage();
    const answer = await this.people.h.call(route.method, asked, {
      key: this.people.ada.key,
      body: bodyOf(request),
      headers: headersOf(request),
    });
    const { user, system } = process.cpuUsage(began);
    const took_ms = (user + system) / 1_000;
    this.requests++;
    this.slowest_ms = Math.max(this.slowest_ms, took_ms);
    this.statuses[answer.status] = (this.statuses[answer.status] ?? 0) + 1;
    if (answer.status < 300) this.succeeded++;
    if (took_ms > LONGEST_CPU_MS) return `${Math.round(took_ms)} ms`;
    return (
      this.#status(operation, answer) ??
      this.#headers(operation, answer) ??
      this.#body(operation, answer) ??
      this.#leak(request, answer)
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
      // A repeated refusal is told word for word, with the id that it had.
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

  /** Nothing of the other person: no word of theirs, and no id that was not in a question before, as a label perhaps. */
  #leak(request: Request, { text }: Answer): string | null {
    const question = JSON.stringify(request);
    this.#foreign = this.#foreign.filter((secret) => !question.includes(secret));
    const leaked = this.#foreign.find((secret) => text.includes(secret));
    return leaked ? `the answer shows ${leaked}, which is another person's` : null;
  }
}

/** URLs and headers hold well-formed text only; half a surrogate becomes the character that says so. */
const wellFormed = (text: string): string => text.toWellFormed();
const encode = (text: string): string => encodeURIComponent(wellFormed(text)).replaceAll(".", "%2E");

function bodyOf({ body }: Request): unknown {
  if (body.kind === "json") return typeof body.value === "string" ? JSON.stringify(body.value) : (body.value ?? "null");
  if (body.kind === "text") return body.text;
  if (body.kind === "none") return undefined;
  const form = new FormData();
  form.append("file", new Blob(["some text"], { type: "text/plain" }), "file.txt");
  return form;
}

function headersOf({ headers, body }: Request): Record<string, string> {
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\xff]/g, "?")]),
  );
  if (body.kind === "json") return { "Content-Type": "application/json", ...plain };
  return body.kind === "text" ? { "Content-Type": body.type, ...plain } : plain;
}
