import type { ChatMessage } from "./protocol.ts";

/**
 * Returns a high estimate of a text's tokens. Every model has its own tokenizer, and cutting a text slightly early
 * costs less than a refused request. Counts three bytes of UTF-8 as one token, which is close for German and CJK and
 * too high for English.
 */
export function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}

/** Tokens that a server adds around each message. */
const FRAME_TOKENS = 8;

/** Returns a high estimate of the tokens of a prompt. */
export function tokensOfAll(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message.content) + FRAME_TOKENS, 0);
}

/** Returns the beginning of a text that fits into a number of tokens, cut at a line or word break if there is one. */
export function fitting(text: string, tokens: number): string {
  if (tokensOf(text) <= tokens) return text;
  let cut = Buffer.from(text)
    .subarray(0, Math.max(0, tokens * 3))
    .toString()
    .replace(/\ufffd+$/, "");
  const at = Math.max(cut.lastIndexOf("\n"), cut.lastIndexOf(" "));
  if (at > cut.length * 0.7) cut = cut.slice(0, at);
  return cut;
}
