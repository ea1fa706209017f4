import type { Clock } from "../../kernel/clock.ts";
import type { Grants } from "../grants/grants.ts";

/** Name of the clear setting that says since when the installation has an owner who can sign in. */
const CLAIMED_AT = "owner_claimed_at";

/** Whether someone has claimed the installation. Until then, anyone with the setup token can. */
export class OwnerClaim {
  constructor(
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  get isClaimed(): boolean {
    // Deleting the row in the database, or the register, does not free the installation again.
    return this.grants.isLost || this.grants.knows("settings", { key: CLAIMED_AT });
  }

  /** Of two at once one gets it. @returns false when it was claimed before */
  claim(): boolean {
    const now = this.clock.now();
    const row = { key: CLAIMED_AT, value: Buffer.from(String(now)), updated_at: now };
    return this.grants.batch(() => !this.isClaimed && this.grants.insert("settings", row, "replace"));
  }
}
