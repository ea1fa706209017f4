import { type Authentication, UNKNOWN } from "../../kernel/authentication.ts";
import type { MessageEnvelope } from "../store/envelope.ts";

/** Returns the sender's authentication; unknown for drafts and for mail without a trusted header. */
export function viewAuthentication(head: MessageEnvelope, draft: boolean): Authentication {
  return draft || head.authentication === undefined ? UNKNOWN : head.authentication;
}
