import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";
import { openAsks, type TurnFinding } from "../../ml/extract/conversation.ts";
import { findingsOf } from "../../ml/extract/findings.ts";

/** The only labels that the agent adds. No text in a message can make it invent another. */
export const AGENT_LABELS = ["Needs reply", "Waiting for"] as const;
type AgentLabel = (typeof AGENT_LABELS)[number];

/** The actions that the agent would take on a thread because of a new message. */
export interface Triage {
  label: AgentLabel | null;
  category: "promotions" | "updates" | null;
  archive: boolean;
  /** The unanswered questions that a draft would answer. */
  asks: TurnFinding[];
  /** One sentence for people. It quotes no mail. */
  reason: string;
  /** The words that decided; null if headers did. */
  evidence: { message_id: string; quote: string; start: number; end: number } | null;
}

/** The facts that triage considers beside the text of the message. */
export interface TriageInput {
  message: ConversationMessage;
  /** The whole thread, oldest first. */
  thread: readonly ConversationMessage[];
  vip: boolean;
  /** Whether the user has written in this thread, or to this sender before. */
  known: boolean;
}

/** Phrases that occur only in mail to many recipients, for senders that do not mark it with headers. */
const SENT_TO_MANY =
  /\b(?:unsubscribe|opt[- ]?out|manage (?:your )?(?:preferences|subscriptions?)|view (?:this (?:e-?mail )?)?in (?:your )?browser|you (?:are receiving|received) this (?:e-?mail|message) because|abmelden|abbestellen|désabonner|désinscrire|darse de baja|cancelar suscripción|disiscriviti|uitschrijven)\b/iu;

/**
 * Decides what to do with new mail. A pure function of fixed rules: no model reads the mail here, so no text in it can
 * ask for anything. Mail that asks something, is from a VIP or continues a conversation is never archived.
 */
export function triage({ message, thread, vip, known }: TriageInput): Triage {
  const { category, head } = message;
  const text = message.text().body_text;
  const personal = category === "primary";
  const toMany = personal && !known && SENT_TO_MANY.test(text);
  const asks = personal && !toMany ? openAsks(thread, () => 0) : [];
  const nothing: Triage = { label: null, category: null, archive: false, asks, reason: "", evidence: null };
  const ask = asks.findLast(({ message_id }) => message_id === message.id) ?? asks.at(-1);
  if (ask) {
    const more = asks.length > 1 ? ` (and ${asks.length - 1} more)` : "";
    const reason = `${vip ? "A VIP" : "The sender"} asks something that has not been answered yet${more}.`;
    return { ...nothing, label: "Needs reply", reason, evidence: evidenceOf(ask) };
  }
  const promise = personal && !toMany ? promiseIn(message) : null;
  if (promise) {
    return {
      ...nothing,
      label: "Waiting for",
      reason: "The sender makes a promise.",
      evidence: evidenceOf(promise),
    };
  }
  if (toMany) {
    const reason = "The message was sent to many recipients, and you have never written to the sender.";
    return { ...nothing, category: "promotions", archive: !vip, reason };
  }
  const archive = !personal && !vip && !known && head.from.email !== "";
  return archive
    ? { ...nothing, archive: true, reason: `The message is in ${category} and asks nothing of you.` }
    : nothing;
}

function promiseIn(message: ConversationMessage): TurnFinding | null {
  const { id, at } = message;
  const [found] = findingsOf({ ...message.text(), at, offsetMin: 0, language: () => message.language() }, ["promise"]);
  return found ? { ...found, message_id: id, at } : null;
}

const evidenceOf = ({ message_id, text, start, end }: TurnFinding) => ({ message_id, quote: text, start, end });
