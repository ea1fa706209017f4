import type { ModelFault, ModelFaultKind } from "../../ml/language-model/faults.ts";

/** Faults of the server and not of what it was asked: the next question would fare no better. */
const AWAY: ReadonlySet<ModelFaultKind> = new Set<ModelFaultKind>([
  "not_allowed",
  "unreachable",
  "timeout",
  "busy",
  "server_error",
  "refused",
  "protocol",
]);

/**
 * For a run of many drafts that nobody waits for at a screen: a model that once did not answer is not asked again before the run is over
 * (circuit breaker), or each draft would wait as long as the first.
 */
export class Breaker {
  #reason: string | null = null;

  /** Why the model is not asked any more, in a sentence; null: it is. */
  get reason(): string | null {
    return this.#reason;
  }

  note({ kind, message }: ModelFault): void {
    if (AWAY.has(kind))
      this.#reason ??= `The model was not called again after an earlier draft of this run failed: ${message}`;
  }
}
