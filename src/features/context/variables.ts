import { invalidParam } from "../../kernel/errors.ts";

/** Types of global variables. The value is always text in the API; the type restricts that text. */
export const VARIABLE_TYPES = ["string", "number", "boolean", "date"] as const;
export type VariableType = (typeof VARIABLE_TYPES)[number];

const LONGEST_VALUE_CHARS = 4_000;
export const MAX_VARIABLES = 500;
const LONGEST_KEY_CHARS = 120;

/** "client.name", "tone": words of letters, digits and underscores, separated by dots. */
const KEY = /^[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*$/;

/** Checks the key of a variable. @throws ApiError invalid_params naming `param` */
export function checkKey(key: string, param: string): string {
  if (key.length > LONGEST_KEY_CHARS || !KEY.test(key)) {
    throw invalidParam(
      param,
      "A key consists of words separated by dots, such as client.name. Words contain letters, digits and _.",
    );
  }
  return key;
}

const VALUE_CHECKS: Record<VariableType, { test(value: string): boolean; wanted: string }> = {
  string: { test: () => true, wanted: "text" },
  number: { test: (value) => /^-?\d+(?:\.\d+)?$/.test(value), wanted: 'a number such as "12.5"' },
  boolean: { test: (value) => value === "true" || value === "false", wanted: '"true" or "false"' },
  date: { test: isDay, wanted: 'a day such as "2026-03-02"' },
};

/** Returns the value as it is stored. @throws ApiError invalid_params naming `param` when it does not have the type */
export function checkValue(value: string, type: VariableType, param: string): string {
  const text = value.trim();
  if (text.length > LONGEST_VALUE_CHARS) {
    throw invalidParam(param, `A value can have at most ${LONGEST_VALUE_CHARS} characters.`);
  }
  if (!text.isWellFormed()) throw invalidParam(param, "A value must be well-formed Unicode text.");
  const { test, wanted } = VALUE_CHECKS[type];
  if (!test(text)) throw invalidParam(param, `A value of type ${type} must be ${wanted}.`);
  return text;
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}
