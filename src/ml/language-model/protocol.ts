import type { TSchema } from "@sinclair/typebox";
import { ModelFault } from "./faults.ts";
import { serverEvents } from "./server-events.ts";

export interface ChatMessage {
  role: "system" | "user" | "assistant";
  content: string;
}

/** The shape that the answer must have. Servers that can are told to write nothing else; it is checked in any case. */
export interface AnswerSchema {
  name: string;
  schema: TSchema;
}

/** How a server can be told to answer in JSON, from the strictest on. Not every server knows every one. */
export const CONSTRAINTS = ["json_schema", "json_object", "none"] as const;
export type Constraint = (typeof CONSTRAINTS)[number];

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

/** The body of POST /chat/completions. Tools are never offered: nothing in a mail can call one. */
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
 * The text of an answer, from a stream of events or from one JSON document, whichever the server sent.
 * @param onText called with each piece as it comes. @throws ModelFault protocol, too_large
 */
export async function readAnswer(
  content_type: string,
  chunks: AsyncIterable<Uint8Array>,
  mostChars: number,
  onText: (piece: string) => void = () => {},
): Promise<string> {
  let text = "";
  const add = (piece: string) => {
    text += piece;
    if (text.length > mostChars) throw new ModelFault("too_large", "The model's answer does not end.");
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

/** What one event or document adds. Calls of tools, thoughts and other fields are passed over. */
function choiceOf(value: unknown, field: "delta" | "message"): { piece: string; last: boolean } {
  if (!isRecord(value)) throw new ModelFault("protocol", "The model's answer is not a chat completion.");
  if ("error" in value && value.error) throw new ModelFault("server_error", "The model's server reports an error.");
  const { choices } = value;
  if (!Array.isArray(choices)) throw new ModelFault("protocol", "The model's answer is not a chat completion.");
  const [choice] = choices as unknown[];
  // The closing event with the counts has no choice.
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
