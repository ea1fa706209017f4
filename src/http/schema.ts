import { FormatRegistry, type TSchema, type TUnsafe, Type } from "@sinclair/typebox";
import { isEmailAddress, nameFault } from "../kernel/names.ts";

/* Schemas that many features share. Use `Type` of @sinclair/typebox, not Elysia's `t`: its Integer accepts "5" in JSON. `$id` gives a schema a name in the OpenAPI description; two schemas must not share one. */

const DATE = /^\d{4}-\d\d-\d\d$/;
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;

FormatRegistry.Set("date", isDay);
FormatRegistry.Set("date-time", (text) => isDay(DATE_TIME.exec(text)?.[1] ?? ""));
FormatRegistry.Set("email", isEmailAddress);
FormatRegistry.Set("name", (text) => nameFault(text) === null);
FormatRegistry.Set("uri", (text) => URL.canParse(text));

/** A timestamp: ISO 8601 with a zone (RFC 3339). Replies use UTC. */
export const Timestamp = (description?: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-03-02T09:00:00.000Z"] });

/** A calendar day, YYYY-MM-DD. */
export const Day = (description?: string) => Type.String({ format: "date", description, examples: ["2026-03-02"] });

/** A user-given name: one line of visible text (kernel/names.ts). */
export const Name = (maxLength: number) => Type.String({ format: "name", minLength: 1, maxLength });

/** A field that may be null. */
export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** One of the given texts: an enum in the description, typed as their union. */
export function OneOf<const T extends readonly string[]>(
  values: T,
  options: { default?: T[number]; description?: string } = {},
): TUnsafe<T[number]> {
  const literals = values.map((value) => Type.Literal(value));
  return Type.Unsafe<T[number]>(Type.Union(literals, options));
}

/** Returns whether a day exists: 30 February does not, although Date turns it into 2 March. */
function isDay(text: string): boolean {
  if (!DATE.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
