import { ALWAYS_PERMITTED, type Pause, type SendPermit } from "../../platform/acting.ts";

/** The continuous copy of a running server, and the lease that permits the server to act. */
export interface Copying extends SendPermit {
  /**
   * Starts copying, and waits a short time for the lease if one is needed.
   * @param changed called whenever the server must pause, or may act again (null)
   * @returns why the server must not act; null: it may
   */
  start(changed: (pause: Pause | null) => void): Promise<Pause | null>;
  /** The moment until which this server may act, for other threads (src/backup/lease/held.ts); null: no limit. */
  readonly held: SharedArrayBuffer | null;
  /** Uses the current master key and the current place for copies from now on. */
  renew(): void;
  /** Sends what is left, releases the lease and ends. */
  stop(): Promise<void>;
}

/** For a server without a continuous copy: it may always act. */
export const NO_COPYING: Copying = {
  ...ALWAYS_PERMITTED,
  start: () => Promise.resolve(null),
  held: null,
  renew: () => {},
  stop: () => Promise.resolve(),
};
