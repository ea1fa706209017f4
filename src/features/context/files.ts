import { rmSync } from "node:fs";
import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Position } from "../../mailbox/queries/scope.ts";
import type { BlobFiles, BlobName } from "../../platform/blobs/files.ts";
import { complete } from "../../platform/blobs/sealed-file.ts";
import type { Platform } from "../../platform/platform.ts";
import { extractText } from "../../wire/documents/text.ts";
import type { ContextWriter } from "./service.ts";
import type { ContextStore } from "./store.ts";
import type { ContextFileRow } from "./tables.ts";

export const FILE_BYTES = 10 * 1024 * 1024;
/** Limit for all files of one user together. */
const ALL_FILES_BYTES = 500 * 1024 * 1024;

export interface ContextFile {
  id: string;
  name: string;
  mime: string;
  bytes: number;
  profile_id: string | null;
  /** Whether its text could be extracted, so that drafts can use it. */
  has_text: boolean;
  created_at: number;
}

/** A file as a client uploads it. */
export interface FileInput {
  name: string;
  /** Media type as the client declared it, including parameters. */
  type: string;
  bytes: Uint8Array;
  profile_id: string | null;
}

type StoredFile = Pick<ContextFileRow, "id" | "profile_id" | "info" | "bytes" | "created_at"> & { has_text: number };

const COLUMNS = "id, profile_id, info, text IS NOT NULL AS has_text, bytes, created_at";

interface Parts {
  platform: Platform;
  store: ContextStore;
  files: BlobFiles;
}

/** Files that drafts and answers can use: the bytes are encrypted on disk, their text is encrypted in the row. */
export class ContextFiles {
  constructor(private readonly parts: Parts) {}

  /** Returns files newest first, after the position [id]. @throws ApiError not_found (the profile) */
  list(user_id: string, profile_id: string | null, after: Position | null, limit: number): ContextFile[] {
    this.#checkProfile(user_id, profile_id);
    return this.parts.platform.db.sql
      .query<StoredFile, Record<string, string | number | null>>(
        `SELECT ${COLUMNS} FROM context_files WHERE user_id = $user AND ($profile IS NULL OR profile_id = $profile)
           AND ($after IS NULL OR id < $after) ORDER BY id DESC LIMIT $limit`,
      )
      .all({ user: user_id, profile: profile_id, after: after === null ? null : String(after[0]), limit })
      .map((row) => this.#open(user_id, row));
  }

  /** Returns one file. @throws ApiError not_found */
  get(user_id: string, id: string): ContextFile {
    const row = this.parts.platform.db.sql
      .query<StoredFile, [string, string]>(`SELECT ${COLUMNS} FROM context_files WHERE user_id = ? AND id = ?`)
      .get(user_id, id);
    if (!row) throw notFound("file");
    return this.#open(user_id, row);
  }

  /**
   * Stores a file. The bytes are on disk before the row commits.
   * @param commit runs the last write, so that the row and the reply to the client commit together
   * @throws ApiError not_found (the profile), payload_too_large
   */
  async add<R>(writer: ContextWriter, file: FileInput, commit: (write: () => ContextFile) => R): Promise<R> {
    const { platform, files } = this.parts;
    const { user_id } = writer;
    this.#checkQuota(user_id, file);
    const text = await extractText({ bytes: file.bytes, type: file.type, fileName: file.name });
    const id = platform.newId("contextFile");
    const blob = files.create("blobs", blobName(user_id, id));
    try {
      blob.write(file.bytes);
      blob.finish({ durable: true });
      return commit(() => {
        // While the text was extracted, another upload may have been stored, or the profile deleted.
        this.#checkQuota(user_id, file);
        const added = this.#insert(user_id, id, file, text);
        this.#audit(writer, "context.file.add", id, null, added);
        return added;
      });
    } catch (error) {
      blob.abandon();
      rmSync(files.path("blobs", blobName(user_id, id)), { force: true });
      throw error;
    }
  }

  /** Returns the bytes of a file. @throws ApiError not_found; Error when they are no longer on disk */
  async content(user_id: string, id: string): Promise<{ file: ContextFile; body: ReadableStream<Uint8Array> }> {
    const file = this.get(user_id, id);
    const { files } = this.parts;
    const found = await files.find(blobName(user_id, id));
    if (!found) throw new Error(`The content of ${id} is no longer on disk.`);
    const body = files.read(
      blobName(user_id, id),
      { paths: [found.path], growth: complete(found.size) },
      0,
      found.size,
    );
    return { file, body };
  }

  /** Returns the text of a file, for drafts and answers; null if none could be extracted. @throws ApiError not_found */
  text(user_id: string, id: string): string | null {
    const { db, keyring } = this.parts.platform;
    const row = db.sql
      .query<Pick<ContextFileRow, "text">, [string, string]>(
        "SELECT text FROM context_files WHERE user_id = ? AND id = ?",
      )
      .get(user_id, id);
    if (!row) throw notFound("file");
    return row.text && keyring.forUser(user_id).open(`context_files.text:${id}`, row.text);
  }

  /** Deletes a file. @throws ApiError not_found */
  remove(writer: ContextWriter, id: string): void {
    const { db } = this.parts.platform;
    db.write(() => {
      const before = this.get(writer.user_id, id);
      db.sql.query("DELETE FROM context_files WHERE id = ?").run(id);
      this.#audit(writer, "context.file.delete", id, before, null);
    });
    this.tidy(writer.user_id, [id]);
  }

  /** Returns the ids of all files of a user. */
  idsOf(user_id: string): string[] {
    return this.parts.platform.db.sql
      .query<Pick<ContextFileRow, "id">, [string]>("SELECT id FROM context_files WHERE user_id = ?")
      .all(user_id)
      .map(({ id }) => id);
  }

  /**
   * Deletes the bytes of files that no longer have a row, after the current transaction has committed or rolled back.
   */
  tidy(user_id: string, ids: readonly string[]): void {
    queueMicrotask(() => {
      const kept = new Set(this.idsOf(user_id));
      for (const id of ids) {
        if (!kept.has(id)) rmSync(this.parts.files.path("blobs", blobName(user_id, id)), { force: true });
      }
    });
  }

  #insert(user_id: string, id: string, { name, type, bytes, profile_id }: FileInput, text: string | null): ContextFile {
    const { db, keyring, clock } = this.parts.platform;
    const sealer = keyring.forUser(user_id);
    const mime = type.split(";")[0]!.trim().toLowerCase() || "application/octet-stream";
    const created_at = clock.now();
    db.sql
      .query(
        "INSERT INTO context_files (id, user_id, profile_id, info, text, bytes, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        id,
        user_id,
        profile_id,
        sealer.sealJson(`context_files.info:${id}`, { name, mime }),
        text === null ? null : sealer.seal(`context_files.text:${id}`, text),
        bytes.length,
        created_at,
      );
    return { id, name, mime, bytes: bytes.length, profile_id, has_text: text !== null, created_at };
  }

  #checkProfile(user_id: string, id: string | null): void {
    if (id !== null && !this.parts.store.profile(user_id, id)) throw notFound("profile", "profile_id");
  }

  #checkQuota(user_id: string, { bytes, profile_id }: FileInput): void {
    this.#checkProfile(user_id, profile_id);
    if (bytes.length > FILE_BYTES) {
      throw new ApiError("payload_too_large", `A file can have at most ${FILE_BYTES} bytes. Send a smaller one.`, {
        param: "file",
      });
    }
    const { used } = this.parts.platform.db.sql
      .query<{ used: number }, [string]>("SELECT coalesce(sum(bytes), 0) AS used FROM context_files WHERE user_id = ?")
      .get(user_id)!;
    if (used + bytes.length > ALL_FILES_BYTES) {
      throw new ApiError(
        "payload_too_large",
        `All context files together can have at most ${ALL_FILES_BYTES} bytes. Delete a file first.`,
        {
          param: "file",
        },
      );
    }
  }

  #open(user_id: string, { info, has_text, ...row }: StoredFile): ContextFile {
    const sealer = this.parts.platform.keyring.forUser(user_id);
    const opened = sealer.openJson(`context_files.info:${row.id}`, info);
    return { ...row, ...opened, has_text: has_text === 1 };
  }

  #audit(
    { user_id, actor, request_id }: ContextWriter,
    action: string,
    target: string,
    before: unknown,
    after: unknown,
  ) {
    this.parts.platform.audit.record({ user_id, actor, action, target, before, after, request_id });
  }
}

const blobName = (user_id: string, id: string): BlobName => ({ user_id, message_id: id, part: "raw" });
