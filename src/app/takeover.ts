import { readTakeoverNote, removeTakeoverNote } from "../backup/standby/takeover-note.ts";
import type { Fault } from "../features/notifications/sources.ts";
import { isoTime } from "../kernel/clock.ts";
import { SYSTEM_ACTOR } from "../platform/ledger/audit.ts";
import type { Platform } from "../platform/platform.ts";

const ACTION = "server.takeover";
/** Later, a takeover is no news. */
const TOLD_MS = 7 * 86_400_000;

/** Moves what a promotion noted to the audit log of each owner. Killed at any moment, it can be called again. */
export function recordTakeover(platform: Platform): void {
  const { db, audit, users, config } = platform;
  const note = readTakeoverNote(config.data_dir);
  if (!note) return;
  const { primary, machine, at } = note;
  // Before the note is gone, it must be on the disk.
  db.write(() => {
    for (const { id: user_id, role } of users.list()) {
      if (role !== "owner" || lastTakeover(platform, user_id)?.at === at) continue;
      const before = { machine: primary };
      const after = { machine, at: isoTime(at) };
      audit.record({ user_id, actor: SYSTEM_ACTOR, action: ACTION, target: null, before, after });
    }
  });
  removeTakeoverNote(config.data_dir);
}

/** Returns what to tell an owner about a takeover of the last days; null if there was none. */
export function takeoverFault(platform: Platform, user_id: string): Fault | null {
  const last = lastTakeover(platform, user_id);
  if (!last || platform.clock.now() - last.at >= TOLD_MS) return null;
  const { at, machine, primary } = last;
  const from = primary === null ? "" : ` from ${primary}`;
  const detail = `${machine} took over${from} at ${isoTime(at)} and now sends and receives. If you did not do this, check both machines and the access to the place for copies.`;
  return {
    key: `takeover ${at}`,
    content: { kind: "health", what: "check", name: "another machine took over", detail, page: "backup" },
    patienceMs: 0,
  };
}

function lastTakeover({ audit }: Platform, user_id: string) {
  const [row] = audit.list(user_id, { limit: 1, action: ACTION });
  if (!row) return null;
  const { machine: primary } = row.before as { machine: string | null };
  const { machine, at } = row.after as { machine: string; at: string };
  return { primary, machine, at: Date.parse(at) };
}
