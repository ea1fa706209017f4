export type BounceAction = "failed" | "delayed" | "delivered" | "relayed" | "expanded";

export interface BounceRecipient {
  /** The address as written in the message if the report gives it, otherwise the final address. */
  address: string;
  action: BounceAction;
  /** RFC 3463, e.g. "5.1.1"; null if not reported. */
  status: string | null;
  /** The server's reply, on one line, at most 500 characters. */
  diagnostic: string | null;
}
