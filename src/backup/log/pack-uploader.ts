import { createHash, randomBytes } from "node:crypto";
import type { ObjectStore } from "../../platform/objects/store.ts";
import type { LogCrypt } from "./crypt.ts";
import { compress, type LogManifest } from "./manifest.ts";

/** Content of a pack, and the largest content of a segment without packs. */
export const PACK_BYTES = 8 * 1024 * 1024;
const PARALLEL = 4;

type PackEntry = LogManifest["packs"][number];

/**
 * Uploads the packs of one segment, some at the same time. A pack that failed keeps its bytes and is sent again: its
 * name never has two contents, whatever arrives late.
 */
export class PackUploader {
  /** Random part of the names. */
  readonly attempt = randomBytes(8).toString("hex");
  readonly #entries: PackEntry[] = [];
  readonly #running = new Set<Promise<void>>();
  #failed: { name: string; bytes: Uint8Array }[] = [];
  #failure: unknown = null;
  #first: string | null = null;
  #bytes = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly crypt: LogCrypt,
    private readonly token: number,
  ) {}

  /** The packs so far, in order. Complete after `drain`. */
  get entries(): readonly PackEntry[] {
    return this.#entries;
  }

  /** Name of the first pack; null if there is none. */
  get first(): string | null {
    return this.#first;
  }

  /** Bytes of all packs, sealed. */
  get bytes(): number {
    return this.#bytes;
  }

  /**
   * Takes a pack and begins to send it, when less than four are on their way.
   * @throws StoreFault if earlier ones failed. This one was taken; call `drain` before the next
   */
  async put(content: Uint8Array): Promise<void> {
    while (this.#running.size >= PARALLEL) await Promise.race(this.#running);
    const n = this.#entries.length;
    const of = { token: this.token, attempt: this.attempt, pack: n };
    const bytes = this.crypt.seal(of, compress(content));
    const name = this.crypt.name(of);
    this.#first ??= name;
    this.#entries.push({ n, bytes: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") });
    this.#bytes += bytes.length;
    // Several copies of each pack would otherwise stay in memory for seconds: 150 MB more at the peak of a first copy.
    Bun.gc(true);
    this.#send(name, bytes);
    if (this.#failed.length > 0) throw this.#failure;
  }

  /** Resolves when all packs are in the store. @throws StoreFault; call it again later then */
  async drain(): Promise<void> {
    await Promise.all(this.#running);
    const again = this.#failed;
    this.#failed = [];
    this.#failure = null;
    for (const { name, bytes } of again) this.#send(name, bytes);
    await Promise.all(this.#running);
    if (this.#failed.length > 0) throw this.#failure;
  }

  #send(name: string, bytes: Uint8Array): void {
    const sending = this.store
      .put(name, bytes)
      .then(() => {})
      .catch((error) => {
        this.#failed.push({ name, bytes });
        this.#failure = error;
      })
      .finally(() => this.#running.delete(sending));
    this.#running.add(sending);
  }
}
