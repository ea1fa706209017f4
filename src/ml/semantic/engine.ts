import { join } from "node:path";
import { errorFields } from "../../platform/log.ts";
import { loadUsearch } from "../../platform/native/load.ts";
import type { Usearch } from "../../platform/native/usearch.ts";
import type { Platform } from "../../platform/platform.ts";
import { Embedder } from "../embedding/embedder.ts";
import { findModel, type ModelFolder } from "../embedding/model.ts";
import { Snapshots } from "../vectors/snapshot.ts";
import { VectorStore } from "../vectors/store.ts";
import { UserIndex } from "../vectors/user-index.ts";
import type { SemanticAnswer, SemanticRequest } from "./messages.ts";

export interface LoadedModel {
  model: ModelFolder;
  embedder: Embedder;
}

/** Loads a model by the value of `embedding.model`. @throws UserError when it is missing */
export async function loadModel(data_dir: string, setting: string): Promise<LoadedModel> {
  const model = await findModel(data_dir, setting);
  return { model, embedder: await Embedder.load(model, join(data_dir, "cache")) };
}

/** Holds what the semantic worker has in memory: the model, and the codes of the vectors of users who searched. */
export class SemanticEngine {
  readonly store: VectorStore;
  readonly #snapshots: Snapshots;
  readonly #indexes = new Map<string, UserIndex>();
  /** By the value of `embedding.model`. */
  readonly #models: Map<string, Promise<LoadedModel>>;
  #usearch: Promise<Usearch> | null = null;
  #asked: { text: string; model: string; vector: Float32Array | null } | null = null;

  /** @param preloaded models that are already being loaded, by the value of `embedding.model` */
  constructor(
    private readonly platform: Platform,
    preloaded: Iterable<readonly [string, Promise<LoadedModel>]> = [],
  ) {
    this.#models = new Map(preloaded);
    for (const [setting, loading] of this.#models) loading.catch(() => this.#models.delete(setting));
    this.store = new VectorStore(platform);
    this.#snapshots = new Snapshots(platform);
  }

  /** Returns the configured model, loaded at the first call. @throws when it is missing */
  async current(): Promise<LoadedModel> {
    const setting = this.platform.config.get("embedding.model");
    const loaded = await this.#load(setting);
    this.store.adopt(loaded.model.id, setting);
    return loaded;
  }

  /** Loads what a user's first query needs. */
  async warm(user_id: string): Promise<void> {
    const { embedder } = await this.#open(user_id);
    // A model's first run takes longer than later ones.
    await embedder.query("warm");
  }

  async search(request: SemanticRequest): Promise<SemanticAnswer> {
    const { user_id, text, limit, candidates, within } = request;
    const { model, embedder, waiting, index } = await this.#open(user_id);
    index.refresh();
    const vector = await this.#vectorOf(text, model.id, embedder);
    return {
      near: vector ? index.nearest(vector, limit, within) : [],
      candidates: vector ? index.cosines(vector, candidates) : [],
      indexed: index.looked_at,
      waiting,
    };
  }

  async #open(user_id: string): Promise<LoadedModel & { waiting: number; index: UserIndex }> {
    const serving = this.#serving(user_id);
    // Most likely the model is the one whose vectors were used last.
    const likely = this.store.adopted();
    if (likely) await this.#indexOf(user_id, likely.id);
    const served = await serving;
    return { ...served, index: await this.#indexOf(user_id, served.model.id) };
  }

  async embed(texts: readonly string[]): Promise<Float32Array[]> {
    return (await this.current()).embedder.embed(texts);
  }

  /** Writes the snapshots of the codes, which make the next start faster. */
  save(): void {
    for (const index of this.#indexes.values()) index.save();
  }

  async close(): Promise<void> {
    this.save();
    for (const loading of this.#models.values()) await (await loading.catch(() => null))?.embedder.close();
  }

  /**
   * Returns the vector of a query. The last one is cached, because the same query often follows for other messages or
   * the next page.
   */
  async #vectorOf(text: string, model: string, embedder: Embedder): Promise<Float32Array | null> {
    if (this.#asked?.text !== text || this.#asked.model !== model) {
      this.#asked = { text, model, vector: await embedder.query(text) };
    }
    return this.#asked.vector;
  }

  /**
   * Returns the configured model, or the previous one while that has more vectors of this user. `waiting` is the number
   * of messages to embed.
   */
  async #serving(user_id: string): Promise<LoadedModel & { waiting: number }> {
    const loaded = await this.current();
    const waiting = this.store.waitingCount(user_id);
    const better = waiting > 0 ? this.store.better(user_id, loaded.model.id) : null;
    if (!better) return { ...loaded, waiting };
    try {
      const before = await this.#load(better.setting);
      return { ...(before.model.id === better.id ? before : loaded), waiting };
    } catch (error) {
      this.platform.log.info("the previous model is missing", errorFields(error));
      return { ...loaded, waiting };
    }
  }

  #load(setting: string): Promise<LoadedModel> {
    const known = this.#models.get(setting);
    if (known) return known;
    const loading = loadModel(this.platform.config.data_dir, setting);
    this.#models.set(setting, loading);
    // Lets the next call retry.
    loading.catch(() => this.#models.delete(setting));
    return loading;
  }

  async #indexOf(user_id: string, model: string): Promise<UserIndex> {
    this.#usearch ??= loadUsearch(join(this.platform.config.data_dir, "cache"));
    const usearch = await this.#usearch;
    const name = `${user_id} ${model}`;
    let index = this.#indexes.get(name);
    if (!index) {
      index = new UserIndex({ usearch, store: this.store, snapshots: this.#snapshots }, user_id, model);
      this.#indexes.set(name, index);
    }
    return index;
  }
}
