import { ApiError } from "../kernel/errors.ts";

/**
 * - waiting: it is not known yet whether this server may act, for example because the store cannot be reached
 * - taken_over: another machine acts in its place, so that the data here is out of date
 */
type PauseReason = "waiting" | "taken_over";

/** Why a server does not act. */
export interface Pause {
  reason: PauseReason;
  /** Since when, ms. */
  since: number;
  /** For people: what happened and what to do, one or two sentences. */
  message: string;
}

const RETRY_AFTER_S = { waiting: 15, taken_over: 300 } as const satisfies Record<PauseReason, number>;

/**
 * Whether this server may change data, send mail and contact mail servers. While it may not, it only answers requests
 * that read (docs/operations.md, "Standby").
 */
export class Acting {
  #pause: Pause | null = null;
  #check: () => Pause | null = () => null;
  #begun: (() => void)[] = [];

  /** Null while the server acts. */
  get pause(): Pause | null {
    return this.#pause;
  }

  /** Pauses, or resumes with null. */
  set(pause: Pause | null): void {
    this.#pause = pause;
    if (pause === null) for (const begun of this.#begun.splice(0)) begun();
  }

  /** Resolves as soon as the server acts; at once if it does. */
  begun(): Promise<void> {
    return this.#pause === null ? Promise.resolve() : new Promise((resolve) => this.#begun.push(resolve));
  }

  /**
   * Sets what is asked before each change, besides the pause. After a standstill of the whole process, requests are
   * answered before anything can report that the server must pause.
   */
  setCheck(check: () => Pause | null): void {
    this.#check = check;
  }

  /** @throws ApiError server_paused while the server does not act */
  require(): void {
    const pause = this.#pause ?? this.#check();
    if (pause) throw pausedError(pause);
  }
}

function pausedError({ reason, message }: Pause): ApiError {
  return new ApiError("server_paused", message, { retryAfterS: RETRY_AFTER_S[reason] });
}

/** Permission for what cannot be repeated: to hand a message to a mail server. */
export interface SendPermit {
  /**
   * Resolves when another machine that takes over would have everything that was committed before the call. Resolves at
   * once if no other machine may take over. @throws Error with a sentence if that is not possible now
   */
  flushed(): Promise<void>;
  /** Returns whether this server may act at this moment. Other than `Acting`, it needs no message to arrive first. */
  mayAct(): boolean;
}

/** For a server that no other machine may take over. */
export const ALWAYS_PERMITTED: SendPermit = { flushed: () => Promise.resolve(), mayAct: () => true };
