import type { ConversationMessage } from "../../mailbox/queries/conversations.ts";

/** Returns the addresses of everyone in a message. */
export const everyone = ({ head }: ConversationMessage): string[] =>
  [head.from, ...head.reply_to, ...head.to, ...head.cc].map(({ email }) => email).filter((email) => email !== "");
