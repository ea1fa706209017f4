import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import type { DocumentTerms } from "../../mailbox/search/documents.ts";
import { type Excerpt, excerptOf, fromExcerpt } from "../../mailbox/store/excerpt.ts";
import type { IncomingContents } from "../../mailbox/store/incoming.ts";
import { errorFields, type Log } from "../../platform/log.ts";
import { type RawContents, type Read, type ReadAll, readOnThisThread } from "./parsed-message.ts";

/**
 * Message to the parse worker: a list of messages to read. Whole sources are concatenated in `packed` and appear in
 * `list` as their length, because transferring one buffer is cheaper than hundreds.
 */
export interface ToParser {
  id: number;
  packed: Uint8Array;
  list: (number | RawContents)[];
  /** Shared memory, see `isCancelled`. */
  cancelled: Int32Array;
}

/** Reply of the parse worker: the contents in the same order, with each text as a part of the one before it. */
export interface FromParser {
  id: number;
  read: {
    contents: Omit<IncomingContents, "bodyText" | "newText">;
    bodyText: Excerpt;
    newText: Excerpt;
    terms?: DocumentTerms;
    fault: Read["fault"];
  }[];
}

/** The part of a Worker that is used here. */
export type ParserWorker = Pick<Worker, "postMessage" | "terminate" | "addEventListener">;

/** If more lists are waiting, some that are no longer wanted are read in vain. */
const CANCELLED_IDS = 256;

/** The thread ends after being idle for this long, because it holds some 40 MB. */
const IDLE_MS = 15_000;

interface Pending {
  resolve: (read: Read[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Parses messages on a separate thread while this one fetches and stores, which cuts the time to read history by a
 * quarter. The thread starts with the first list and ends when idle. If it fails, this thread parses.
 */
export class ParseThread {
  #worker: ParserWorker | null = null;
  #pending = new Map<number, Pending>();
  /** Ids of lists that are no longer wanted, each at the position of its remainder. */
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(4 * CANCELLED_IDS));
  #next = 1;
  #stopIdle: CancelTimer = () => {};

  constructor(
    private readonly start: () => ParserWorker,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  /** Reads on the thread. An empty list only starts it. */
  readonly read: ReadAll = async (list, signal) => {
    this.#stopIdle();
    try {
      this.#worker ??= this.#begin();
      return list.length === 0 ? [] : await this.#ask(this.#worker, list, signal);
    } catch (error) {
      if (signal?.aborted) throw error;
      this.log.warn("messages are read without the parse thread", errorFields(error));
      return await readOnThisThread(list);
    } finally {
      this.#stopIdle();
      if (this.#pending.size === 0) this.#stopIdle = this.clock.after(IDLE_MS, () => this.close());
    }
  };

  /** Ends the thread. Lists in progress are read on this thread. */
  close(): void {
    this.#stopIdle();
    this.#fail(this.#worker, new Error("The parse thread was closed."));
  }

  async #ask(worker: ParserWorker, list: readonly RawContents[], signal?: AbortSignal): Promise<Read[]> {
    signal?.throwIfAborted();
    const id = this.#next++;
    const message = { ...pack(list), id, cancelled: this.#cancelled };
    const { promise, resolve, reject } = Promise.withResolvers<Read[]>();
    this.#pending.set(id, { resolve, reject });
    const cancel = () => {
      Atomics.store(this.#cancelled, id % CANCELLED_IDS, id);
      this.#pending.delete(id);
      reject(signal!.reason);
    };
    signal?.addEventListener("abort", cancel);
    try {
      worker.postMessage(message, [message.packed.buffer as ArrayBuffer]);
      return await promise;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  #begin(): ParserWorker {
    const worker = this.start();
    worker.addEventListener("message", ({ data }: MessageEvent<FromParser>) => {
      this.#pending.get(data.id)?.resolve(data.read.map(whole));
      this.#pending.delete(data.id);
    });
    worker.addEventListener("error", (event) => this.#fail(worker, new Error(event.message)));
    worker.addEventListener("close", () => this.#fail(worker, new Error("The parse thread ended.")));
    return worker;
  }

  #fail(worker: ParserWorker | null, error: Error): void {
    if (worker === null || this.#worker !== worker) return;
    this.#worker = null;
    worker.terminate();
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}

/** Returns whether a list is no longer wanted, so that the thread need not read it. */
export function isCancelled({ id, cancelled }: Pick<ToParser, "id" | "cancelled">): boolean {
  return Atomics.load(cancelled, id % CANCELLED_IDS) === id;
}

function pack(list: readonly RawContents[]): Pick<ToParser, "packed" | "list"> {
  const total = list.reduce((sum, raw) => sum + ("source" in raw && !raw.cut ? raw.source.length : 0), 0);
  const packed = new Uint8Array(total);
  let at = 0;
  const entries = list.map((raw) => {
    if (!("source" in raw) || raw.cut) return raw;
    packed.set(raw.source, at);
    at += raw.source.length;
    return raw.source.length;
  });
  return { packed, list: entries };
}

/** Returns the list as it was before it was packed. */
export function unpack({ packed, list }: Pick<ToParser, "packed" | "list">): RawContents[] {
  let at = 0;
  return list.map((entry) => {
    if (typeof entry !== "number") return entry;
    at += entry;
    return { source: packed.subarray(at - entry, at) };
  });
}

/** Replaces each text by its position in the one before it. Otherwise nearly every text would be copied three times. */
export function packTexts({ contents: { bodyText, newText, ...contents }, ...rest }: Read): FromParser["read"][number] {
  return { contents, bodyText: excerptOf(contents.text, bodyText), newText: excerptOf(bodyText, newText), ...rest };
}

function whole({ contents, bodyText: body, newText, ...rest }: FromParser["read"][number]): Read {
  const bodyText = fromExcerpt(contents.text, body);
  return { contents: { ...contents, bodyText, newText: fromExcerpt(bodyText, newText) }, ...rest };
}
