/**
 * Who confirms a send of an assistant. `ask`: the person, through the assistant's program if it can ask, otherwise on the
 * settings page. `approve`: the person, always on the settings page. `token`: no one; the assistant's second step is
 * enough.
 */
export const CONFIRM_MODES = ["ask", "approve", "token"] as const;
/** `known`: only people that the user has written to. Mail to others always needs an approval on the settings page. */
export const RECIPIENT_MODES = ["known", "anyone"] as const;

/**
 * `confirmed`: sent without an approval on the settings page, as the policy allows. `withdrawn`: by the
 * assistant, or because it lost its access. `void`: the draft was changed, sent or deleted in the meantime, or the assistant
 * asked again. `expired`: no one decided in time; stored as `waiting`.
 */
export const APPROVAL_STATES = [
  "waiting",
  "confirmed",
  "approved",
  "rejected",
  "withdrawn",
  "void",
  "expired",
] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** Why an approval cannot be decided any more. */
export const CLOSED = {
  confirmed: "This message was sent already.",
  approved: "This send was approved already.",
  rejected: "This send was rejected already.",
  withdrawn: "The assistant has withdrawn this send, or has lost its access. Nothing was sent.",
  void: "After the assistant asked, the draft was changed, sent or deleted, or the assistant asked again.",
  expired: "This approval has expired. Nothing was sent. The draft is still there.",
} as const;
