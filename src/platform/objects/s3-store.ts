import { shownText } from "./answer-text.ts";
import { S3Client, type S3Options } from "./s3-client.ts";
import { noBucket, textOf } from "./s3-faults.ts";
import { ListPages, listedObjects } from "./s3-list.ts";
import {
  type ObjectInfo,
  type ObjectStore,
  type PutCondition,
  StoreFault,
  type UploadProgress,
  type UploadSource,
  type UploadState,
} from "./store.ts";

const PART_BYTES = 8 * 1024 * 1024;
/** S3 accepts 10,000 parts. */
const MOST_PARTS = 9_000;
const LIST_BYTES = 4 * 1024 * 1024;
/** Codes of stores that refuse to delete an object before its lock ends. */
const LOCKED = /^(AccessDenied|ObjectLocked|InvalidRequest|MethodNotAllowed)$/;

/** Objects of an S3-compatible store (Amazon S3 API reference, 2006-03-01). */
export class S3Store implements ObjectStore {
  readonly #client: S3Client;
  readonly #options: S3Options & { partBytes?: number };
  /** Whether this store compares tags without their quotes. */
  #bareTags = false;

  /** @param options `partBytes` is for tests */
  constructor(options: S3Options & { partBytes?: number }) {
    this.#options = options;
    this.#client = new S3Client(options);
  }

  get place(): string {
    return this.#client.place;
  }

  async get(key: string, maxBytes: number): Promise<{ bytes: Uint8Array; etag: string } | null> {
    const { status, body, headers } = await this.#client.send({
      action: "get",
      method: "GET",
      key,
      maxBodyBytes: maxBytes,
      accept: [404],
    });
    if (status !== 404 && body.length > maxBytes) throw new StoreFault("refused", `${this.place}/${key} is too large.`);
    if (status !== 404) return { bytes: body, etag: headers.etag ?? "" };
    this.#requireBucket(body);
    return null;
  }

  async read(key: string, at: number, length: number): Promise<Uint8Array> {
    if (length === 0) return new Uint8Array(0);
    const { body, status } = await this.#client.send({
      action: "get",
      method: "GET",
      key,
      headers: { Range: `bytes=${at}-${at + length - 1}` },
      maxBodyBytes: length,
    });
    if (status === 206 && body.length === length) return body;
    if (status === 200 && at === 0 && body.length === length) return body;
    throw new StoreFault("missing", `${this.place}/${key} is shorter than expected.`);
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const { status, headers } = await this.#client.send({ action: "head", method: "HEAD", key, accept: [404] });
    if (status === 404) return null;
    const modifiedAt = Date.parse(headers["last-modified"] ?? "") || 0;
    return { key, bytes: Number(headers["content-length"]), etag: headers.etag ?? "", modifiedAt };
  }

  async put(key: string, bytes: Uint8Array, condition?: PutCondition): Promise<string> {
    if (condition === undefined) return this.#write(key, bytes, {});
    const answer = await this.#writeIf(key, bytes, condition);
    if (answer !== "unchanged") return answer;
    // Ceph before version 17 compares tags without their quotes (RFC 9110 §13.1.1 has them).
    this.#bareTags = !this.#bareTags;
    const again = await this.#writeIf(key, bytes, condition);
    if (again !== "unchanged") return again;
    this.#bareTags = !this.#bareTags;
    throw new StoreFault("conflict", `${this.place} refuses every conditional write.`);
  }

  /** @returns the new tag, or "unchanged" if the store refused although the object still has the given tag */
  async #writeIf(key: string, bytes: Uint8Array, condition: PutCondition): Promise<string> {
    try {
      if ("absent" in condition) return await this.#write(key, bytes, { "If-None-Match": "*" });
      const { etag } = condition;
      return await this.#write(key, bytes, { "If-Match": this.#bareTags ? etag.replace(/^"(.*)"$/, "$1") : etag });
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
      // Stores without conditional writes say so.
      if (error.reason === "refused" && /answers 501/.test(error.message)) {
        if (condition.strict) throw new StoreFault("unsupported", `${this.place} has no conditional writes.`, error);
        return this.#write(key, bytes, {});
      }
      if (error.reason !== "conflict" && error.reason !== "missing") throw error;
      // An earlier attempt may have succeeded although its answer was lost.
      const now = await this.get(key, bytes.length + 1024).catch(() => null);
      if (now && Buffer.compare(now.bytes, bytes) === 0) return now.etag;
      if (now && "etag" in condition && now.etag === condition.etag) return "unchanged";
      throw new StoreFault("conflict", `${this.place} was changed meanwhile.`, error);
    }
  }

  async #write(key: string, bytes: Uint8Array, headers: Record<string, string>): Promise<string> {
    const response = await this.#client.send({ action: "put", method: "PUT", key, headers, body: bytes });
    return response.headers.etag ?? "";
  }

  async upload(key: string, source: UploadSource, { resume, saved, signal }: UploadProgress): Promise<void> {
    const { partBytes = PART_BYTES } = this.#options;
    if (source.bytes <= partBytes) {
      await this.#client.send({ action: "put", method: "PUT", key, body: await source.read(0, source.bytes) });
      return this.#verify(key, source.bytes);
    }
    const state = resume ?? (await this.#begin(key, Math.max(partBytes, Math.ceil(source.bytes / MOST_PARTS))));
    if (!resume) saved(state);
    for (let at = state.etags.length * state.partBytes; at < source.bytes; at += state.partBytes) {
      signal?.throwIfAborted();
      const body = await source.read(at, Math.min(state.partBytes, source.bytes - at));
      const query = { partNumber: String(state.etags.length + 1), uploadId: state.uploadId };
      const { headers } = await this.#client
        .send({ action: "put", method: "PUT", key, query, body })
        .catch((error) => this.#restartIfGone(error, key, source, resume, { saved, signal }));
      if (headers === null) return;
      state.etags.push(headers.etag ?? "");
      saved(state);
    }
    await this.#complete(key, state, source.bytes);
  }

  async *list(prefix: string): AsyncIterable<ObjectInfo> {
    const root = this.#options.prefix === "" ? "" : `${this.#options.prefix}/`;
    const pages = new ListPages(this.place);
    for (let token: string | null = null; ; ) {
      const query: Record<string, string> = { "list-type": "2", prefix: root + prefix };
      if (token !== null) query["continuation-token"] = token;
      const { body } = await this.#client.send({
        action: "list",
        method: "GET",
        key: null,
        query,
        maxBodyBytes: LIST_BYTES,
      });
      const xml = Buffer.from(body).toString();
      let isEmpty = true;
      for (const object of listedObjects(xml, root)) {
        isEmpty = false;
        yield object;
      }
      token = pages.next(xml, isEmpty);
      if (token === null) return;
    }
  }

  async delete(key: string): Promise<"deleted" | "kept"> {
    const accept = [400, 403, 404, 405];
    const { status, body } = await this.#client.send({ action: "delete", method: "DELETE", key, accept });
    if (status < 300 || status === 404) return "deleted";
    const code = shownText(textOf(Buffer.from(body).toString(), "Code") ?? "AccessDenied");
    if (LOCKED.test(code)) return "kept";
    throw new StoreFault("refused", `${this.place} does not delete objects: it answers ${status} ${code}.`);
  }

  close(): void {
    this.#client.close();
  }

  async #begin(key: string, partBytes: number): Promise<UploadState> {
    const { body } = await this.#client.send({ action: "put", method: "POST", key, query: { uploads: "" } });
    const uploadId = textOf(Buffer.from(body).toString(), "UploadId");
    if (!uploadId) throw new StoreFault("refused", `${this.place} did not begin an upload in parts.`);
    return { uploadId, partBytes, etags: [] };
  }

  /** Starts again if the store has given up an upload from before, for example by a lifecycle rule. */
  async #restartIfGone(
    error: unknown,
    key: string,
    source: UploadSource,
    resume: UploadState | null,
    more: { saved: UploadProgress["saved"]; signal: AbortSignal | undefined },
  ): Promise<{ headers: null }> {
    if (!resume || !(error instanceof StoreFault) || error.reason !== "missing") throw error;
    const { saved, signal } = more;
    await this.upload(key, source, { resume: null, saved, ...(signal ? { signal } : {}) });
    return { headers: null };
  }

  async #complete(key: string, { uploadId, etags }: UploadState, bytes: number): Promise<void> {
    const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${etag}</ETag></Part>`);
    const body = Buffer.from(`<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`);
    try {
      const query = { uploadId: uploadId };
      const response = await this.#client.send({ action: "put", method: "POST", key, query, body });
      const code = textOf(Buffer.from(response.body).toString(), "Code");
      if (code !== null)
        throw new StoreFault("unavailable", `${this.place} did not complete an upload (${shownText(code)}).`);
    } catch (error) {
      // The upload is complete if an earlier attempt succeeded and only its answer was lost.
      if (!(error instanceof StoreFault) || error.reason !== "missing") throw error;
    }
    await this.#verify(key, bytes);
  }

  async #verify(key: string, bytes: number): Promise<void> {
    const found = await this.head(key);
    if (found?.bytes === bytes) return;
    throw new StoreFault("unavailable", `${this.place} has not stored an object completely.`);
  }

  #requireBucket(body: Uint8Array): void {
    if (textOf(Buffer.from(body).toString(), "Code") !== "NoSuchBucket") return;
    throw noBucket(this.#options.bucket);
  }
}
