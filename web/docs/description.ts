/** The parts of the OpenAPI description that the form for trying an operation reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

interface Body {
  type: string;
  schema: Schema;
  example?: unknown;
}

export interface Operation {
  id: string;
  method: string;
  /** "/threads/{id}" */
  path: string;
  summary: string;
  needsKey: boolean;
  parameters: Parameter[];
  body: Body | null;
}

interface RawOperation {
  operationId: string;
  summary: string;
  security: unknown[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> };
}

export interface Description {
  paths: Record<string, Record<string, RawOperation>>;
  components: { parameters?: Record<string, Parameter>; schemas?: Record<string, Schema> };
}

/** Returns one operation, with its references resolved; null if the description has none of this id. */
export function operationOf({ paths, components }: Description, id: string): Operation | null {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      if (raw.operationId !== id) continue;
      const [type, content] = Object.entries(raw.requestBody?.content ?? {})[0] ?? [];
      const schema = content && resolve(components.schemas, content.schema);
      return {
        ...{ id, path, method: method.toUpperCase(), summary: raw.summary, needsKey: raw.security.length > 0 },
        parameters: (raw.parameters ?? []).flatMap((given) => {
          const parameter = resolve(components.parameters, given);
          return parameter && "name" in parameter ? [parameter] : [];
        }),
        body: type && content && schema ? { type, schema, example: content.example } : null,
      };
    }
  }
  return null;
}

function resolve<T extends object>(known: Record<string, T> | undefined, given: T | { $ref: string }): T | null {
  if (!("$ref" in given) || given.$ref === undefined) return given as T;
  return known?.[given.$ref.slice(given.$ref.lastIndexOf("/") + 1)] ?? null;
}

/** Returns whether a schema is a file in a form. */
export function isFile({ format }: Schema): boolean {
  return format === "binary";
}
