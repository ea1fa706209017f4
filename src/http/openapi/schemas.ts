import { Kind, type TSchema } from "@sinclair/typebox";

/** A JSON schema, or any other part of the description, as plain data. */
export type Json = { [name: string]: unknown };

/**
 * Converts a schema for the generator: a union of literals becomes an enum and keeps its description, default and name,
 * which the generator's own conversion drops.
 */
export function withEnums(schema: TSchema): TSchema {
  const copy: TSchema = { ...schema };
  const choices = copy.anyOf as TSchema[] | undefined;
  if (choices?.length && choices.every((choice) => typeof choice.const === "string")) {
    delete copy[Kind as unknown as string];
    delete copy.anyOf;
    return { ...copy, type: "string", enum: choices.map((choice) => choice.const) };
  }
  for (const list of ["anyOf", "allOf", "oneOf"]) {
    if (Array.isArray(copy[list])) copy[list] = (copy[list] as TSchema[]).map(withEnums);
  }
  for (const one of ["items", "additionalProperties", "not"]) {
    if (typeof copy[one] === "object" && copy[one] !== null) copy[one] = withEnums(copy[one] as TSchema);
  }
  for (const map of ["properties", "patternProperties"]) {
    if (copy[map]) {
      const entries = Object.entries(copy[map] as Record<string, TSchema>);
      copy[map] = Object.fromEntries(entries.map(([name, child]) => [name, withEnums(child)]));
    }
  }
  return copy;
}

/** Removes body and query fields with a default from `required`, because clients can omit them. */
export function withoutDefaulted(schema: TSchema): TSchema {
  const properties = (schema.properties ?? {}) as Record<string, TSchema>;
  const required = ((schema.required ?? []) as string[]).filter((name) => properties[name]?.default === undefined);
  const { required: _, ...rest } = schema;
  return required.length > 0 ? ({ ...rest, required } as TSchema) : (rest as TSchema);
}

/**
 * Moves every schema that has a name (`$id`) to `components` and leaves a reference.
 * @throws Error when two different schemas share a name
 */
export function hoistNamed(node: unknown, components: Map<string, string>): unknown {
  if (Array.isArray(node)) return node.map((item) => hoistNamed(item, components));
  if (typeof node !== "object" || node === null) return node;
  const { $id, ...rest } = node as Json;
  const plain: Json = Object.fromEntries(
    Object.entries(rest).map(([name, child]) => [name, hoistNamed(child, components)]),
  );
  // The generator turns "one of these texts, or null" into a type of two and omits null from the choices.
  if (Array.isArray(plain.type) && plain.type.includes("null") && Array.isArray(plain.enum)) {
    plain.enum = [...new Set([...plain.enum, null])];
  }
  if (typeof $id !== "string") return plain;
  const text = JSON.stringify(plain);
  const known = components.get($id);
  if (known !== undefined && known !== text) throw new Error(`Two different schemas are named ${$id}.`);
  components.set($id, text);
  return { $ref: `#/components/schemas/${$id}` };
}
