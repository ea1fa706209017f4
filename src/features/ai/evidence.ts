import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";
import type { FileText } from "../../mailbox/store/file-text.ts";

/**
 * A passage of a stored message. `start` and `end` count UTF-16 code units in its `body_text`, or, if `attachment_id` is
 * given, in the text of that attachment.
 */
export interface Citation {
  message_id: string;
  thread_id: string;
  quote: string;
  start: number;
  end: number;
  attachment_id?: string;
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
  const found = rangeOf(message.text().body_text, quote);
  return found && cite(message, found.start, found.end);
}

/** Returns where a text contains a quote, as `locate` compares them; null if it does not. */
export function rangeOf(text: string, quote: string): { start: number; end: number } | null {
  const bare = quote
    .trim()
    .replace(/^["“”„«]+|["“”»]+$/g, "")
    .trim();
  if (bare.length < SHORTEST_QUOTE_CHARS || bare.length > LONGEST_QUOTE_CHARS) return null;
  const exact = text.indexOf(bare);
  if (exact >= 0) return { start: exact, end: exact + bare.length };
  const words = bare.split(/\s+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const match = new RegExp(words.join("\\s+"), "u").exec(text);
  return match && { start: match.index, end: match.index + match[0].length };
}

/** Returns the citation of a range of a message's `body_text`. */
export function cite(message: ConversationMessage, start: number, end: number): Citation {
  const quote = message.text().body_text.slice(start, end);
  return { message_id: message.id, thread_id: message.thread_id, quote, start, end };
}

/** Returns the citation of a range of the text of an attachment or invitation. */
export function citeFile({ id, thread_id }: ConversationMessage, file: FileText, start: number, end: number): Citation {
  const { attachment_id } = file;
  return { message_id: id, thread_id, quote: file.text.slice(start, end), start, end, attachment_id };
}
