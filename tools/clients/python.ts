/**
 * Writes the generated part of the Python client: types (TypedDict) and one method for each operation. It supports only
 * what Postroom's OpenAPI document needs, and fails on anything else.
 */

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: (string | number | null)[];
  const?: unknown;
  items?: Schema;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: Schema | boolean;
  required?: string[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  description?: string;
  format?: string;
}

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  schema: Schema;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

/** Returns clients/python/postroom/api.py. @param document OpenAPI 3.1, JSON */
export function pythonModule(document: string): string {
  const { paths, components } = JSON.parse(document) as OpenApi;
  const types = new Types();
  for (const [name, schema] of Object.entries(components.schemas)) types.declare(name, schema);
  const methods = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => methodOf(path, method.toUpperCase(), operation, types)),
  );
  return `"""Types and operations of the Postroom API.

Generated from the OpenAPI document. Do not edit: run "bun tools/clients/generate.ts" instead.
"""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union
from urllib.parse import quote


def _quote(text: str) -> str:
    return quote(text, safe="")


${types.text()}


class Operations:
    """One method for each operation of the API. \`Postroom\` sends the requests."""

    def _json(self, method: str, path: str, query: Dict[str, Any], body: Any, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

    def _bytes(self, method: str, path: str, query: Dict[str, Any]) -> bytes:
        raise NotImplementedError

    def _upload(self, method: str, path: str, name: str, content: bytes, idempotency_key: Optional[str]) -> Any:
        raise NotImplementedError

${methods.join("\n")}`;
}

/** Names that Python reserves. */
const KEYWORDS = new Set(["from", "import", "class", "def", "global", "in", "is", "not", "or", "and", "pass", "None"]);

const snake = (name: string) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
const argument = (name: string) => (KEYWORDS.has(snake(name)) ? `${snake(name)}_` : snake(name));
const pascal = (name: string) => name.replace(/(^|_|-)([a-z])/g, (_all, _gap, letter: string) => letter.toUpperCase());

/** Collects declarations of types. A nested object is named after the type that contains it. */
class Types {
  readonly #done: string[] = [];

  declare(name: string, schema: Schema): string {
    if (!schema.properties) {
      this.#done.push(`${name} = ${this.of(schema, name)}\n`);
      return name;
    }
    const required = new Set(schema.required ?? []);
    const fields = Object.entries(schema.properties).map(
      ([field, type]) => [field, this.of(type, name + pascal(field)), required.has(field)] as const,
    );
    this.#done.push(typedDict(name, schema.description, fields));
    return name;
  }

  /** Returns a schema as a type. @param name for nested declarations */
  of(schema: Schema, name: string): string {
    if (schema.$ref) return schema.$ref.split("/").at(-1)!;
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) {
      const made = choices.map((choice, i) => this.of(choice, `${name}${i + 1}`));
      return union([...new Set(made)]);
    }
    if (schema.allOf) return schema.allOf.length === 1 ? this.of(schema.allOf[0]!, name) : "Dict[str, Any]";
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) {
      const values = schema.enum.filter((value) => value !== null);
      const choice = `Literal[${values.map(literal).join(", ")}]`;
      return values.length < schema.enum.length ? `Optional[${choice}]` : choice;
    }
    const kinds = Array.isArray(schema.type) ? schema.type : [schema.type ?? "any"];
    const made = kinds.filter((kind) => kind !== "null").map((kind) => this.#plain(kind, schema, name));
    const type = made.length === 0 ? "None" : union(made);
    return kinds.includes("null") && made.length > 0 ? `Optional[${type}]` : type;
  }

  #plain(kind: string, schema: Schema, name: string): string {
    switch (kind) {
      case "string":
        return schema.format === "binary" ? "bytes" : "str";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "boolean":
        return "bool";
      case "array":
        return `List[${schema.items ? this.of(schema.items, `${name}Item`) : "Any"}]`;
      case "object": {
        if (schema.properties) return this.declare(name, schema);
        const values = Object.values(schema.patternProperties ?? {})[0] ?? schema.additionalProperties;
        return `Dict[str, ${typeof values === "object" ? this.of(values, `${name}Value`) : "Any"}]`;
      }
      case "any":
        return "Any";
      default:
        throw new Error(`tools/clients/python.ts does not support the type ${kind} of ${name}`);
    }
  }

  text(): string {
    return this.#done.join("\n");
  }
}

type Field = readonly [name: string, type: string, required: boolean];

/**
 * Uses the call form, because fields may be named `from`. Optional fields are in a separate base, which every Python
 * since 3.8 supports.
 */
function typedDict(name: string, description: string | undefined, fields: readonly Field[]): string {
  const made = (as: string, wanted: readonly Field[], more = "") => {
    const lines = wanted.map(([field, type]) => `    ${JSON.stringify(field)}: '${type}',`).join("\n");
    return `${as} = TypedDict(${JSON.stringify(as)}, {\n${lines}\n}${more})\n`;
  };
  const always = fields.filter(([, , required]) => required);
  const sometimes = fields.filter(([, , required]) => !required);
  const note = description ? `# ${description.split("\n")[0]}\n` : "";
  if (sometimes.length === 0) return note + made(name, always);
  if (always.length === 0) return note + made(name, sometimes, ", total=False");
  const bases = made(`_${name}Always`, always) + made(`_${name}Sometimes`, sometimes, ", total=False");
  return `${bases}\n\n${note}class ${name}(_${name}Always, _${name}Sometimes):\n    pass\n\n`;
}

const union = (types: readonly string[]) => (types.length === 1 ? types[0]! : `Union[${types.join(", ")}]`);
const literal = (value: unknown) => (typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value));

/** Returns a method: path parameters first, then the body, then optional arguments, by name. */
function methodOf(path: string, method: string, operation: Operation, types: Types): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const name = snake(operationId);
  const Name = pascal(operationId);
  const inPath = parameters.filter((parameter) => parameter.in === "path");
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const success = Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1].content ?? {};
  const answer = success["application/json"]?.schema;
  const [media, sent] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const isUpload = media === "multipart/form-data";
  const changes = method !== "GET";

  const given = ["self", ...inPath.map((parameter) => `${argument(parameter.name)}: str`)];
  if (isUpload) given.push("filename: str", "content: bytes");
  else if (sent) given.push(`body: ${types.of(sent.schema, `${Name}Body`)}`);
  const named = inQuery.map((parameter) => {
    const type = types.of(parameter.schema, `${Name}${pascal(parameter.name)}`);
    return parameter.required
      ? `${argument(parameter.name)}: ${type}`
      : `${argument(parameter.name)}: Optional[${type}] = None`;
  });
  if (changes) named.push("idempotency_key: Optional[str] = None");

  const at = inPath.reduce((text, { name }) => text.replace(`{${name}}`, `{_quote(${argument(name)})}`), path);
  const query = `{${inQuery.map((parameter) => `${JSON.stringify(parameter.name)}: ${argument(parameter.name)}`).join(", ")}}`;
  const result = answer ? types.of(answer, `${Name}Reply`) : Object.keys(success).length > 0 ? "bytes" : "None";
  const address = `"${method}", ${inPath.length > 0 ? "f" : ""}"${at}"`;
  let call = `self._json(${address}, ${query}, ${sent ? "body" : "None"}, ${changes ? "idempotency_key" : "None"})`;
  if (isUpload) call = `self._upload(${address}, filename, content, idempotency_key)`;
  else if (result === "bytes") call = `self._bytes(${address}, ${query})`;
  const signature = [...given, ...(named.length > 0 ? ["*", ...named] : [])].join(", ");
  return `    def ${name}(${signature}) -> ${result}:
        """${summary}. \`${method} ${path}\`"""
        return ${call}
`;
}
