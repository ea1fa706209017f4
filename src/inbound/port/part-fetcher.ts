import { ApiError } from "../../kernel/errors.ts";
import { type Accounts, hasServer } from "../../mailbox/accounts/accounts.ts";
import { AttachmentSizes } from "../../mailbox/store/attachment-sizes.ts";
import type { AttachmentRef, RawRef } from "../../mailbox/store/content-source.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import type { BlobFiles } from "../../platform/blobs/files.ts";
import { BlobGone } from "../../platform/blobs/sealed-file.ts";
import { errorFields } from "../../platform/log.ts";
import type { Platform } from "../../platform/platform.ts";
import { attachmentSizes, extractAttachment } from "../../wire/mime/parse.ts";
import { planParts } from "../../wire/mime/structure.ts";
import { decodeStream } from "../../wire/mime/transfer.ts";
import { type ConnectionQueue, QueueClosed } from "../sync/connection-queue.ts";
import { blobOf, type ContentProgress, type ContentRequest } from "./messages.ts";
import { type PartLocation, partLocations } from "./part-locations.ts";
import { confirmSize, readRemote, sizeOf, structureOf } from "./remote-parts.ts";

/** A message that is parsed here is held in memory. No server accepts larger ones. */
const LARGEST_SOURCE_BYTES = 64 * 1024 * 1024;

export interface ContentParts {
  platform: Platform;
  accounts: Accounts;
  locations: Locations;
  files: BlobFiles;
  /** Returns the account's connection; null when it has none at present (paused, removed). */
  connectionQueue: (account_id: string) => ConnectionQueue | null;
}

/** Receives the bytes of one download. */
interface Sink {
  /** Called once, before the first byte. `size` is given if it is certain. */
  begin(size: number | null): void;
  write(bytes: Uint8Array): void;
}

/** Fetches the bytes of messages and attachments into sealed files, in the mail worker. */
export class PartFetcher {
  readonly #sizes: AttachmentSizes;

  constructor(private readonly parts: ContentParts) {
    this.#sizes = new AttachmentSizes(parts.platform);
  }

  /**
   * Fetches the requested bytes into a sealed file and reports progress. @throws ApiError not_found when no folder has
   * the message any more, and connection errors
   */
  async fetch(request: ContentRequest, tell: (progress: ContentProgress) => void, signal: AbortSignal): Promise<void> {
    const { files } = this.parts;
    const name = blobOf(request);
    const writer = files.create(files.rootFor(name), name);
    try {
      await this.#read(request, signal, {
        begin: (size) => tell({ type: "begun", paths: writer.paths, size }),
        write: (bytes) => {
          signal.throwIfAborted();
          writer.write(bytes);
          tell({ type: "written", written: writer.written });
        },
      });
      signal.throwIfAborted();
      const size = writer.finish();
      if (request.kind === "attachment") this.#noteSize(request.ref, size);
      tell({ type: "complete", size });
      if (request.kind === "raw") await this.#noteSizes(request.ref, size);
    } catch (error) {
      writer.abandon();
      throw error;
    }
  }

  /** Stores the size of an attachment. A failure is only logged, because the bytes themselves are complete. */
  #noteSize(ref: AttachmentRef, size: number): void {
    if (!ref.size_estimated) return;
    try {
      this.#sizes.note(ref, size);
    } catch (error) {
      this.parts.platform.log.warn("the size of an attachment could not be stored", errorFields(error));
    }
  }

  /** Stores the sizes of all attachments of a source that was read in full. */
  async #noteSizes(ref: RawRef, size: number): Promise<void> {
    const { files, platform } = this.parts;
    try {
      if (size > LARGEST_SOURCE_BYTES || !this.#sizes.isEstimated(ref)) return;
      const name = blobOf({ kind: "raw", ref });
      const found = await files.find(name);
      if (found) this.#sizes.noteAll(ref, attachmentSizes(await files.readAll(name, found)));
    } catch (error) {
      platform.log.warn("the sizes of attachments could not be stored", errorFields(error));
    }
  }

  async #read(request: ContentRequest, signal: AbortSignal, sink: Sink): Promise<void> {
    const { accounts, locations } = this.parts;
    const account = accounts.get(request.ref.account_id);
    if (!account) throw gone();
    if (request.kind === "attachment" && (await this.#fromStoredSource(request.ref, sink))) return;
    if (!hasServer(account)) throw gone();
    const queue = this.parts.connectionQueue(account.id);
    if (!queue) throw new QueueClosed();
    for (const location of partLocations(locations, account, request.ref.message_id)) {
      if (await this.#readAt({ queue, location, signal }, request, sink)) return;
    }
    throw gone();
  }

  #readAt(at: At, request: ContentRequest, sink: Sink): Promise<boolean> {
    if (request.kind === "raw") return this.#readSource(at, sink);
    if (request.ref.part === null) return this.#readFromSource(at, request.ref, sink);
    return this.#readPart(at, request.ref, request.ref.part, sink);
  }

  #readSource(at: At, sink: Sink): Promise<boolean> {
    const { uid } = at.location;
    return this.#remote(at, null, {
      begin: async (client) => {
        const size = await sizeOf(client, uid);
        if (size === null) return false;
        sink.begin(await confirmSize(client, uid, null, size));
        return true;
      },
      take: (chunk) => sink.write(chunk),
    });
  }

  /** Reads an attachment of a message that was small enough to be fetched whole at import. */
  async #readFromSource(at: At, ref: AttachmentRef, sink: Sink): Promise<boolean> {
    const chunks: Uint8Array[] = [];
    const exists = await this.#remote(at, null, {
      begin: async (client) => {
        const size = await sizeOf(client, at.location.uid);
        if (size !== null && size > LARGEST_SOURCE_BYTES) throw gone();
        return size !== null;
      },
      take: (chunk) => void chunks.push(chunk),
    });
    if (exists) await cutOut(ref, Buffer.concat(chunks), sink);
    return exists;
  }

  async #readPart(at: At, ref: AttachmentRef, part: string, sink: Sink): Promise<boolean> {
    const { uid } = at.location;
    let take: (chunk: Uint8Array) => void | Promise<void> = sink.write;
    let end = () => Promise.resolve();
    const exists = await this.#remote(at, part, {
      begin: async (client) => {
        const structure = await structureOf(client, uid);
        if (structure === null && (await sizeOf(client, uid)) === null) return false;
        const planned = structure && planParts(structure).attachments.find((found) => found.part === part);
        const encoding = planned?.encoding ?? ref.encoding;
        if (isIdentity(encoding)) {
          sink.begin(planned ? await confirmSize(client, uid, part, planned.size) : null);
        } else {
          sink.begin(null);
          ({ take, end } = decoderInto(encoding, sink));
        }
        return true;
      },
      take: (chunk) => take(chunk),
    });
    if (exists) await end();
    return exists;
  }

  #remote(
    at: At,
    part: string | null,
    read: Pick<Parameters<typeof readRemote>[0], "begin" | "take">,
  ): Promise<boolean> {
    return readRemote({ ...at, part, clock: this.parts.platform.clock, ...read });
  }

  /** Reads an attachment from a stored source: the sandbox's, or one that was downloaded in full. */
  async #fromStoredSource(ref: AttachmentRef, sink: Sink): Promise<boolean> {
    const { files } = this.parts;
    const name = { user_id: ref.user_id, message_id: ref.message_id, part: "raw" };
    const found = await files.find(name);
    if (!found || found.size > LARGEST_SOURCE_BYTES) return false;
    let source: Uint8Array;
    try {
      source = await files.readAll(name, found);
    } catch (error) {
      // Dropped since it was found, because the server has the message now.
      if (error instanceof BlobGone) return false;
      throw error;
    }
    await cutOut(ref, source, sink);
    return true;
  }
}

interface At {
  queue: ConnectionQueue;
  location: PartLocation;
  signal: AbortSignal;
}

async function cutOut(ref: AttachmentRef, source: Uint8Array, sink: Sink): Promise<void> {
  const attachment = await extractAttachment(source, ref.index);
  if (!attachment?.content) throw gone();
  sink.begin(attachment.content.length);
  sink.write(attachment.content);
}

/** Feeds a decoder in pieces. `end` passes the decoder's remaining output to the sink. */
function decoderInto(encoding: string | null, sink: Sink) {
  const { writable, readable } = decodeStream(encoding);
  const writer = writable.getWriter();
  const pump = (async () => {
    for await (const bytes of readable) sink.write(bytes);
  })();
  pump.catch(() => {}); // reported by `take` and `end`
  return {
    take: async (chunk: Uint8Array) => void (await Promise.race([writer.write(chunk), pump])),
    end: async () => {
      await Promise.race([writer.close(), pump]);
      await pump;
    },
  };
}

/** Returns true for encodings that leave the bytes unchanged (RFC 2045 §6.2). */
function isIdentity(encoding: string | null): boolean {
  return encoding === null || ["", "7bit", "8bit", "binary"].includes(encoding.trim().toLowerCase());
}

function gone(): ApiError {
  return new ApiError("not_found", "The mail server no longer has this message.");
}
