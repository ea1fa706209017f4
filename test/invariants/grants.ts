import type { Fixture } from "./finding.ts";

/**
 * Checks that every row that grants something is in the register unchanged, and that the register has no other rows.
 */
export function checkGrants({ platform, miss }: Fixture): void {
  if (platform.grants.isLost) miss("grants", "the register cannot be opened");
  for (const { table, row, what } of platform.grants.differences()) {
    miss("grants", `${table} ${row} is ${what}: it was not written through the register`);
  }
}
