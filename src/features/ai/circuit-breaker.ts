import type { ModelFault, ModelFaultKind } from "../../ml/language-model/faults.ts";

/** Faults of the server rather than of the request, so that the next request would fail in the same way. */
const SERVER_FAULTS: ReadonlySet<ModelFaultKind> = new Set<ModelFaultKind>([
  "not_allowed",
  "unreachable",
  "timeout",
  "busy",
  "server_error",
  "refused",
  "protocol",
]);

/**
 * Circuit breaker for a run of many drafts in the background. Once the model has failed to answer, it is not called
 * again in the same run; otherwise each draft would wait as long as the first.
 */
export class CircuitBreaker {
  #reason: string | null = null;

  /** Why the model is no longer called, as a sentence; null while it is called. */
  get reason(): string | null {
    return this.#reason;
  }

  note({ kind, message }: ModelFault): void {
    if (SERVER_FAULTS.has(kind))
      this.#reason ??= `The model was not called again after an earlier draft of this run failed: ${message}`;
  }
}
