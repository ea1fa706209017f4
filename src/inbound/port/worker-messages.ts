import type { ConfigSources } from "../../platform/config/load.ts";

/** The data that the mail worker needs to start. Everything else is sent over the port (port.ts). */
export interface ToMailWorker {
  type: "start";
  sources: ConfigSources;
  inherited: { master_key: Uint8Array };
  /** Until when this server may act (src/backup/lease/held.ts); null: no limit. */
  held: SharedArrayBuffer | null;
}

/** `events`: the worker has written to the event log. */
export interface FromMailWorker {
  type: "ready" | "events";
}
