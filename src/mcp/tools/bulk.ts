import { asApiError } from "../../http/errors.ts";
import { UNDO_BYTES } from "../budget.ts";
import { type ToolError, toolError } from "../errors.ts";

/** The outcome of a bulk call for one id. */
export interface IdOutcome {
  id: string;
  ok: boolean;
  error?: ToolError;
}

/** Runs an action for each id, in order. An id that fails does not keep the others from succeeding. */
export async function eachId(ids: readonly string[], action: (id: string) => Promise<void>): Promise<IdOutcome[]> {
  const results: IdOutcome[] = [];
  for (const id of new Set(ids)) {
    try {
      await action(id);
      results.push({ id, ok: true });
    } catch (error) {
      results.push({ id, ok: false, error: toolError(asApiError(error)) });
    }
  }
  return results;
}

/** Characters that JSON leaves as they are, but that a reader may take for a new line, or does not see. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

/** Returns a call as the text of an undo, or that it is too long to be repeated. */
export function undoText(tool: string, args: object): string {
  const text = callText(tool, args);
  if (Buffer.byteLength(text) <= UNDO_BYTES) return text;
  return "The earlier values are too long to be repeated here. They cannot be restored by a call.";
}

/** Returns a call as the text of an undo: the tool and its arguments as JSON, on one line. */
export function callText(tool: string, args: object): string {
  const json = JSON.stringify(args).replace(UNSEEN, (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
  return `${tool} ${json}`;
}
