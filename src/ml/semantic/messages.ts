import type { ConfigSources } from "../../platform/config/load.ts";
import type { Near } from "../vectors/nearest.ts";

/** Messages between the main thread and the worker that knows what words mean. */

export interface MeaningRequest {
  user_id: string;
  text: string;
  /** How many messages at most. */
  limit: number;
  /** Messages found otherwise, whose nearness is asked for, too. */
  candidates: number[];
  /** Only among these messages; null: among all of the user's. */
  within: Int32Array | null;
}

export interface MeaningAnswer {
  near: Near[];
  /** Of the candidates that have a vector. */
  candidates: Near[];
  /** Messages that are indexed by meaning, and such that wait to be. */
  indexed: number;
  waiting: number;
}

export type ToMeaningWorker =
  /** `backfill`: it embeds the mail that waits, too, and not only answers. One process does. */
  | { type: "start"; sources: ConfigSources; inherited: { master_key: Uint8Array }; backfill: boolean }
  | { type: "search"; id: number; request: MeaningRequest }
  | { type: "embed"; id: number; texts: string[] }
  /** A question of this user's may come soon. */
  | { type: "warm"; user_id: string }
  | { type: "stop" };

export type FromMeaningWorker =
  | { type: "ready" }
  /** It did some work of its own. */
  | { type: "busy" }
  | { type: "found"; id: number; answer: MeaningAnswer }
  | { type: "embedded"; id: number; vectors: Float32Array[] }
  | { type: "failed"; id: number; reason: string }
  /** Everything is written; it may be ended. */
  | { type: "stopped" };
