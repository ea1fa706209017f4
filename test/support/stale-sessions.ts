import type { Platform } from "../../src/platform/platform.ts";

/** Makes every session too old to count as recently authenticated. */
export function backdateSessions({ db, grants }: Platform): void {
  const sessions = db.sql.query<{ id: string; proved_at: number }, []>("SELECT id, proved_at FROM sessions").all();
  for (const { id, proved_at } of sessions) grants.update("sessions", { id }, { proved_at: proved_at - 1_000_000 });
}
