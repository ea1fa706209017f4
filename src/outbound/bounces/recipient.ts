export type BounceAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded";

export interface BounceRecipient {
  /** As it was written in the message, where the report tells; else where it ended up. */
  address: string;
  action: BounceAction;
  /** RFC 3463, e.g. "5.1.1"; null when not told. */
  status: string | null;
  /** The server's words, on one line, at most 500 characters. */
  diagnostic: string | null;
}
