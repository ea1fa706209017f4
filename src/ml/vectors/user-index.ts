import type { Usearch } from "../../platform/native/usearch.ts";
import { GRAPH_FROM_ROWS, VectorGraph } from "./graph.ts";
import { VectorMatrix } from "./matrix.ts";
import { type Near, nearest } from "./nearest.ts";
import type { Snapshots } from "./snapshot.ts";
import type { VectorStore } from "./store.ts";

/** A snapshot is written as a whole, so only after this many changes and this share of its vectors. */
const SNAPSHOT_CHANGES = 1_000;
const SNAPSHOT_SHARE = 0.05;

/**
 * The vectors of one user and one model, in memory. Separate indexes ensure that a search cannot return other users'
 * mail.
 */
export class UserIndex {
  #matrix: VectorMatrix | null;
  #graph: VectorGraph | null = null;
  #last = 0;
  #losses = 0;
  #unsaved = 0;
  #lookedAt = 0;
  /** False if the count must be recomputed. */
  #counted = false;
  /** Messages without a vector that arrived since the last count. */
  readonly #silent = new Set<number>();

  constructor(
    private readonly parts: { usearch: Usearch; store: VectorStore; snapshots: Snapshots },
    readonly user_id: string,
    readonly model: string,
    private readonly graphFrom = GRAPH_FROM_ROWS,
  ) {
    const snapshot = parts.store.hasUser(user_id) ? parts.snapshots.load(user_id, model) : null;
    this.#matrix = snapshot?.matrix ?? null;
    this.#last = snapshot?.last ?? 0;
    this.#losses = snapshot?.losses ?? 0;
    this.#lookedAt = snapshot?.looked_at ?? 0;
    this.#counted = snapshot !== null;
    // Vector ids only grow. A snapshot that ends after the newest id is from another database, for example from before
    // a restore.
    if (snapshot && this.#last > parts.store.state(user_id, model).last) this.#forget();
    this.refresh();
  }

  /** Number of messages that the model has processed, including those in unsupported languages. */
  get looked_at(): number {
    return this.#lookedAt;
  }

  get size(): number {
    return this.#matrix?.size ?? 0;
  }

  /** Applies additions and deletions since the last call. Cheap if there were none. */
  refresh(): void {
    const { store } = this.parts;
    const { last, losses } = store.state(this.user_id, this.model);
    if (losses !== this.#losses) this.#counted = false;
    if (last !== this.#last) {
      for (const { id, message_n, vector } of store.after(this.user_id, this.model, this.#last)) {
        if (!this.#matrix?.has(message_n) && !this.#silent.has(message_n)) this.#lookedAt++;
        if (vector) {
          this.#matrix ??= new VectorMatrix(vector.length);
          this.#matrix.set(message_n, vector);
          this.#silent.delete(message_n);
        } else {
          this.#matrix?.delete(message_n);
          this.#silent.add(message_n);
        }
        this.#graph?.touch(message_n);
        this.#last = id;
        this.#unsaved++;
      }
    }
    if (losses !== this.#losses) {
      const kept = store.numbers(this.user_id, this.model);
      for (const n of this.#matrix?.numbers.slice() ?? []) {
        if (kept.has(n)) continue;
        this.#matrix!.delete(n);
        this.#graph?.touch(n);
      }
      this.#losses = losses;
      this.#unsaved++;
    }
    if (!this.#counted) {
      this.#counted = true;
      this.#silent.clear();
      this.#lookedAt = store.count(this.user_id, this.model);
    }
  }

  nearest(query: Float32Array, limit: number, within: Iterable<number> | null): Near[] {
    if (!this.#matrix || this.#matrix.dimensions !== query.length) return [];
    // A graph does not support filters, so a search within given messages is exact.
    const probable = within === null && this.#graph?.complete ? this.#graph.near(query, limit) : within;
    return nearest(this.parts.usearch, this.#matrix, query, limit, probable);
  }

  /** Returns the exact cosine of each of these messages that has a vector. */
  cosines(query: Float32Array, numbers: readonly number[]): Near[] {
    if (!this.#matrix || this.#matrix.dimensions !== query.length) return [];
    return numbers.flatMap((n) => {
      const score = this.#matrix!.cosine(n, query);
      return score === null ? [] : [{ n, score }];
    });
  }

  /** Adds rows to the graph, if there are enough vectors for one. @returns whether more rows remain */
  growGraph(): boolean {
    if (!this.#matrix || this.#matrix.size < this.graphFrom) return false;
    this.#graph ??= new VectorGraph(this.parts.usearch, this.#matrix);
    if (!this.#graph.complete) this.#graph.grow();
    return !this.#graph.complete;
  }

  /** Writes a snapshot if enough has changed since the last one. */
  save(least = Math.max(SNAPSHOT_CHANGES, this.size * SNAPSHOT_SHARE)): void {
    if (!this.#matrix || this.#unsaved < least || !this.parts.store.hasUser(this.user_id)) return;
    // Recounts: `looked_at` counts a message twice that had no vector at the last count and was processed again since.
    this.#counted = false;
    this.refresh();
    const { last, losses, looked_at } = { last: this.#last, losses: this.#losses, looked_at: this.#lookedAt };
    this.parts.snapshots.save(this.user_id, this.model, { matrix: this.#matrix, last, losses, looked_at });
    this.#unsaved = 0;
  }

  #forget(): void {
    this.#counted = false;
    this.#matrix = null;
    this.#graph = null;
    this.#last = 0;
    this.#losses = 0;
  }
}
