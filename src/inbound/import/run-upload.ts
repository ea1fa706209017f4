import { UserError } from "../../kernel/errors.ts";
import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { ImportProgress, ImportStore, UploadedImport } from "../../mailbox/imports/store.ts";
import type { UploadFiles } from "../../mailbox/imports/upload-files.ts";
import { isDiskFull } from "../../platform/disk-full.ts";
import type { Platform } from "../../platform/platform.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import type { ImportCounts, MailImport } from "./import-mail.ts";
import type { FileMessage, ImportSource } from "./source.ts";
import { openUpload, type UploadSource } from "./upload-source.ts";

export interface RunUploadParts {
  platform: Platform;
  imports: ImportStore;
  files: UploadFiles;
  /** Returns the mailbox of an import, which is created if it is new. @throws UserError */
  account(of: UploadedImport): Account;
  createImport(account: Account, earlier: ImportCounts, stored: (counts: ImportCounts) => void): MailImport;
}

/** Space that an import leaves free: the database and the search index grow while mail arrives. */
const RESERVED_BYTES = 256 * 1024 * 1024;
/** Minimum interval between saves of the progress within a batch. */
const SAVE_EVERY_MS = 500;
const DISK_FULL =
  "The disk is full. The messages imported so far are kept. Free some space, then import the same file again.";

/** The import was canceled, or its mailbox was deleted. */
class Canceled extends Error {
  override readonly name = "Canceled";
}

export type UploadOutcome = "done" | "canceled" | "stopped";

/**
 * Imports an uploaded file, after an interruption from where it was. Call it in a worker thread.
 * @returns `stopped` if the signal ended it
 * @throws UserError with the reason, if the file cannot be imported
 */
export async function runUpload(parts: RunUploadParts, id: string, signal: AbortSignal): Promise<UploadOutcome> {
  const { imports } = parts;
  const started = imports.get(id);
  if (!started || !imports.move(id, "importing")) return "canceled";
  try {
    await new UploadRun(parts, started).run(signal);
    return imports.move(id, "done") ? "done" : "canceled";
  } catch (error) {
    if (error instanceof Canceled) return "canceled";
    if (signal.aborted) return "stopped";
    if (isDiskFull(error)) throw new UserError(DISK_FULL);
    throw error;
  }
}

class UploadRun {
  readonly #earlier: ImportCounts;
  #counts: ImportCounts;
  #doneBytes = 0;
  #savedAt = 0;
  #source: UploadSource | null = null;

  constructor(
    private readonly parts: RunUploadParts,
    private readonly of: UploadedImport,
  ) {
    const { read_count, taken_count, known_count, cut_count } = of;
    this.#earlier = { read: read_count, taken: taken_count, known: known_count, cut: cut_count };
    this.#counts = { ...this.#earlier };
  }

  async run(signal: AbortSignal): Promise<void> {
    const { files, imports } = this.parts;
    const { of } = this;
    const source = await openUpload(files.open(of, of.bytes), of.file_name);
    this.#source = source;
    const messages = this.#watched(source, signal);
    const first = await messages.next();
    // The mailbox is created for the first message, so that a file without mail leaves no empty one.
    if (first.done) {
      this.#save();
      throw new UserError(`There is no mail in ${of.file_name}.`);
    }
    const account = this.parts.account(of);
    imports.setAccount(of.id, account.id);
    const made = this.parts.createImport(account, this.#earlier, (counts) => {
      this.#counts = { ...counts };
      this.#save();
    });
    const all: ImportSource = {
      total_bytes: source.total_bytes,
      async *messages() {
        yield first.value;
        yield* messages;
      },
    };
    try {
      await made.run(all, () => {}, signal);
    } catch (error) {
      // A stopped import is resumed by the next start.
      if (!signal.aborted) made.end();
      throw error;
    } finally {
      await messages.return(undefined);
    }
    this.#doneBytes = source.total_bytes;
    this.#save();
  }

  /** Yields the messages, lets other work of this thread run, and ends the import when it was canceled. */
  async *#watched(source: UploadSource, signal: AbortSignal): AsyncGenerator<FileMessage> {
    const yieldToOthers = yieldInSlices();
    const progress = (done: number) => {
      this.#doneBytes = done;
      signal.throwIfAborted();
      if (this.parts.platform.clock.now() - this.#savedAt >= SAVE_EVERY_MS) this.#save();
    };
    for await (const message of source.messages(progress)) {
      await yieldToOthers();
      yield message;
    }
  }

  /** @throws Canceled; UserError if the disk is nearly full */
  #save(): void {
    const { platform, imports, files } = this.parts;
    this.#savedAt = platform.clock.now();
    const { read, taken, known, cut } = this.#counts;
    const progress: ImportProgress = {
      // While the messages of an earlier run are passed over, the progress does not go back.
      done_bytes: Math.max(this.#doneBytes, this.of.done_bytes),
      total_bytes: this.#source?.total_bytes ?? 0,
      read_count: read,
      taken_count: taken,
      known_count: known,
      cut_count: cut,
      unreadable: this.#source?.unreadable ?? 0,
    };
    if (!imports.save(this.of.id, progress)) throw new Canceled();
    if (files.freeBytes() < RESERVED_BYTES) throw new UserError(DISK_FULL);
  }
}
