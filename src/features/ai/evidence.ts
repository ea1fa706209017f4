import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";

/** A passage of a stored message. `start` and `end` count UTF-16 code units in its `body_text`. */
export interface Citation {
  message_id: string;
  thread_id: string;
  quote: string;
  start: number;
  end: number;
}

/** Shorter quotes prove nothing: any long message contains "the" or "5". */
const SHORTEST_QUOTE_CHARS = 8;
/** Longer quotes would be whole messages. */
const LONGEST_QUOTE_CHARS = 2_000;

/**
 * Finds a quote in the stored text, word for word. Only white space may differ, because models change line breaks. The
 * citation holds the stored text, never the model's spelling of it. Returns null if the text does not contain the quote.
 */
export function locate(message: ConversationMessage, quote: string): Citation | null {
  const bare = quote
    .trim()
    .replace(/^["“”„«]+|["“”»]+$/g, "")
    .trim();
  if (bare.length < SHORTEST_QUOTE_CHARS || bare.length > LONGEST_QUOTE_CHARS) return null;
  const { body_text } = message.text();
  const exact = body_text.indexOf(bare);
  if (exact >= 0) return cite(message, exact, exact + bare.length);
  const words = bare.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const match = new RegExp(words.join("\\s+"), "u").exec(body_text);
  return match && cite(message, match.index, match.index + match[0].length);
}

/** Returns the citation of a range of a message's `body_text`. */
export function cite(message: ConversationMessage, start: number, end: number): Citation {
  const quote = message.text().body_text.slice(start, end);
  return { message_id: message.id, thread_id: message.thread_id, quote, start, end };
}
