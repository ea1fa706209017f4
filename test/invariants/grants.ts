import type { Fixture } from "./finding.ts";

/** Every row that grants something is in the register as it is, and the register has no other rows. */
export function checkGrants({ platform, miss }: Fixture): void {
  if (platform.grants.isLost) miss("grants", "the register does not open");
  for (const { table, row, what } of platform.grants.differences()) {
    miss("grants", `${table} ${row} is ${what}: it was not written through the register`);
  }
}
