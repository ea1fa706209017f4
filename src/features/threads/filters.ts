import {
  type TBoolean,
  type TInteger,
  type TOptional,
  type TSchema,
  type TString,
  type TUnsafe,
  Type,
} from "@sinclair/typebox";
import { OneOf, Timestamp } from "../../http/schema.ts";
import type { ThreadFilterEntry } from "../../mailbox/queries/thread-filters.ts";

type Filters = Record<string, ThreadFilterEntry>;

interface FieldKinds {
  flag: TBoolean;
  choice: TSchema;
  time: TString;
  number: TInteger;
}
type FieldOf<E extends ThreadFilterEntry> = E extends { values: readonly (infer V)[] }
  ? TUnsafe<V>
  : FieldKinds[E["kind"]];

/** The values of query fields, with times in ms. */
type Values<F extends Filters> = { [N in keyof F]?: unknown };

/** Returns the query fields of filters. */
export function filterFields<F extends Filters>(filters: F): { [N in keyof F]: TOptional<FieldOf<F[N]>> } {
  const fields = Object.entries(filters).map(([name, entry]) => [name, Type.Optional(fieldOf(entry))]);
  return Object.fromEntries(fields) as { [N in keyof F]: TOptional<FieldOf<F[N]>> };
}

function fieldOf(entry: ThreadFilterEntry): TSchema {
  const { description } = entry;
  switch (entry.kind) {
    case "flag":
      return Type.Boolean({ description });
    case "choice":
      return OneOf(entry.values, { description });
    case "time":
      return Timestamp(description);
    case "number":
      return Type.Integer({ minimum: entry.min, maximum: entry.max, description });
  }
}

/** Returns the values of the filters in a query, with times in ms. */
export function filterValues<F extends Filters>(filters: F, query: Values<F>): Values<F> {
  const given = Object.entries(filters).map(([name, { kind }]) => {
    const value = query[name];
    return [name, kind === "time" && value !== undefined ? Date.parse(value as string) : value];
  });
  return Object.fromEntries(given) as Values<F>;
}
