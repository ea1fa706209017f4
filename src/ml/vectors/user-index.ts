import type { Usearch } from "../../platform/native/usearch.ts";
import { BinaryCodes } from "./binary-codes.ts";
import { type Near, nearest, type Rows, shortlistOf } from "./nearest.ts";
import { cosineAt } from "./quantize.ts";
import type { Snapshots } from "./snapshot.ts";
import type { VectorStore } from "./store.ts";

/** A snapshot is written as a whole, so only after this many changes and this share of its vectors. */
const SNAPSHOT_CHANGES = 1_000;
const SNAPSHOT_SHARE = 0.05;

/**
 * The vectors of one user and one model: their binary codes in memory, the vectors themselves in the database. Separate
 * indexes ensure that a search cannot return other users' mail.
 */
export class UserIndex {
  #codes: BinaryCodes | null;
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
  ) {
    const snapshot = parts.store.hasUser(user_id) ? parts.snapshots.load(user_id, model) : null;
    this.#codes = snapshot?.codes ?? null;
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
    return this.#codes?.size ?? 0;
  }

  /** Applies additions and deletions since the last call. Cheap if there were none. */
  refresh(): void {
    const { store } = this.parts;
    const { last, losses } = store.state(this.user_id, this.model);
    if (losses !== this.#losses) this.#counted = false;
    if (last !== this.#last) {
      for (const { id, message_n, vector } of store.after(this.user_id, this.model, this.#last)) {
        if (!this.#codes?.has(message_n) && !this.#silent.has(message_n)) this.#lookedAt++;
        if (vector) this.#codes ??= new BinaryCodes(vector.length);
        if (vector && vector.length === this.#codes?.dimensions) {
          this.#codes.set(message_n, vector);
          this.#silent.delete(message_n);
        } else {
          this.#codes?.delete(message_n);
          this.#silent.add(message_n);
        }
        this.#last = id;
        this.#unsaved++;
      }
    }
    if (losses !== this.#losses) {
      const kept = store.numbers(this.user_id, this.model);
      for (const n of this.#codes?.numbers.slice() ?? []) {
        if (!kept.has(n)) this.#codes!.delete(n);
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
    if (this.#codes?.dimensions !== query.length || limit <= 0) return [];
    const shortlist = this.#codes.nearest(query, shortlistOf(limit), within);
    const rows = this.#rowsOf(shortlist, query.length);
    if (rows.numbers.length < shortlist.length) this.#drop(shortlist, rows.numbers);
    return nearest(this.parts.usearch, rows, query, limit);
  }

  /** Returns the exact cosine of each of these messages that has a vector. */
  cosines(query: Float32Array, messages: readonly number[]): Near[] {
    const { numbers, rows } = this.#rowsOf(messages, query.length);
    return numbers.map((n, i) => ({ n, score: cosineAt(rows, i * query.length, query) }));
  }

  /** Deletes the codes of messages whose vectors cannot be read. A new vector brings its code back. */
  #drop(asked: readonly number[], found: readonly number[]): void {
    const left = new Set(found);
    for (const n of asked) if (!left.has(n)) this.#codes?.delete(n);
  }

  /** Reads the vectors of messages. Leaves out messages without one. */
  #rowsOf(messages: readonly number[], dimensions: number): Rows {
    const found = this.parts.store
      .vectorsOf(this.user_id, this.model, messages)
      .filter(({ vector }) => vector.length === dimensions);
    const rows = new Int8Array(found.length * dimensions);
    for (const [i, { vector }] of found.entries()) rows.set(vector, i * dimensions);
    return { numbers: found.map(({ message_n }) => message_n), rows };
  }

  /** Writes a snapshot if enough has changed since the last one. */
  save(least = Math.max(SNAPSHOT_CHANGES, this.size * SNAPSHOT_SHARE)): void {
    if (!this.#codes || this.#unsaved < least || !this.parts.store.hasUser(this.user_id)) return;
    // Recounts: `looked_at` counts a message twice that had no vector at the last count and was processed again since.
    this.#counted = false;
    this.refresh();
    const { last, losses, looked_at } = { last: this.#last, losses: this.#losses, looked_at: this.#lookedAt };
    this.parts.snapshots.save(this.user_id, this.model, { codes: this.#codes, last, losses, looked_at });
    this.#unsaved = 0;
  }

  #forget(): void {
    this.#counted = false;
    this.#codes = null;
    this.#last = 0;
    this.#losses = 0;
  }
}
