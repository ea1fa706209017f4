import type { TSchema } from "@sinclair/typebox";
import { ModelFault } from "./faults.ts";
import { serverEvents } from "./server-events.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/**
 * The required form of the answer. Servers that support it are instructed to write nothing else. It is checked in any
 * case.
 */
export interface AnswerSchema {
  name: string;
  schema: TSchema;
}

/** Ways to make a server answer in JSON, strictest first. Not every server supports every one. */
export const CONSTRAINTS = ["json_schema", "json_object", "none"] as const;
type Constraint = (typeof CONSTRAINTS)[number];

export interface ChatBody {
  model: string;
  messages: readonly ChatMessage[];
  max_tokens: number;
  temperature: number;
  schema: AnswerSchema | null;
  constraint: Constraint;
  /** Ask the server to keep nothing (`store: false`). */
  noStore: boolean;
}

/** Returns the body of POST /chat/completions. Tools are never offered, so no mail can trigger one. */
export function chatBody({ schema, constraint, noStore, ...rest }: ChatBody): string {
  const format =
    schema === null || constraint === "none"
      ? {}
      : constraint === "json_object"
        ? { response_format: { type: "json_object" } }
        : { response_format: { type: "json_schema", json_schema: { ...schema, strict: true } } };
  return JSON.stringify({ ...rest, stream: true, ...format, ...(noStore ? { store: false } : {}) });
}

/**
 * Returns the text of an answer, from a stream of events or one JSON document, whichever the server sent.
 * @param onText called with each piece as it arrives. @throws ModelFault protocol, too_large
 */
export async function readAnswer(
  content_type: string,
  chunks: AsyncIterable<Uint8Array>,
  maxChars: number,
  onText: (piece: string) => void = () => {},
): Promise<string> {
  let text = "";
  const add = (piece: string) => {
    text += piece;
    if (text.length > maxChars) throw new ModelFault("too_large", "The model's answer does not end.");
    if (piece !== "") onText(piece);
  };
  if (/^text\/event-stream\b/i.test(content_type)) {
    let ended = false;
    for await (const data of serverEvents(chunks)) {
      if (data.trim() === "[DONE]") {
        ended = true;
        break;
      }
      const { piece, last } = choiceOf(parse(data), "delta");
      add(piece);
      ended ||= last;
    }
    if (!ended) throw new ModelFault("protocol", "The model's answer was cut off.");
  } else {
    const decoder = new TextDecoder();
    let json = "";
    for await (const chunk of chunks) json += decoder.decode(chunk, { stream: true });
    add(choiceOf(parse(json), "message").piece);
  }
  if (text.trim() === "") throw new ModelFault("protocol", "The model answered without any text.");
  return text;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new ModelFault("protocol", "The model's answer is not JSON.");
  }
}

/** Returns the text that one event or document adds. Tool calls, reasoning and other fields are ignored. */
function choiceOf(value: unknown, field: "delta" | "message"): { piece: string; last: boolean } {
  if (!isRecord(value)) throw new ModelFault("protocol", "The model's answer is not a chat completion.");
  if ("error" in value && value.error) throw new ModelFault("server_error", "The model's server reports an error.");
  const { choices } = value;
  if (!Array.isArray(choices)) throw new ModelFault("protocol", "The model's answer is not a chat completion.");
  const [choice] = choices as unknown[];
  // The final event with the token counts has no choice.
  if (!isRecord(choice)) return { piece: "", last: false };
  const part = choice[field];
  const content = isRecord(part) ? part.content : null;
  return {
    piece: typeof content === "string" ? content : "",
    last: typeof choice.finish_reason === "string",
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
