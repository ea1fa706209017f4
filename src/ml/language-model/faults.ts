/** Why a language model gave no usable answer. */
export type ModelFaultKind =
  /** The host is not among those that mail text may go to. Nothing was sent. */
  | "not_allowed"
  /** The request is longer than the model takes. Nothing was sent. */
  | "too_long"
  | "cancelled"
  | "unreachable"
  | "timeout"
  /** 429. */
  | "busy"
  /** 5xx. */
  | "server_error"
  /** Any other answer that is no success: a wrong key, an unknown model, a redirect. */
  | "refused"
  /** The answer is not what the protocol says. */
  | "protocol"
  /** The answer is longer than any that was asked for. */
  | "too_large"
  /** The text of the answer is not the JSON that was asked for. */
  | "not_as_asked";

/** A call that failed. The message names no mail content and no key; what the server said stays out of it. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";

  constructor(
    readonly kind: ModelFaultKind,
    message: string,
    /** Seconds after which the server wants to be asked again. */
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }

  /** True for what may pass by itself. */
  get passing(): boolean {
    return this.kind === "busy" || this.kind === "server_error" || this.kind === "unreachable";
  }
}
