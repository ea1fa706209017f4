import type { ConfigSources } from "../../platform/config/load.ts";
import type { Near } from "../vectors/nearest.ts";

/** Messages between the main thread and the semantic worker. */

export interface SemanticRequest {
  user_id: string;
  text: string;
  /** The most messages to return. */
  limit: number;
  /** Messages that keyword search found and whose similarity is also requested. */
  candidates: number[];
  /** Search only these messages; null for all of the user's. */
  within: Int32Array | null;
}

export interface SemanticAnswer {
  near: Near[];
  /** The candidates that have a vector. */
  candidates: Near[];
  /** Number of messages that the model has processed, and of messages that wait. */
  indexed: number;
  waiting: number;
}

export type ToSemanticWorker =
  /** Load the built-in model, before "start". */
  | { type: "preload"; data_dir: string }
  /** `backfill`: the worker also embeds waiting mail. Only one process does. */
  | { type: "start"; sources: ConfigSources; inherited: { master_key: Uint8Array }; backfill: boolean }
  | { type: "search"; id: number; request: SemanticRequest }
  | { type: "embed"; id: number; texts: string[] }
  /** Load what this user's first query needs. */
  | { type: "warm"; user_id: string }
  | { type: "stop" };

export type FromSemanticWorker =
  | { type: "ready" }
  /** The worker has embedded mail. */
  | { type: "busy" }
  | { type: "found"; id: number; answer: SemanticAnswer }
  | { type: "embedded"; id: number; vectors: Float32Array[] }
  | { type: "failed"; id: number; reason: string }
  /** All data is written, and the thread can be terminated. */
  | { type: "stopped" };
