import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { ApiError } from "../../kernel/errors.ts";
import type { AttachmentSizes } from "../../mailbox/store/attachment-sizes.ts";
import type { AttachmentRef, Content, ContentSource, RawRef } from "../../mailbox/store/content-source.ts";
import type { PartCache } from "../../platform/blobs/cache.ts";
import { ContentDownload } from "./download.ts";
import {
  blobOf,
  type CallName,
  type Calls,
  type ContentRequest,
  type Endpoint,
  isPortMessage,
  MAIL_PORT,
  type ToMain,
  type ToWorker,
  UNAVAILABLE,
} from "./messages.ts";

export interface PortTimeouts {
  /** Maximum wait of a call for a worker that is starting, ms. */
  startMs: number;
  /** How long the worker may take until its first response to a call, ms. Longer than the timeout of a connect. */
  firstMs: number;
  /** The longest silence in the middle of a download, ms. */
  quietMs: number;
  /** Maximum duration of `stop`, ms. */
  stopMs: number;
}

const TIMEOUTS: PortTimeouts = { startMs: 5_000, firstMs: 30_000, quietMs: 60_000, stopMs: 30_000 };

interface Pending {
  take(message: ToMain): void;
  fail(error: ApiError): void;
}

/**
 * The main thread's end of the port to the mail worker. Stored content is served without the worker. Other content is
 * fetched once, however many readers ask at the same time, into a sealed file that they read while it grows.
 */
export class MailPort implements ContentSource {
  readonly #parts: PartCache;
  readonly #sizes: Pick<AttachmentSizes, "note"> | undefined;
  readonly #clock: Clock;
  readonly #timeouts: PortTimeouts;
  readonly #pending = new Map<number, Pending>();
  readonly #downloads = new Map<string, ContentDownload>();
  /** Calls that wait for a worker: just after a start, or after a worker has failed. */
  readonly #unsent = new Map<number, { message: ToWorker; stopTimer: CancelTimer }>();
  #endpoint: Endpoint | null = null;
  #lastId = 0;

  /** @param options.sizes records exact sizes of content that was stored before its size was known */
  constructor(options: {
    platform: { clock: Clock };
    parts: PartCache;
    sizes?: Pick<AttachmentSizes, "note">;
    timeouts?: Partial<PortTimeouts>;
  }) {
    this.#parts = options.parts;
    this.#sizes = options.sizes;
    this.#clock = options.platform.clock;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
  }

  /** Uses this worker from now on. */
  connect(endpoint: Endpoint): void {
    this.disconnect();
    this.#endpoint = endpoint;
    endpoint.addEventListener("message", this.#listener);
    for (const [id, { message }] of [...this.#unsent]) {
      this.#unpost(id);
      endpoint.postMessage(message);
    }
  }

  /** Fails all open calls, because the worker is gone. */
  disconnect(): void {
    this.#endpoint?.removeEventListener("message", this.#listener);
    this.#endpoint = null;
    for (const [id, pending] of [...this.#pending]) if (!this.#unsent.has(id)) pending.fail(unavailable());
  }

  /** Returns the bytes of an attachment. @param signal ends the wait for the first bytes */
  attachment(ref: AttachmentRef, signal?: AbortSignal): Promise<Content> {
    return this.#content({ kind: "attachment", ref }, signal);
  }

  /** Returns the source of a message. @param signal ends the wait for the first bytes */
  raw(ref: RawRef, signal?: AbortSignal): Promise<Content> {
    return this.#content({ kind: "raw", ref }, signal);
  }

  /** Asks the worker to sync an account immediately. */
  syncNow(account_id: string): Promise<void> {
    return this.#call("syncNow", account_id, this.#timeouts.firstMs);
  }

  /** Notifies the worker that accounts were added, changed, paused or removed. */
  accountsChanged(): Promise<void> {
    return this.#call("accountsChanged", null, this.#timeouts.firstMs);
  }

  /** Stops the worker; resolves when its last batch is committed. */
  async stop(): Promise<void> {
    if (this.#endpoint) return this.#call("stop", null, this.#timeouts.stopMs);
    for (const id of [...this.#unsent.keys()]) {
      this.#unpost(id);
      this.#pending.get(id)?.fail(unavailable());
    }
  }

  async #content(request: ContentRequest, signal: AbortSignal | undefined): Promise<Content> {
    const name = blobOf(request);
    const key = `${name.message_id}:${name.part}`;
    const running = this.#downloads.get(key);
    if (running) return running.content(signal);
    const here = await this.#parts.open(name);
    if (here) {
      if (request.kind === "attachment" && request.ref.size_estimated) this.#sizes?.note(request.ref, here.size);
      return here;
    }
    const download = this.#downloads.get(key) ?? this.#download(key, request);
    return download.content(signal);
  }

  #download(key: string, request: ContentRequest): ContentDownload {
    const name = blobOf(request);
    const id = ++this.#lastId;
    let alarm: CancelTimer = () => {};
    const leave = () => {
      if (this.#downloads.get(key) === download) this.#downloads.delete(key);
    };
    const end = () => {
      alarm();
      this.#pending.delete(id);
      leave();
    };
    const watch = (ms: number) => {
      alarm();
      alarm = this.#clock.after(ms, () => {
        this.#cancel(id);
        end();
        download.fail(unavailable());
      });
    };
    const download = new ContentDownload(this.#parts.files, name, () => {
      end();
      this.#cancel(id);
    });
    this.#downloads.set(key, download);
    this.#pending.set(id, {
      take: (message) => {
        if (message.type === "failed") {
          end();
          download.fail(new ApiError(message.code, message.message));
        } else if (message.type === "done") {
          end();
          // Without a size the bytes never began to arrive.
          if (download.size === null) download.fail(unavailable());
        } else {
          watch(this.#timeouts.quietMs);
          if (message.type === "complete") {
            // From now on it is read from disk, where damage is found and removed; the worker may report "done" much
            // later.
            leave();
            this.#parts.added(name);
          }
          download.progress(message);
        }
      },
      fail: (error) => {
        end();
        download.fail(error);
      },
    });
    watch(this.#timeouts.firstMs);
    this.#post(id, "content", request);
    return download;
  }

  #call<K extends CallName>(call: K, args: Calls[K], timeoutMs: number): Promise<void> {
    const id = ++this.#lastId;
    return new Promise<void>((resolve, reject) => {
      const end = () => {
        alarm();
        this.#pending.delete(id);
      };
      const fail = (error: ApiError) => {
        end();
        reject(error);
      };
      const alarm = this.#clock.after(timeoutMs, () => fail(unavailable()));
      this.#pending.set(id, {
        take: (message) => {
          if (message.type === "failed") return fail(new ApiError(message.code, message.message));
          end();
          resolve();
        },
        fail,
      });
      this.#post(id, call, args);
    });
  }

  #post<K extends CallName>(id: number, call: K, args: Calls[K]): void {
    const message = { port: MAIL_PORT, id, type: "call", call, args } as ToWorker;
    if (this.#endpoint) {
      this.#endpoint.postMessage(message);
      return;
    }
    const stopTimer = this.#clock.after(this.#timeouts.startMs, () => {
      this.#unpost(id);
      this.#pending.get(id)?.fail(unavailable());
    });
    this.#unsent.set(id, { message, stopTimer });
  }

  /** Withdraws a call that was not sent. @returns whether the call was still waiting for a worker */
  #unpost(id: number): boolean {
    this.#unsent.get(id)?.stopTimer();
    return this.#unsent.delete(id);
  }

  #cancel(id: number): void {
    if (!this.#unpost(id)) this.#endpoint?.postMessage({ port: MAIL_PORT, id, type: "cancel" });
  }

  readonly #listener = ({ data }: MessageEvent): void => {
    if (!isPortMessage(data)) return;
    const message = data as ToMain;
    this.#pending.get(message.id)?.take(message);
  };
}

function unavailable(): ApiError {
  return new ApiError("provider_unavailable", UNAVAILABLE);
}
