import type { Static, TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { ModelFault } from "./faults.ts";

/**
 * Returns the JSON value in an answer, checked against its schema, without unrequested fields. Models put reasoning,
 * code fences or polite sentences around the JSON, so the longest span between matching brackets is also tried.
 * @throws ModelFault not_as_asked
 */
export function answerJson<T extends TSchema>(text: string, schema: T): Static<T> {
  for (const candidate of candidates(text)) {
    const value = parse(candidate);
    if (value === undefined) continue;
    const clean = Value.Clean(schema, value);
    if (Value.Check(schema, clean)) return clean;
  }
  throw new ModelFault("not_as_asked", "The model's answer does not have the requested form.");
}

function* candidates(text: string): Generator<string> {
  const bare = text.replace(/^[\s\S]*<\/think>/, "").trim();
  yield bare;
  const fenced = /```(?:json)?\s*\n([\s\S]*?)```/.exec(bare)?.[1];
  if (fenced !== undefined) yield fenced;
  const from = bare.indexOf("{");
  const to = bare.lastIndexOf("}");
  if (from >= 0 && to > from) yield bare.slice(from, to + 1);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
