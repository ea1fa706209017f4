import { isFile, type Operation } from "./description.ts";

/** What a person entered, by the name of the field: "query limit", "body", "form file". */
export type Values = Readonly<Record<string, string | File>>;

interface Prepared {
  url: string;
  init: RequestInit;
}

/** What is wrong with a field, by its name. */
export type Faults = Record<string, string>;

export const KEY_FIELD = "key";
const IDEMPOTENCY_KEY = "Idempotency-Key";

/** Returns the name of a parameter's field. */
export function fieldOf({ in: where, name }: { in: string; name: string }): string {
  return `${where} ${name}`;
}

/**
 * Makes the request of an operation from what was entered. It has the API key and nothing else that identifies the
 * person: no cookies, so that the session of the settings page never counts.
 * @param base address of the API, with a slash at its end
 */
export function prepare(operation: Operation, values: Values, key: string, base: string): Prepared | Faults {
  const faults: Faults = {};
  const headers: Record<string, string> = {};
  if (operation.needsKey) {
    if (!/^[\x21-\x7e]+$/.test(key.trim())) faults[KEY_FIELD] = "Enter an API key.";
    headers.Authorization = `Bearer ${key.trim()}`;
  }
  const url = new URL(filled(operation, values, faults).slice(1), base);
  for (const parameter of operation.parameters) {
    const field = fieldOf(parameter);
    const value = textOf(values[field]);
    if (parameter.in === "path") continue;
    if (value === "") {
      if (!parameter.required) continue;
      if (parameter.name === IDEMPOTENCY_KEY) headers[IDEMPOTENCY_KEY] = newKey();
      else faults[field] = "Enter a value.";
    } else if (parameter.in === "query") url.searchParams.set(parameter.name, value);
    else if (/^[\x20-\x7e]+$/.test(value)) headers[parameter.name] = value;
    else faults[field] = "Headers can have only ASCII characters.";
  }
  const body = bodyOf(operation, values, faults);
  if (typeof body === "string") headers["Content-Type"] = "application/json";
  if (Object.keys(faults).length > 0) return faults;
  return {
    url: url.href,
    init: {
      method: operation.method,
      headers,
      ...(body === null ? {} : { body }),
      credentials: "omit",
      redirect: "error",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    },
  };
}

/** Returns the path with its parameters. Dots alone would lead to another path. */
function filled({ path, parameters }: Operation, values: Values, faults: Faults): string {
  return parameters
    .filter((parameter) => parameter.in === "path")
    .reduce((url, parameter) => {
      const field = fieldOf(parameter);
      const value = textOf(values[field]);
      if (value === "" || /^\.+$/.test(value)) faults[field] = "Enter a value.";
      return url.replace(`{${parameter.name}}`, encodeURIComponent(value));
    }, path);
}

function bodyOf({ body }: Operation, values: Values, faults: Faults): string | FormData | null {
  if (!body) return null;
  if (!body.type.startsWith("multipart/")) {
    const text = textOf(values.body);
    if (text === "") return null;
    try {
      JSON.parse(text);
    } catch (error) {
      faults.body = `The body is not valid JSON: ${(error as Error).message}.`;
    }
    return text;
  }
  const form = new FormData();
  for (const [name, schema] of Object.entries(body.schema.properties ?? {})) {
    const value = values[`form ${name}`];
    const isMissing = value === undefined || value === "";
    if (!isMissing) form.append(name, value);
    else if (body.schema.required?.includes(name)) {
      faults[`form ${name}`] = isFile(schema) ? "Choose a file." : "Enter a value.";
    }
  }
  return form;
}

function textOf(value: string | File | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** Returns a random key. `crypto.randomUUID` is missing on pages without HTTPS. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
