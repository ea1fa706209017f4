import type { Pause } from "../../platform/acting.ts";
import type { ConfigSources } from "../../platform/config/load.ts";

/** Messages to the log worker (src/workers/log.ts). */
export type ToLogWorker =
  | {
      type: "start";
      sources: ConfigSources;
      inherited: { master_key: Uint8Array };
      /** The same for all workers of a process. */
      session: string;
      /** The view of the lease (src/backup/lease/held.ts). */
      held: SharedArrayBuffer;
      version: string;
    }
  | { type: "flush"; id: number }
  /** `release`: also send what is left, and give up the lease, so that another machine can take over at once. */
  | { type: "stop"; release: boolean };

export type FromLogWorker =
  /** Whether this server may act; null: it may. */
  | { type: "acting"; pause: Pause | null }
  /** Null: everything from before the call is in the place. Otherwise a sentence. */
  | { type: "flushed"; id: number; fault: string | null }
  | { type: "stopped" };
