import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";

/** Name of the clear setting that says since when the installation has an owner who can sign in. */
const CLAIMED_AT = "owner_claimed_at";

/** Whether somebody has taken the installation over: until then whoever has the setup token may. */
export class OwnerClaim {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
  ) {}

  get isClaimed(): boolean {
    return this.db.sql.query("SELECT 1 FROM settings WHERE key = ?").get(CLAIMED_AT) !== null;
  }

  /** Of two at once one gets it. @returns false when it was claimed before */
  claim(): boolean {
    const now = this.clock.now();
    return (
      this.db.sql
        .query("INSERT OR IGNORE INTO settings (key, value, updated_at) VALUES (?, ?, ?)")
        .run(CLAIMED_AT, Buffer.from(String(now)), now).changes > 0
    );
  }
}
