import type { Conversations } from "../../mailbox/queries/conversations.ts";
import { everyone } from "./everyone.ts";
import { judge, type Verdict } from "./firewall.ts";

/** The draft to review, with recipients as stored. */
export interface ReviewedDraft {
  id: string;
  user_id: string;
  thread_id: string | null;
  to: readonly string[];
  cc: readonly string[];
  bcc: readonly string[];
  subject: string;
  body: string;
}

/** The notes and variables that an assistant can read: of every client, not only of the recipients. */
export interface KeptTexts {
  /** By a key that names the profile. */
  variables: Readonly<Record<string, string>>;
  privateTexts: readonly { name: string; text: string }[];
}

export interface DraftReviewParts {
  conversations: Conversations;
  kept(user_id: string): KeptTexts;
  /** Whether Postroom wrote the draft, with what the user keeps as material. */
  isAiDraft(user_id: string, draft_id: string): boolean;
}

const NOTHING_KEPT: KeptTexts = { variables: {}, privateTexts: [] };
const MAX_MESSAGES = 50;
/** Only the newest text of a long conversation counts as a source. */
const MAX_SOURCE_CHARS = 300_000;

/**
 * Applies the draft firewall (docs/ai.md, "Draft firewall") to a draft of unknown origin: what an assistant wrote may
 * follow the orders of a mail that it read. Nothing that the user keeps privately may be in it unless the conversation
 * contains it already.
 */
export class DraftReview {
  constructor(private readonly parts: DraftReviewParts) {}

  /**
   * Returns why a person should look at the draft. @param readsContext whether its author can read what the user keeps.
   * If not, and Postroom did not write the draft, it contains nothing of that, and a review would only let its author
   * find out the values by trying.
   */
  review(draft: ReviewedDraft, readsContext: boolean): Pick<Verdict, "disclosures" | "unsupported"> {
    const { conversations, kept, isAiDraft } = this.parts;
    const { user_id, thread_id, to, cc, bcc, subject, body } = draft;
    const reader = conversations.of({ user_id, account_id: null });
    const thread = thread_id === null ? [] : reader.messages(thread_id, MAX_MESSAGES);
    const said = thread.map(({ head, text }) => `${head.subject}\n${text().body_text}`).join("\n");
    const ownNames = thread.flatMap(({ myNames }) => myNames);
    const recipients = [...to, ...cc, ...bcc];
    const { variables, privateTexts } = readsContext || isAiDraft(user_id, draft.id) ? kept(user_id) : NOTHING_KEPT;
    // Names and addresses leave with the message, too. A client's own address is no secret in a message to that client.
    const isRecipient = (value: string) => recipients.some((one) => addressIn(one) === value.trim().toLowerCase());
    return judge([subject, body, ...recipients].join("\n\n"), {
      thread: said.slice(-MAX_SOURCE_CHARS),
      instructions: "",
      people: [...thread.flatMap(everyone), ...recipients, ...reader.own, ...ownNames],
      variables: Object.fromEntries(Object.entries(variables).filter(([, value]) => !isRecipient(value))),
      privateTexts,
    });
  }
}

/** Returns the address of a recipient, with or without a name. */
const addressIn = (recipient: string): string => recipient.replace(/^.*<|>\s*$/g, "").toLowerCase();
