/** Why a language model returned no usable answer. */
export type ModelFaultKind =
  /** The host may not receive mail text. Nothing was sent. */
  | "not_allowed"
  /** The request is longer than the model's context. Nothing was sent. */
  | "too_long"
  | "cancelled"
  | "unreachable"
  | "timeout"
  /** 429. */
  | "busy"
  /** 5xx. */
  | "server_error"
  /** Any other unsuccessful response: a wrong key, an unknown model, a redirect. */
  | "refused"
  /** The response violates the protocol. */
  | "protocol"
  /** The answer is longer than requested. */
  | "too_large"
  /** The text of the answer is not the requested JSON. */
  | "not_as_asked"
  /** The answer says or quotes what the mail does not contain. */
  | "unsupported";

/** A failed call. The message contains no mail content, no key and no text from the server. */
export class ModelFault extends Error {
  override readonly name = "ModelFault";

  constructor(
    readonly kind: ModelFaultKind,
    message: string,
    /** Seconds after which the server accepts another request. */
    readonly retryAfterS: number | null = null,
  ) {
    super(message);
  }

  /** True for temporary faults. */
  get passing(): boolean {
    return this.kind === "busy" || this.kind === "server_error" || this.kind === "unreachable";
  }
}
