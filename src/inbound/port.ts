import type { CancelTimer, Clock } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { AttachmentRef, Content, ContentSource, RawRef } from "../mailbox/content.ts";
import type { PartCache } from "../platform/blobs/cache.ts";
import { ContentDownload } from "./port-download.ts";
import {
  blobOf,
  type CallName,
  type Calls,
  type ContentRequest,
  type Endpoint,
  isPortMessage,
  MAIL_PORT,
  type ToMain,
  UNAVAILABLE,
} from "./port-messages.ts";

export interface PortTimeouts {
  /** How long the worker may take until the first sign of life of a call, ms: a connect that times out fits in. */
  first_ms: number;
  /** The longest silence in the middle of a download, ms. */
  quiet_ms: number;
  /** How long `stop` may take, ms. */
  stop_ms: number;
}

const TIMEOUTS: PortTimeouts = { first_ms: 30_000, quiet_ms: 60_000, stop_ms: 30_000 };

interface Pending {
  take(message: ToMain): void;
  fail(error: ApiError): void;
}

/**
 * The main thread's end of the port to the mail worker. Content that is here is served without the worker; what has to be
 * fetched is fetched once, however many ask for it at the same time, into a sealed file that they read while it grows.
 */
export class MailPort implements ContentSource {
  readonly #parts: PartCache;
  readonly #clock: Clock;
  readonly #timeouts: PortTimeouts;
  readonly #pending = new Map<number, Pending>();
  readonly #downloads = new Map<string, ContentDownload>();
  #endpoint: Endpoint | null = null;
  #last_id = 0;

  constructor(options: { platform: { clock: Clock }; parts: PartCache; timeouts?: Partial<PortTimeouts> }) {
    this.#parts = options.parts;
    this.#clock = options.platform.clock;
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
  }

  /** Talks to this worker from now on. */
  connect(endpoint: Endpoint): void {
    this.disconnect();
    this.#endpoint = endpoint;
    endpoint.addEventListener("message", this.#listener);
  }

  /** The worker is gone: whatever waits for it fails. */
  disconnect(): void {
    this.#endpoint?.removeEventListener("message", this.#listener);
    this.#endpoint = null;
    for (const pending of [...this.#pending.values()]) pending.fail(unavailable());
  }

  /** @param signal gives up waiting for the bytes to begin */
  attachment(ref: AttachmentRef, signal?: AbortSignal): Promise<Content> {
    return this.#content({ kind: "attachment", ref }, signal);
  }

  /** @param signal gives up waiting for the bytes to begin */
  raw(ref: RawRef, signal?: AbortSignal): Promise<Content> {
    return this.#content({ kind: "raw", ref }, signal);
  }

  /** Has the worker look at an account at once. */
  syncNow(account_id: string): Promise<void> {
    return this.#call("syncNow", account_id, this.#timeouts.first_ms);
  }

  /** Tells the worker that accounts were added, changed, paused or removed. */
  accountsChanged(): Promise<void> {
    return this.#call("accountsChanged", null, this.#timeouts.first_ms);
  }

  /** Ends the worker's work; resolves when its last batch is committed. */
  stop(): Promise<void> {
    return this.#call("stop", null, this.#timeouts.stop_ms);
  }

  async #content(request: ContentRequest, signal: AbortSignal | undefined): Promise<Content> {
    const name = blobOf(request);
    const key = `${name.message_id}:${name.part}`;
    const running = this.#downloads.get(key);
    if (running) return running.content(signal);
    const here = await this.#parts.open(name);
    if (here) return here;
    const download = this.#downloads.get(key) ?? this.#download(key, request);
    return download.content(signal);
  }

  #download(key: string, request: ContentRequest): ContentDownload {
    const name = blobOf(request);
    const id = ++this.#last_id;
    let alarm: CancelTimer = () => {};
    const end = () => {
      alarm();
      this.#pending.delete(id);
      if (this.#downloads.get(key) === download) this.#downloads.delete(key);
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
          // Without a size the bytes never came.
          if (download.size === null) download.fail(unavailable());
        } else {
          watch(this.#timeouts.quiet_ms);
          if (message.type === "complete") this.#parts.added(name);
          download.progress(message);
        }
      },
      fail: (error) => {
        end();
        download.fail(error);
      },
    });
    watch(this.#timeouts.first_ms);
    this.#post(id, "content", request);
    return download;
  }

  #call<K extends CallName>(call: K, args: Calls[K], timeout_ms: number): Promise<void> {
    const id = ++this.#last_id;
    return new Promise<void>((resolve, reject) => {
      const end = () => {
        alarm();
        this.#pending.delete(id);
      };
      const fail = (error: ApiError) => {
        end();
        reject(error);
      };
      const alarm = this.#clock.after(timeout_ms, () => fail(unavailable()));
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
    if (this.#endpoint) this.#endpoint.postMessage({ port: MAIL_PORT, id, type: "call", call, args });
    else this.#pending.get(id)?.fail(unavailable());
  }

  #cancel(id: number): void {
    this.#endpoint?.postMessage({ port: MAIL_PORT, id, type: "cancel" });
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
