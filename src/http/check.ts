import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { type ValueError, ValueErrorType } from "@sinclair/typebox/errors";
import { Value } from "@sinclair/typebox/value";
import { invalidParam } from "../kernel/errors.ts";
import { lazy } from "../kernel/lazy.ts";

/**
 * Converts the values of one input to their declared types, fills defaults and drops undeclared fields. @throws
 * ApiError invalid_params naming the parameter
 */
export type Check<T> = (raw: T) => unknown;

/** Returns a check for a JSON body. It does not convert: "5" is not 5. */
export function bodyCheck(schema: TSchema): Check<unknown> {
  const compile = lazy(() => TypeCompiler.Compile(schema));
  const fill = hasDefault(schema);
  return (raw) => {
    const compiled = compile();
    const value = fill ? Value.Default(schema, raw) : raw;
    if (!compiled.Check(value)) throw fault(compiled.Errors(value).First()!, "body");
    return Value.Clean(schema, value);
  };
}

/**
 * Returns a check for a query string: texts become the declared integers, numbers and booleans; `?a=1&a=2` becomes an
 * array.
 */
export function queryCheck(schema: TObject): Check<URLSearchParams> {
  const compile = lazy(() => TypeCompiler.Compile(schema));
  const fields = Object.entries(schema.properties);
  return (raw) => {
    const compiled = compile();
    const value: Record<string, unknown> = {};
    for (const [name, field] of fields) {
      const given = queryValue(field, raw.getAll(name));
      if (given !== undefined) value[name] = given;
      else if (field.default !== undefined) value[name] = field.default;
    }
    if (!compiled.Check(value)) throw fault(compiled.Errors(value).First()!, "query");
    return value;
  };
}

/** Returns a function that describes how a reply differs from its schema, or null. For tests and development. */
export function replyFault(schema: TSchema): (reply: unknown) => string | null {
  const compile = lazy(() => TypeCompiler.Compile(schema));
  return (reply) => {
    const compiled = compile();
    const json: unknown = reply === undefined ? undefined : JSON.parse(JSON.stringify(reply));
    const error = compiled.Check(json) ? null : compiled.Errors(json).First();
    if (error) return `${error.path || "/"}: ${error.message}`;
    const cleaned = Value.Clean(schema, structuredClone(json));
    return Bun.deepEquals(cleaned, json) ? null : "the reply has fields that its schema does not declare";
  };
}

/** Returns a text unchanged if it does not convert; the check that follows then refuses it by name. */
function queryValue(schema: TSchema, texts: string[]): unknown {
  if (schema.type === "array") {
    return texts.length === 0 ? undefined : texts.map((text) => queryScalar(schema.items as TSchema, text));
  }
  const text = texts.at(-1);
  return text === undefined ? undefined : queryScalar(schema, text);
}

function queryScalar(schema: TSchema, text: string): unknown {
  switch (schema.type) {
    case "integer":
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
    case "number":
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text;
    default:
      return text;
  }
}

function hasDefault(schema: TSchema): boolean {
  return JSON.stringify(schema).includes('"default":');
}

function fault(error: ValueError, whole: string) {
  const deepest = deepestFault(error);
  const param = paramName(deepest.path) || whole;
  return invalidParam(param, `${param} ${wanted(deepest)}.`);
}

/**
 * Returns the most specific error of a failing union, that of the branch that matched furthest: "conditions[1].op", not
 * "conditions[1]".
 */
function deepestFault(error: ValueError): ValueError {
  let best = error;
  for (const branch of error.errors) {
    const first = branch.First();
    const candidate = first && deepestFault(first);
    if (candidate && candidate.path.length > best.path.length) best = candidate;
  }
  return best;
}

/** Converts a JSON pointer (RFC 6901) to the usual notation: "/conditions/1/op" → "conditions[1].op". */
export function paramName(pointer: string): string {
  let name = "";
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    name += /^\d+$/.test(key) && name !== "" ? `[${key}]` : name === "" ? key : `.${key}`;
  }
  return name;
}

function wanted(error: ValueError): string {
  const { schema, type } = error;
  switch (type) {
    case ValueErrorType.ObjectRequiredProperty:
      return "is required";
    case ValueErrorType.ObjectAdditionalProperties:
      return "is not a known parameter";
    case ValueErrorType.Union:
    case ValueErrorType.Literal:
      return `must be ${describe(schema)}`;
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? "must not be empty" : `must have at least ${schema.minLength} characters`;
    case ValueErrorType.StringMaxLength:
      return `must have at most ${schema.maxLength} characters`;
    case ValueErrorType.ArrayMinItems:
      return schema.minItems === 1 ? "must not be empty" : `must have at least ${schema.minItems} entries`;
    case ValueErrorType.ArrayMaxItems:
      return `must have at most ${schema.maxItems} entries`;
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`;
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`;
    case ValueErrorType.StringPattern:
      return "has an invalid format";
    default:
      return `must be ${describe(schema)}`;
  }
}

const FORMATS: Record<string, string> = {
  "date-time": "an ISO 8601 date-time with a zone, such as 2026-03-02T09:00:00Z",
  date: "a date (YYYY-MM-DD)",
  email: "an email address",
  uri: "a URL",
  name: "a single-line name without control characters",
};

function describe(schema: TSchema): string {
  if (schema.anyOf) {
    const choices = (schema.anyOf as TSchema[]).map((choice) => describe(choice));
    return schema.anyOf.every((choice: TSchema) => choice.const !== undefined)
      ? `one of ${choices.join(", ")}`
      : choices.join(" or ");
  }
  if (schema.const !== undefined) return String(schema.const);
  if (schema.type === "string" && schema.format) return FORMATS[schema.format as string] ?? `a ${schema.format}`;
  switch (schema.type ?? schema[Kind]) {
    case "integer":
      return "an integer";
    case "array":
      return "an array";
    case "object":
      return "an object";
    case "null":
      return "null";
    case "boolean":
      return "true or false";
    default:
      return schema.type === "string" ? "a string" : `a ${schema.type ?? "valid value"}`;
  }
}
