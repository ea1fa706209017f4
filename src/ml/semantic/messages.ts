import type { ConfigSources } from "../../platform/config/load.ts";
import type { Near } from "../vectors/nearest.ts";

/** Messages between the main thread and the semantic worker. */

export interface SemanticRequest {
  user_id: string;
  text: string;
  /** How many messages at most. */
  limit: number;
  /** Messages that were found by words, whose similarity is wanted as well. */
  candidates: number[];
  /** Only among these messages; null: among all of the user's. */
  within: Int32Array | null;
}

export interface SemanticAnswer {
  near: Near[];
  /** Of the candidates that have a vector. */
  candidates: Near[];
  /** Messages that are indexed by meaning, and such that wait to be. */
  indexed: number;
  waiting: number;
}

export type ToSemanticWorker =
  /** `backfill`: the worker also embeds the mail that waits. Only one process does. */
  | { type: "start"; sources: ConfigSources; inherited: { master_key: Uint8Array }; backfill: boolean }
  | { type: "search"; id: number; request: SemanticRequest }
  | { type: "embed"; id: number; texts: string[] }
  /** Load what the first question of this user needs. */
  | { type: "warm"; user_id: string }
  | { type: "stop" };

export type FromSemanticWorker =
  | { type: "ready" }
  /** It has embedded mail. */
  | { type: "busy" }
  | { type: "found"; id: number; answer: SemanticAnswer }
  | { type: "embedded"; id: number; vectors: Float32Array[] }
  | { type: "failed"; id: number; reason: string }
  /** Everything is written; the thread may be ended. */
  | { type: "stopped" };
