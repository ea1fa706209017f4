import { escapeHtml, prose } from "./docs-text.ts";
import type { Json } from "./schemas.ts";

/** Deeper nesting is shown by name only. This also ends recursive schemas. */
const DEEPEST = 6;

/** Returns a schema as nested tables: field, type, meaning. */
export function schemaHtml(document: Json, schema: Json, depth = 0): string {
  const { resolved, name } = resolve(document, schema);
  const fields = fieldsOf(document, resolved);
  if (!fields || depth > DEEPEST) return typeHtml(document, resolved, name);
  const required = new Set((fields.required ?? []) as string[]);
  const rows = Object.entries(fields.properties as Record<string, Json>).map(([field, child]) => {
    const description = resolve(document, child).resolved.description;
    const text = typeof description === "string" ? prose(description, 6) : "";
    const mark = required.has(field) ? "" : "<br><small>optional</small>";
    const inner = schemaHtml(document, child, depth + 1);
    return `<tr><td><code>${escapeHtml(field)}</code>${mark}</td><td>${text}${inner}</td></tr>`;
  });
  const label = resolved.type === "array" ? "list of objects" : "object";
  const title = `<span class="t">${label}${name ? ` ${escapeHtml(name)}` : ""}</span>`;
  return depth === 0 ? `<table>${rows.join("")}</table>` : `${title}<table>${rows.join("")}</table>`;
}

/** Returns an example as formatted JSON in HTML. */
export function exampleHtml(example: unknown): string {
  if (example === undefined) return "";
  return `<pre class="example"><code>${escapeHtml(JSON.stringify(example, null, 2))}</code></pre>`;
}

/** Returns the object schema of an object or of a list of objects; null for everything else. */
function fieldsOf(document: Json, schema: Json): Json | null {
  if (schema.properties) return schema;
  if (schema.type === "array" && schema.items)
    return fieldsOf(document, resolve(document, schema.items as Json).resolved);
  return null;
}

function typeHtml(document: Json, schema: Json, name: string | null): string {
  return `<span class="t">${escapeHtml(typeText(document, schema, name))}</span>${limitsHtml(schema)}`;
}

function typeText(document: Json, schema: Json, name: string | null): string {
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined;
  if (choices) {
    const texts = choices.map((choice) => {
      const { resolved, name: choiceName } = resolve(document, choice);
      return typeText(document, resolved, choiceName);
    });
    return texts.join(" or ");
  }
  if (schema.type === "array") {
    const { resolved, name: itemName } = resolve(document, (schema.items ?? {}) as Json);
    return `list of ${typeText(document, resolved, itemName)}`;
  }
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  return name ?? [schema.type ?? "any value", schema.format && `(${schema.format})`].filter(Boolean).join(" ");
}

function limitsHtml(schema: Json): string {
  const limits: [string, string][] = [
    ["default", "default"],
    ["minimum", "from"],
    ["maximum", "to"],
    ["minLength", "at least"],
    ["maxLength", "at most"],
  ];
  const texts = limits
    .filter(([key]) => schema[key] !== undefined)
    .map(([key, word]) => `${word} ${JSON.stringify(schema[key])}`);
  return texts.length > 0 ? ` <small>${escapeHtml(texts.join(", "))}</small>` : "";
}

function resolve(document: Json, schema: Json): { resolved: Json; name: string | null } {
  const name = /^#\/components\/schemas\/(.+)$/.exec(String(schema.$ref ?? ""))?.[1] ?? null;
  if (name === null) return { resolved: schema, name };
  return { resolved: ((document.components as Json).schemas as Record<string, Json>)[name] ?? {}, name };
}
