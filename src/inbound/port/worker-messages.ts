import type { ConfigSources } from "../../platform/config/load.ts";

/** The data that the mail worker needs to start. Everything else is sent over the port (port.ts). */
export interface ToMailWorker {
  type: "start";
  sources: ConfigSources;
  inherited: { master_key: Uint8Array };
}

/** `events`: the worker has written to the event log. */
export interface FromMailWorker {
  type: "ready" | "events";
}
