import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { EgressFault } from "../egress/faults.ts";
import type { StoreAction, StoreCallRecorder } from "../ledger/store-calls.ts";
import { ATTEMPTS, FIRST_PAUSE_MS, pause, pauseAfter } from "./pause.ts";
import { sftpText } from "./place.ts";
import { SftpConnection } from "./sftp-connection.ts";
import { SftpFiles } from "./sftp-files.ts";
import type { SshOptions } from "./sftp-handshake.ts";
import { StoreFault } from "./store.ts";

export interface SftpOptions extends SshOptions {
  clock: Clock;
  /** Records each operation before it leaves; null when there is no database. */
  calls: StoreCallRecorder | null;
  /** First pause before another attempt, ms. */
  pauseMs?: number;
  /** For callers that cannot wait long: how often an operation is tried. */
  patience?: { attempts: number };
  signal?: AbortSignal;
}

/** An idle connection is closed, because routers forget it silently. */
const IDLE_MS = 30_000;

/** What an operation received, for the records. */
export interface Received {
  bytes: number;
}

/** Runs operations over one connection, which is opened when it is needed, and repeats them after a fault of it. */
export class SftpClient {
  readonly place: string;
  #opening: Promise<SftpFiles> | null = null;
  #running = 0;
  #cancelIdle: CancelTimer = () => {};
  readonly #stop = new AbortController();

  constructor(private readonly options: SftpOptions) {
    this.place = sftpText(options.place);
    const { signal } = options;
    if (signal?.aborted) this.#abort();
    signal?.addEventListener("abort", this.#abort, { once: true });
  }

  /** @param work is repeated if the connection breaks, so that its answer can be lost @throws StoreFault */
  async run<T>(
    call: { action: StoreAction; bytes_out?: number },
    work: (files: SftpFiles, received: Received) => Promise<T>,
  ): Promise<T> {
    const { clock, signal, pauseMs = FIRST_PAUSE_MS, patience } = this.options;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#attempt(call, work);
      } catch (error) {
        if (!(error instanceof EgressFault)) throw error;
        const { reason, message } = error;
        if (reason === "refused" || reason === "aborted" || attempt >= (patience?.attempts ?? ATTEMPTS)) {
          const kind = reason === "refused" ? "refused" : "unavailable";
          const setting = reason === "aborted" ? null : "backup.to";
          throw new StoreFault(kind, `${this.place} cannot be reached: ${message}.`, error, setting);
        }
      }
      await pause(clock, pauseAfter(attempt, pauseMs), signal);
    }
  }

  close(): void {
    this.options.signal?.removeEventListener("abort", this.#abort);
    this.#disconnect();
  }

  async #attempt<T>(
    { action, bytes_out = 0 }: { action: StoreAction; bytes_out?: number },
    work: (files: SftpFiles, received: Received) => Promise<T>,
  ): Promise<T> {
    const { calls, place } = this.options;
    const end = calls?.begin({ action, host: `${place.host}:${place.port}`, bytes_out });
    const received = { bytes: 0 };
    this.#cancelIdle();
    this.#running++;
    try {
      const result = await work(await this.#files(), received);
      end?.({ result: "ok", bytes_in: received.bytes });
      return result;
    } catch (error) {
      const known = error instanceof EgressFault || error instanceof StoreFault;
      end?.({ result: known ? error.reason : "fault", bytes_in: received.bytes });
      throw error;
    } finally {
      this.#running--;
      if (this.#running === 0) this.#cancelIdle = this.options.clock.after(IDLE_MS, () => this.#disconnect());
    }
  }

  /** Operations that run at the same time share the connection. */
  async #files(): Promise<SftpFiles> {
    this.#opening ??= this.#open();
    const opening = this.#opening;
    try {
      const files = await opening;
      if (files.connection.alive) return files;
    } catch (error) {
      if (this.#opening === opening) this.#opening = null;
      throw error;
    }
    if (this.#opening === opening) this.#opening = null;
    return this.#files();
  }

  async #open(): Promise<SftpFiles> {
    const connection = await SftpConnection.open(this.options, this.#stop.signal);
    try {
      const files = new SftpFiles(connection, this.options.place.path, this.place);
      await files.check();
      return files;
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  #disconnect(): void {
    this.#cancelIdle();
    const opening = this.#opening;
    this.#opening = null;
    opening?.then(({ connection }) => connection.close()).catch(() => {});
  }

  readonly #abort = (): void => {
    const fault = new EgressFault("aborted", "the request was canceled");
    this.#stop.abort(fault);
    this.#opening?.then(({ connection }) => connection.fail(fault)).catch(() => {});
  };
}
