import { UserError } from "../../kernel/errors.ts";
import { type ObjectStore, StoreFault } from "../../platform/objects/store.ts";
import type { Platform } from "../../platform/platform.ts";
import { backupKeys } from "../keys.ts";
import {
  type Copy,
  type CopyIndex,
  INDEX_KEY,
  LONGEST_INDEX_BYTES,
  openIndex,
  otherInstallation,
  sealIndex,
} from "./copy-index.ts";
import { changeCopyState, readCopyState } from "./state.ts";

const ATTEMPTS = 5;

/** The index of a place as this installation changes it: only from the version that it has read. */
export class SharedIndex {
  #copies: Copy[] = [];
  #generation = 0;
  #etag: string | null = null;
  #doubted = false;

  constructor(
    private readonly platform: Platform,
    private readonly store: ObjectStore,
    /** The `id` of the place. */
    private readonly place: string,
  ) {}

  /** The backups that the index lists, oldest first. */
  get copies(): readonly Copy[] {
    return this.#copies;
  }

  /** True if the index was not the expected one, so that each listed object should be checked. */
  get doubted(): boolean {
    return this.#doubted;
  }

  /**
   * Reads the index. If it is missing, damaged or older than the one that was written last, what was noted here
   * replaces it. @throws UserError if it belongs to another installation
   */
  async read(): Promise<void> {
    const { platform, store, place } = this;
    const noted = readCopyState(platform, place);
    const load = () => store.get(INDEX_KEY, LONGEST_INDEX_BYTES);
    const open = (of: Awaited<ReturnType<typeof load>>) =>
      of ? this.#open(of.bytes, of.etag === noted.etag) : Promise.resolve(null);
    let found = await load();
    let index = await open(found);
    if (!index && noted.generation > 0) {
      // One wrong answer must not count as damage.
      found = await load();
      index = await open(found);
    }
    this.#etag = found?.etag ?? null;
    if (index && index.generation >= noted.generation) {
      this.#copies = index.backups;
      this.#generation = index.generation;
      return;
    }
    this.#copies = noted.copies;
    this.#generation = noted.generation;
    if (noted.generation === 0 || found?.etag === noted.etag) return;
    this.#doubted = true;
    const what = found ? (index ? "older than the one that Postroom wrote" : "damaged") : "missing";
    const warning = `The list of backups in ${store.place} was ${what}, and was written again. If you did not change it yourself, someone else may have access to this place.`;
    platform.log.warn("copies of backups were repaired", { warning });
    changeCopyState(platform, place, { warning });
    await this.#write(this.#copies);
  }

  /** Applies a change to the newest index and writes it. */
  async change(make: (copies: readonly Copy[]) => Copy[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#write(make(this.#copies));
      } catch (error) {
        if (!(error instanceof StoreFault) || error.reason !== "conflict" || attempt >= ATTEMPTS) throw error;
        await this.read();
      }
    }
  }

  async #write(copies: readonly Copy[]): Promise<void> {
    const { platform, store, place } = this;
    const backups = [...copies].sort((a, b) => a.made_at - b.made_at);
    const generation = this.#generation + 1;
    const index: CopyIndex = { format: 1, generation, writtenAt: platform.clock.now(), backups };
    const bytes = await sealIndex(index, backupKeys(platform).readers);
    const etag = await store.put(INDEX_KEY, bytes, this.#etag === null ? { absent: true } : { etag: this.#etag });
    this.#copies = backups;
    this.#generation = generation;
    this.#etag = etag;
    changeCopyState(platform, place, { generation, etag, copies: backups });
  }

  /** @param own whether this installation wrote these bytes, maybe with an earlier master key; @returns null: damaged */
  async #open(bytes: Uint8Array, own: boolean): Promise<CopyIndex | null> {
    const { platform, store } = this;
    try {
      return await openIndex(store.place, bytes, [{ kind: "master key", key: platform.keyring.master }]);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      if (own) return null;
      if (error.message.endsWith("is damaged.") && readCopyState(platform, this.place).generation > 0) return null;
      throw new UserError(`Nothing was sent. ${otherInstallation(store.place)}`);
    }
  }
}
