import fc from "fast-check";

/** A JSON schema, as far as the description uses it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  patternProperties?: Record<string, Schema>;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
}

export type Resolve = (reference: string) => Schema;

/** Values that programs often fail on, regardless of the schema. */
export const JUNK: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom<unknown>(
    null,
    "",
    " ",
    "\u0000",
    "\ud800",
    "../../etc/passwd",
    "%00",
    "' OR 1=1 --",
    "<script>",
    -0,
    -1,
    1e308,
    2 ** 53,
    0.1,
    true,
    [],
    {},
    [[[[[]]]]],
    JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}'),
    "9999-12-31T23:59:59.999Z",
    "2026-02-30",
    "\u202egnp.exe",
    "x".repeat(70_000),
  ),
);

/** Generates values that fit a schema; ids are from a pool, so that they sometimes match an object. */
export function fitting(schema: Schema, resolve: Resolve, ids: fc.Arbitrary<string>, depth = 0): fc.Arbitrary<unknown> {
  if (schema.$ref) return fitting(resolve(schema.$ref), resolve, ids, depth);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => fitting(choice, resolve, ids, depth)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  switch (type) {
    case "string":
      return text(schema, ids);
    case "integer":
      return fc.integer({ min: schema.minimum ?? -1_000, max: Math.min(schema.maximum ?? 100_000, 2 ** 31 - 1) });
    case "number":
      return fc.double({ min: schema.minimum ?? -1e6, max: schema.maximum ?? 1e6, noNaN: true });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array": {
      const items = schema.items ?? {};
      const bounds = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, 4) };
      return depth > 4 ? fc.constant([]) : fc.array(fitting(items, resolve, ids, depth + 1), bounds);
    }
    case "object":
      return object(schema, resolve, ids, depth);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

/** Omits a few of the fields, changes their type, or adds some. */
export function nearly(schema: Schema, resolve: Resolve, ids: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const target = schema.$ref ? resolve(schema.$ref) : schema;
  if (!target.properties) return fc.oneof(fitting(target, resolve, ids), JUNK);
  const fields = Object.fromEntries(
    Object.entries(target.properties).map(([name, field]) => [
      name,
      fc.oneof({ weight: 7, arbitrary: fitting(field, resolve, ids) }, { weight: 1, arbitrary: JUNK }),
    ]),
  );
  const some = fc.record(fields, { requiredKeys: [] });
  const more = fc.tuple(some, fc.dictionary(fc.string({ maxLength: 12 }), JUNK, { maxKeys: 2 }));
  return fc.oneof(
    { weight: 6, arbitrary: fitting(target, resolve, ids) },
    { weight: 3, arbitrary: some },
    { weight: 1, arbitrary: more.map(([known, unknown]) => ({ ...unknown, ...known })) },
    { weight: 1, arbitrary: JUNK },
  );
}

function object(schema: Schema, resolve: Resolve, ids: fc.Arbitrary<string>, depth: number): fc.Arbitrary<unknown> {
  const fields = Object.entries(schema.properties ?? {});
  if (fields.length === 0)
    return fc.dictionary(fc.string({ maxLength: 20 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 });
  const model = Object.fromEntries(fields.map(([name, field]) => [name, fitting(field, resolve, ids, depth + 1)]));
  return fc.record(model, { requiredKeys: (schema.required ?? []) as never[] });
}

const WORDS = ["word", "from:bob", "Invoices", "a@b.example", "Bob <bob@example.net>", "x", "東京", "Re: hello", "UTC"];

function text(schema: Schema, ids: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const bounds = { minLength: schema.minLength ?? 0, maxLength: Math.min(schema.maxLength ?? 60, 60) };
  switch (schema.format) {
    case "date-time":
      return fc
        .date({ min: new Date(0), max: new Date("2040-01-01"), noInvalidDate: true })
        .map((d) => d.toISOString());
    case "date":
      return fc
        .date({ min: new Date(0), max: new Date("2040-01-01"), noInvalidDate: true })
        .map((d) => d.toISOString().slice(0, 10));
    case "email":
      return fc.oneof(fc.emailAddress(), fc.constant("bob@example.net"));
    case "uri":
      return fc.oneof(fc.webUrl(), fc.constantFrom("https://hooks.example/x", "http://127.0.0.1/", "https://[::1]/"));
    default: {
      const free = fc.oneof(
        ids,
        fc.constantFrom(...WORDS),
        fc.string({ ...bounds, unit: "grapheme" }),
        fc.string(bounds),
      );
      if (!schema.pattern) return free.filter((value) => value.length >= bounds.minLength);
      return fc.oneof(fc.stringMatching(new RegExp(schema.pattern)), free);
    }
  }
}
