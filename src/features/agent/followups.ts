import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";
import { findingsOf } from "../../ml/extract/findings.ts";

const LONGEST_QUOTE_CHARS = 160;

/** Follow-up texts, by the language of the conversation. */
const PHRASES: Record<string, (quote: string) => string> = {
  en: (quote) => `I wanted to follow up on my last message: “${quote}” Do you have any news?`,
  de: (quote) => `ich wollte noch einmal nachfragen: „${quote}“ Gibt es schon etwas Neues?`,
  fr: (quote) => `Je me permets de revenir vers vous : « ${quote} » Avez-vous des nouvelles ?`,
  es: (quote) => `Quería retomar mi último mensaje: «${quote}» ¿Hay alguna novedad?`,
  it: (quote) => `Torno sul mio ultimo messaggio: «${quote}» Ci sono novità?`,
  nl: (quote) => `Ik kom nog even terug op mijn vorige bericht: “${quote}” Is er al nieuws?`,
  pt: (quote) => `Volto ao meu último e-mail: “${quote}” Há alguma novidade?`,
};

/** A message from the user that asked something and has no answer. */
export interface Unanswered {
  message: ConversationMessage;
  ask: { message_id: string; quote: string; start: number; end: number };
  /** The text that the follow-up draft must contain. */
  instructions: string;
}

/** Returns the last message of a thread if the user sent it to someone else and it asks something, otherwise null. */
export function unanswered(thread: readonly ConversationMessage[]): Unanswered | null {
  const message = thread.at(-1);
  if (!message?.outgoing || message.otherNames.length === 0) return null;
  const { at } = message;
  const language = message.language();
  const found = findingsOf({ ...message.text(), at, offsetMin: 0, language: () => language }, ["question", "request"]);
  const ask = found.reduce<(typeof found)[number] | null>(
    (best, next) => (best && best.score >= next.score ? best : next),
    null,
  );
  if (!ask) return null;
  const line = ask.text.replace(/\s+/g, " ");
  const quote = line.length > LONGEST_QUOTE_CHARS ? `${line.slice(0, LONGEST_QUOTE_CHARS).trimEnd()}…` : line;
  const instructionsFor = PHRASES[language ?? "en"] ?? PHRASES.en!;
  const { text, start, end } = ask;
  return { message, ask: { message_id: message.id, quote: text, start, end }, instructions: instructionsFor(quote) };
}
