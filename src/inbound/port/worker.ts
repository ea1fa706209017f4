import { ApiError } from "../../kernel/errors.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import { SealBroken } from "../../platform/sealing/box.ts";
import {
  type CallFailure,
  type ContentProgress,
  type ContentRequest,
  type Endpoint,
  isPortMessage,
  MAIL_PORT,
  type ToMain,
  type ToWorker,
  UNAVAILABLE,
} from "./messages.ts";

/** The calls that the mail worker answers. */
export interface MailHandlers {
  /** Writes the bytes to a sealed file and reports progress; ends early when `signal` aborts. */
  content(request: ContentRequest, tell: (progress: ContentProgress) => void, signal: AbortSignal): Promise<void>;
  syncNow(account_id: string): void | Promise<void>;
  accountsChanged(): void | Promise<void>;
  stop(): void | Promise<void>;
}

/**
 * Answers the main thread's calls on the worker's end of the port; `MailPort` is the other end. @returns a function
 * that stops listening
 */
export function servePort(endpoint: Endpoint, log: Log, handlers: MailHandlers): () => void {
  const running = new Map<number, AbortController>();
  const perform = (message: ToWorker & { type: "call" }, signal: AbortSignal): void | Promise<void> => {
    switch (message.call) {
      case "content":
        return handlers.content(message.args, (progress) => send(message.id, progress), signal);
      case "syncNow":
        return handlers.syncNow(message.args);
      case "accountsChanged":
        return handlers.accountsChanged();
      case "stop":
        return handlers.stop();
    }
  };
  const send = (id: number, body: ContentProgress | { type: "done" } | CallFailure) => {
    endpoint.postMessage({ port: MAIL_PORT, id, ...body } satisfies ToMain);
  };
  const answer = async (message: ToWorker & { type: "call" }) => {
    const abort = new AbortController();
    running.set(message.id, abort);
    try {
      await perform(message, abort.signal);
      send(message.id, { type: "done" });
    } catch (error) {
      if (!(error instanceof ApiError) && !abort.signal.aborted) {
        log.warn("a request of the main thread failed", { call: message.call, ...errorFields(error) });
      }
      send(message.id, failure(error));
    } finally {
      running.delete(message.id);
    }
  };
  const listener = ({ data }: MessageEvent) => {
    if (!isPortMessage(data)) return;
    const message = data as ToWorker;
    if (message.type === "cancel") running.get(message.id)?.abort();
    else void answer(message);
  };
  endpoint.addEventListener("message", listener);
  return () => endpoint.removeEventListener("message", listener);
}

/** Returns what is passed of an error to the other thread: a code and a public message. */
function failure(error: unknown): CallFailure {
  if (error instanceof ApiError) return { type: "failed", code: error.code, message: error.message };
  if (isDiskFull(error)) {
    return { type: "failed", code: "storage_full", message: "This machine's disk is full." };
  }
  if (error instanceof SealBroken)
    return { type: "failed", code: "internal_error", message: "A stored file is damaged." };
  return { type: "failed", code: "provider_unavailable", message: UNAVAILABLE };
}
