import type { Clock } from "../../kernel/clock.ts";
import { directly } from "../../platform/egress/directly.ts";
import { ModelFault } from "./faults.ts";
import { readAnswer } from "./protocol.ts";

export interface ModelHttpRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Time that is left for the call, ms. */
  timeoutMs: number;
  /** Time limit of the call with its repetitions, seconds. */
  limitSeconds: number;
  maxBytes: number;
  signal?: AbortSignal;
  onText?: (piece: string) => void;
}

/** The server does not support an option of the request. */
export class OptionRefused extends ModelFault {
  constructor() {
    super("refused", "The model's server refuses the request (400).");
  }
}

/**
 * Sends one request and returns its answer. Redirects are refused, because they could send mail to a host that was not
 * allowed.
 * @param counted receives the number of bytes read so far, even when the call fails
 * @throws ModelFault
 */
export async function sendModelRequest(
  clock: Clock,
  call: ModelHttpRequest,
  counted: (bytes: number) => void,
): Promise<string> {
  const abort = new AbortController();
  let why: ModelFault | null = null;
  const stop = (fault: ModelFault) => {
    why ??= fault;
    abort.abort(why);
  };
  const onCancel = () => stop(new ModelFault("cancelled", "The call was cancelled."));
  if (call.signal?.aborted) onCancel();
  call.signal?.addEventListener("abort", onCancel, { once: true });
  const cancelTimer = clock.after(call.timeoutMs, () =>
    stop(new ModelFault("timeout", `The model did not answer within ${call.limitSeconds} s (ai.timeout_seconds).`)),
  );
  try {
    const response = await fetch(call.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "text/event-stream, application/json", ...call.headers },
      body: call.body,
      redirect: "manual",
      ...directly(call.url),
      signal: abort.signal,
    });
    if (!response.ok) {
      void response.body?.cancel().catch(() => {});
      throw faultOf(response);
    }
    const chunks = bounded(response.body, call.maxBytes, counted);
    return await readAnswer(response.headers.get("content-type") ?? "", chunks, call.maxBytes, call.onText);
  } catch (error) {
    if (why) throw why;
    if (error instanceof ModelFault) throw error;
    throw new ModelFault("unreachable", `The model's server at ${call.url.host} could not be reached.`);
  } finally {
    cancelTimer();
    call.signal?.removeEventListener("abort", onCancel);
    abort.abort();
  }
}

async function* bounded(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  onBytes: (total: number) => void,
): AsyncGenerator<Uint8Array> {
  if (!body) return;
  let total = 0;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      total += value.length;
      onBytes(total);
      if (total > most) throw new ModelFault("too_large", "The model's answer does not end.");
      yield value;
    }
  } finally {
    void reader.cancel().catch(() => {});
  }
}

function faultOf({ status, headers }: Response): ModelFault {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const retryAfterS = Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
  if (status === 429) return new ModelFault("busy", "The model's server is busy (429).", retryAfterS);
  if (status >= 500) return new ModelFault("server_error", `The model's server failed (${status}).`, retryAfterS);
  if (status === 400 || status === 422) return new OptionRefused();
  return new ModelFault("refused", `The model's server refuses the request (${status}).`);
}
