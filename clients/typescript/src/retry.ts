import { PostroomError, retryAfter } from "./errors.ts";

export interface RetryOptions {
  /** Number of retries of a request; 4 by default, 0 for none. */
  retries?: number;
  /** Longest wait before one retry, seconds; 60 by default. If the server asks for more, its answer is returned. */
  longest_wait_s?: number;
  /** Timeout of one attempt, seconds; 60 by default. */
  timeout_s?: number;
  fetch?: (request: Request) => Promise<Response>;
  /** For tests. */
  sleep?: (ms: number) => Promise<void>;
  /** 0–1, for tests. */
  random?: () => number;
}

const FIRST_WAIT_MS = 500;
/** Too many requests, and the statuses of a server, or a proxy in front of it, that is temporarily unavailable. */
const PASSING = new Set([429, 500, 502, 503, 504]);
const IDEMPOTENT = new Set(["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]);

/**
 * A fetch that retries temporary failures: no answer, or one of `PASSING`. A request that is not idempotent is repeated
 * only with an Idempotency-Key, because otherwise no one could know whether the first one was executed.
 */
export function retryingFetch(options: RetryOptions = {}): (request: Request) => Promise<Response> {
  const { retries = 4, longest_wait_s = 60, timeout_s = 60, random = Math.random } = options;
  const send = options.fetch ?? ((request) => fetch(request));
  const sleep = options.sleep ?? ((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)));

  return async (request) => {
    const repeatable = IDEMPOTENT.has(request.method) || request.headers.has("idempotency-key");
    const most = repeatable ? retries : 0;
    for (let attempt = 0; ; attempt++) {
      const timeout = AbortSignal.timeout(timeout_s * 1000);
      const signal = AbortSignal.any([request.signal, timeout]);
      let response: Response | null = null;
      try {
        // The API does not redirect; a redirecting proxy must not receive the key, nor turn a change into a GET.
        response = await send(new Request(request.clone(), { signal, redirect: "manual" }));
        if (attempt >= most || !(await isPassing(response))) return response;
      } catch (cause) {
        if (request.signal.aborted || attempt >= most) {
          const message = timeout.aborted ? "The server did not answer in time." : "The server could not be reached.";
          throw new PostroomError({ code: "network", message, status: 0, cause });
        }
      }
      const asked_s = response && retryAfter(response.headers);
      if (response && asked_s !== null && asked_s > longest_wait_s) return response;
      await response?.body?.cancel();
      const own_ms = Math.min(FIRST_WAIT_MS * 2 ** attempt, longest_wait_s * 1000) * (0.5 + random() / 2);
      await sleep(asked_s === null ? own_ms : asked_s * 1000);
    }
  };
}

/** An earlier request with the same key that still runs is temporary as well. */
async function isPassing(response: Response): Promise<boolean> {
  if (PASSING.has(response.status)) return true;
  if (response.status !== 409) return false;
  const text = await response.clone().text();
  return text.includes('"idempotency_in_progress"');
}
