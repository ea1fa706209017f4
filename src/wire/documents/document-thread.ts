import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { DOCUMENT_BOUNDS } from "./bounds.ts";
import type { DocumentReply, DocumentRequest } from "./document-worker.ts";

/** Idle time after which the thread ends, because it holds some 40 MB. */
const IDLE_MS = 15_000;
const MEMORY_CHECK_MS = 100;

/** The part of a Worker that is used here. */
export type DocumentWorker = Pick<Worker, "postMessage" | "terminate" | "addEventListener"> & {
  /** The thread keeps the process alive only while it reads a document (Bun's Worker). */
  ref?(): void;
  unref?(): void;
};

interface Parts {
  start: () => DocumentWorker;
  clock: Clock;
  /** Resident memory of the process, bytes. */
  memory: () => number;
}

/**
 * Reads PDF and DOCX on a separate thread, one after another. A file that takes too much time or memory ends its
 * thread, never the process; the next file gets a new thread.
 */
export class DocumentThread {
  #worker: DocumentWorker | null = null;
  #settle: ((text: string | null) => void) | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #id = 0;
  #stopIdle: CancelTimer = () => {};

  constructor(private readonly parts: Parts) {}

  /** Returns the text, or null when it could not be read within the limits. Never rejects. `bytes` are copied. */
  read(kind: DocumentRequest["kind"], bytes: Uint8Array): Promise<string | null> {
    const result = this.#queue.then(() => this.#readNow(kind, bytes));
    this.#queue = result;
    return result;
  }

  #readNow(kind: DocumentRequest["kind"], bytes: Uint8Array): Promise<string | null> {
    this.#stopIdle();
    const { clock, memory } = this.parts;
    const before = memory();
    return new Promise((resolve) => {
      const stopTime = clock.after(DOCUMENT_BOUNDS.timeMs, () => this.#giveUp());
      const stopMemory = this.#watchMemory();
      this.#settle = (text) => {
        this.#settle = null;
        stopTime();
        stopMemory();
        this.#worker?.unref?.();
        // A large document leaves a large heap, which is only released when its thread ends.
        if (memory() - before > DOCUMENT_BOUNDS.keptBytes) this.#giveUp();
        else this.#stopIdle = clock.after(IDLE_MS, () => this.#giveUp());
        resolve(text);
      };
      this.#send({ id: ++this.#id, kind, bytes: new Uint8Array(bytes) });
    });
  }

  #watchMemory(): CancelTimer {
    const { clock, memory } = this.parts;
    const most = memory() + DOCUMENT_BOUNDS.memoryBytes;
    let stop: CancelTimer;
    const check = () => {
      if (memory() > most) this.#giveUp();
      else stop = clock.after(MEMORY_CHECK_MS, check);
    };
    stop = clock.after(MEMORY_CHECK_MS, check);
    return () => stop();
  }

  #send(request: DocumentRequest): void {
    try {
      this.#worker ??= this.#begin();
      this.#worker.ref?.();
      this.#worker.postMessage(request, [request.bytes.buffer as ArrayBuffer]);
    } catch {
      this.#giveUp();
    }
  }

  #begin(): DocumentWorker {
    const worker = this.parts.start();
    worker.addEventListener("message", ({ data }: MessageEvent<DocumentReply>) => {
      if (worker === this.#worker && data.id === this.#id) this.#settle?.(data.text);
    });
    const lost = () => {
      if (worker === this.#worker) this.#giveUp();
    };
    worker.addEventListener("error", lost);
    worker.addEventListener("close", lost);
    return worker;
  }

  #giveUp(): void {
    const worker = this.#worker;
    this.#worker = null;
    worker?.terminate();
    this.#settle?.(null);
  }
}
