import fc from "fast-check";
import type { Route } from "../../src/http/route.ts";
import type { Operation } from "./described.ts";
import { fitting, JUNK, nearly, type Resolve } from "./schema-values.ts";
import type { TwoPeople } from "./two-people.ts";

/** A generated request. */
export interface Request {
  path: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body:
    | { kind: "none" }
    | { kind: "json"; value: unknown }
    | { kind: "text"; text: string; type: string }
    | { kind: "form"; file: string };
}

/**
 * Generates requests for one operation: mostly as its description says, with ids of the requester; some with foreign or
 * unknown ids, and some with arbitrary values.
 * @param odd_headers any of these may be sent, too
 */
export function requests(
  people: TwoPeople,
  route: Route,
  operation: Operation,
  resolve: Resolve,
  oddHeaders: readonly Record<string, string>[] = [],
): fc.Arbitrary<Request> {
  const own = [...people.ada.ids.values(), people.ada.words].flat();
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
          .option(fc.oneof({ weight: 5, arbitrary: fitting(schema, resolve, ids) }, { weight: 1, arbitrary: JUNK }), {
            freq: 1,
          })
          .map((value) => (value === null ? [] : [[name, asQuery(value)] as [string, string]])),
      ),
      fc.array(fc.tuple(fc.string({ minLength: 1, maxLength: 5 }), fc.string({ maxLength: 9 })), { maxLength: 1 }),
    )
    .map((lists) => lists.flat() as [string, string][]);
  return fc.record({
    path: fc.record(path),
    query,
    headers: headers(oddHeaders),
    body: body(resolve, operation, ids, exampleFor(people, route)),
  }) as fc.Arbitrary<Request>;
}

const asQuery = (value: unknown): string => (typeof value === "object" ? JSON.stringify(value) : `${value}`);

function headers(odd: readonly Record<string, string>[]): fc.Arbitrary<Record<string, string>> {
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
        ...odd,
      ),
    },
  );
}

const CARD = "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann Fuzz\r\nEMAIL:ann@fuzz.example\r\nEND:VCARD\r\n";

/** Returns the body of the description's example, with the requester's own ids; null where there is none. */
function exampleFor({ ada }: TwoPeople, { examples }: Route): unknown {
  if (examples?.body === undefined) return null;
  const own = [...ada.ids.values()].flat();
  const text = JSON.stringify(examples.body).replace(
    /"([a-z]+_)[0-9a-z]{26}"/g,
    (whole, prefix: string) => JSON.stringify(own.find((id) => id.startsWith(prefix))) ?? whole,
  );
  return JSON.parse(text);
}

function body(
  resolve: Resolve,
  operation: Operation,
  ids: fc.Arbitrary<string>,
  example: unknown,
): fc.Arbitrary<Request["body"]> {
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
    const form = fc.constantFrom("some text", CARD).map((file) => ({ kind: "form" as const, file }));
    return fc.oneof({ weight: 4, arbitrary: form }, { weight: 1, arbitrary: text });
  }
  const schema = content["application/json"]?.schema ?? {};
  const made = nearly(schema, resolve, ids);
  const known = example === null ? made : fc.oneof({ weight: 6, arbitrary: made }, fc.constant(example));
  const json = known.map((value) => ({ kind: "json" as const, value }));
  return fc.oneof({ weight: 9, arbitrary: json }, { weight: 1, arbitrary: text }, { weight: 1, arbitrary: none });
}

/** Returns path and query of a request. */
export function pathOf(route: Route, { path: params, query }: Request): string {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encode(params[name]!));
  if (query.length === 0) return path;
  return `${path}?${new URLSearchParams(query.map(([name, value]) => [wellFormed(name), wellFormed(value)]))}`;
}

/** URLs and headers hold only well-formed text; half a surrogate becomes the replacement character. */
const wellFormed = (text: string): string => text.toWellFormed();
const encode = (text: string): string => encodeURIComponent(wellFormed(text)).replaceAll(".", "%2E");

export function bodyOf({ body }: Request): unknown {
  if (body.kind === "json") return typeof body.value === "string" ? JSON.stringify(body.value) : (body.value ?? "null");
  if (body.kind === "text") return body.text;
  if (body.kind === "none") return undefined;
  const form = new FormData();
  form.append("file", new Blob([body.file], { type: "text/plain" }), "file.txt");
  return form;
}

export function headersOf({ headers, body }: Request): Record<string, string> {
  const plain = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace(/[^\t\x20-\xff]/g, "?")]),
  );
  if (body.kind === "json") return { "Content-Type": "application/json", ...plain };
  return body.kind === "text" ? { "Content-Type": body.type, ...plain } : plain;
}
