import type { Clock } from "../../kernel/clock.ts";
import type { Grants } from "../grants/grants.ts";

/** Name of the unsealed setting with the time since when the installation has an owner who can sign in. */
const CLAIMED_AT = "owner_claimed_at";

/** Records that the installation has an owner. Until then, anyone with the setup token can claim it. */
export class OwnerClaim {
  constructor(
    private readonly grants: Grants,
    private readonly clock: Clock,
  ) {}

  /** True once claimed. Deleting the row or the register does not make the installation claimable again. */
  get isClaimed(): boolean {
    return this.grants.isLost || this.grants.isRegistered("settings", { key: CLAIMED_AT });
  }

  /** Claims the installation. Of concurrent calls, one succeeds. @returns false if it was claimed before */
  claim(): boolean {
    const now = this.clock.now();
    const row = { key: CLAIMED_AT, value: Buffer.from(String(now)), updated_at: now };
    return this.grants.batch(() => !this.isClaimed && this.grants.insert("settings", row, "replace"));
  }
}
