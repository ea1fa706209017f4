import type { CopyingState } from "../../src/backup/continuous/state.ts";

const PLACE = "s3://bucket/home";

/** The state of a continuous copy without any fault. */
export function copyingStateAt(now: number, changes: Partial<CopyingState> = {}): CopyingState {
  return {
    at: now,
    place: PLACE,
    // As src/backup/target.ts makes it.
    placeId: `${PLACE} at s3.us-east-1.amazonaws.com`,
    standby: true,
    lease: "held",
    holder: null,
    lease_error: null,
    last: now,
    since: now,
    pending_since: null,
    failing_since: null,
    failures: 0,
    error: null,
    base: { at: now, bytes: 1_000 },
    base_progress: null,
    bytes: 0,
    kept_objects: 0,
    warning: null,
    ...changes,
  };
}
