/** What a model is asked for. */
export type ModelPurpose = "draft" | "ask" | "summarize" | "extract" | "triage" | "probe";

/** A call that is about to be made: enough to tell afterwards what left this machine, and where to. */
export interface ModelCall {
  user_id: string;
  purpose: ModelPurpose;
  /** Host and port. */
  host: string;
  model: string;
  /** Of the request's body. */
  bytes_out: number;
  /** The messages whose text is in it. */
  message_ids: readonly string[];
}

/** How a call ended: "ok" or the kind of the fault. */
export interface ModelCallEnd {
  result: string;
  bytes_in: number;
}

/** Where calls are noted before their first byte leaves. Handed in: this room knows no tables. */
export interface EgressLedger {
  /** @returns notes the end; without it the call counts as cut off */
  begin(call: ModelCall): (end: ModelCallEnd) => void;
}
