import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";
import { contentWords } from "../../ml/extract/rank.ts";
import type { DraftSentence, DraftSource } from "../../ml/extract/reply.ts";
import { sentencesOf } from "../../ml/extract/sentences.ts";
import type { WritingStyle } from "../../ml/extract/writing-style.ts";

/** Share of words that a sentence must have in common with a source to be attributed to it. */
const SAME = 0.5;

/**
 * Returns the source of each sentence of a model's draft: the instructions, a sentence of the conversation, the user's
 * usual phrases, or the model alone. The comparison uses the words only, never the model's own claims.
 */
export function provenanceOf(
  body: string,
  instructions: string,
  thread: readonly ConversationMessage[],
  style: WritingStyle | null,
): DraftSentence[] {
  const instructed = sentencesOf(instructions).map(({ text }) => ({ text, words: new Set(contentWords(text)) }));
  const said = thread.flatMap((message) =>
    sentencesOf(message.text().body_text).map((sentence) => ({
      ...sentence,
      message_id: message.id,
      words: new Set(contentWords(sentence.text)),
    })),
  );
  const usual = [style?.sign_off, style?.name].filter((text): text is string => !!text);
  return sentencesOf(body).map(({ text }, i): DraftSentence => {
    const words = contentWords(text);
    if (usual.includes(text) || (i === 0 && style?.greeting && sameForm(text, style.greeting))) {
      return { text, source: { from: "voice" } };
    }
    const instruction = closest(words, instructed);
    const sentence = closest(words, said);
    if (instruction && (!sentence || instruction.share >= sentence.share)) {
      return { text, source: { from: "instructions", quote: instruction.of.text } };
    }
    if (sentence) {
      const { message_id, text: quote, start, end } = sentence.of;
      return { text, source: { from: "message", message_id, quote, start, end } };
    }
    return { text, source: { from: "model" } satisfies DraftSource };
  });
}

function closest<T extends { words: ReadonlySet<string> }>(
  words: readonly string[],
  among: readonly T[],
): { of: T; share: number } | null {
  if (words.length === 0) return null;
  let best: { of: T; share: number } | null = null;
  for (const of of among) {
    const share = words.filter((word) => of.words.has(word)).length / words.length;
    if (share >= SAME && (!best || share > best.share)) best = { of, share };
  }
  return best;
}

/** Whether a text matches a greeting pattern: "Hi Bob," matches "Hi {name},". */
function sameForm(text: string, pattern: string): boolean {
  const [before, after = ""] = pattern.split("{name}");
  return text.startsWith(before!.trimEnd()) && text.endsWith(after);
}
