import type { LeaseBody } from "./body.ts";

/**
 * - late: it could not be renewed in time by a clock of this machine
 * - taken: another machine, or another process of this one, has taken it over
 * - missing: the object is gone, or someone put back an earlier version of this folder
 * - released: this process gave it up
 */
export type LossReason = "late" | "taken" | "missing" | "released";

/** The end of a lease. */
export interface Loss {
  reason: LossReason;
  /** The lease that replaced it, if it was read. */
  by: LeaseBody | null;
}

/**
 * - lost: the lease is not held (see `loss`)
 * - superseded: another machine has acted since; this folder does not have its changes
 * - alone: the holder acts without the lease, so waiting proves nothing, and a person must confirm that it is off
 * - active: the holder was confirmed to be off, but it is writing
 * - unreadable: the object is damaged or belongs to another installation
 * - refused: the store needs a person (credentials, rights, no conditional writes)
 * - unavailable: the store may work later. A write may have succeeded
 */
export type LeaseReason = "lost" | "superseded" | "alone" | "active" | "unreadable" | "refused" | "unavailable";

/** A failure of the lease. `message` is a whole sentence for people. */
export class LeaseFault extends Error {
  override readonly name = "LeaseFault";

  constructor(
    readonly reason: LeaseReason,
    message: string,
    /** The lease that is in the way, if it was read. */
    readonly by: LeaseBody | null = null,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}
