import type { Pause } from "../../platform/acting.ts";
import type { Lease } from "../lease/lease.ts";
import type { LogPart } from "../log/log-part.ts";
import type { LogStatus } from "../log/writer-state.ts";
import type { BackupTarget } from "../target.ts";
import type { CopyingState, LeaseHolder } from "./state.ts";

export interface Reported {
  at: number;
  target: BackupTarget;
  standby: boolean;
  pause: Pause | null;
  lease: Pick<Lease, "held" | "body"> | null;
  /** The machine that acts instead. */
  replacedBy: LeaseHolder | null;
  /** The failure to open the place or to get the lease. */
  fault: { since: number; count: number; message: string } | null;
  /** Since when no one has looked for changes, while there is no writer, ms. */
  unwatchedSince: number;
  /** Null while the lease is not held. */
  writer: LogStatus | null;
}

/** Returns the state of the continuous copy for people. */
export function stateOf(reported: Reported): CopyingState {
  const { at, target, standby, pause, lease, replacedBy, fault, unwatchedSince, writer } = reported;
  const log = (lease?.body?.log ?? null) as LogPart | null;
  const newest = log?.bases.at(-1) ?? null;
  // Until there is a writer, no one looks for changes, and there may be some.
  const pending_since = writer ? (writer.lagMs > 0 ? at - writer.lagMs : null) : unwatchedSince;
  return {
    at,
    place: target.text,
    placeId: target.id,
    standby,
    lease: leaseOf(pause, lease),
    holder: replacedBy,
    lease_error: pause && (fault?.message ?? null),
    last: writer?.copiedAt ?? log?.head?.at ?? null,
    since: writer?.since ?? log?.bases[0]?.at ?? null,
    pending_since,
    failing_since: writer?.failingSince ?? fault?.since ?? null,
    failures: (writer?.failures ?? 0) + (fault?.count ?? 0),
    error: writer?.error ?? fault?.message ?? null,
    base: newest && { at: newest.at, bytes: newest.bytes },
    base_progress: writer?.base ?? null,
    bytes: writer?.bytes ?? 0,
    kept_objects: writer?.kept ?? 0,
    warning: writer?.warning ?? null,
  };
}

function leaseOf(pause: Pause | null, lease: Reported["lease"]): CopyingState["lease"] {
  if (pause) return pause.reason;
  return lease?.held ? "held" : "none";
}
