import type { Account } from "../../mailbox/accounts/accounts.ts";
import type { Locations } from "../../mailbox/store/locations.ts";

/** The location of a message's copy on its server. */
export interface PartLocation {
  path: string;
  uidvalidity: number;
  uid: number;
}

/**
 * Returns where a message can be fetched, the inbox first. Folders whose UIDs became void are left out, and views are
 * never opened.
 */
export function partLocations(locations: Locations, account: Account, message_id: string): PartLocation[] {
  return (locations.ofMessages(account, [message_id]).get(message_id) ?? [])
    .flatMap(({ folder: { path, uidvalidity, role, view_of }, uid }) =>
      uidvalidity === null || view_of !== null ? [] : [{ path, uidvalidity, uid, last: Number(role !== "inbox") }],
    )
    .sort((a, b) => a.last - b.last)
    .map(({ path, uidvalidity, uid }) => ({ path, uidvalidity, uid }));
}
