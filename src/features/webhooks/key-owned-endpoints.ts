import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { EndpointStore } from "./endpoints-store.ts";

/** More than any user can have. */
const MAX_EVENTS = 1_000;

/**
 * Disables the endpoints that these keys created for a user. Otherwise they would keep sending a former member's events
 * to the team. They stay visible, and the user can enable or delete them. The key that created an endpoint is known as
 * long as the audit log keeps the entry.
 */
export function disableKeyOwned(
  platform: Platform,
  user_id: string,
  keyIds: readonly string[],
  by: { actor: Actor; request_id: string | null },
): void {
  const { audit, db } = platform;
  const endpoints = new EndpointStore(platform);
  db.write(() => {
    const made = keyIds.flatMap((actor_id) =>
      audit.list(user_id, { limit: MAX_EVENTS, action: "webhook.create", actor_id }).map(({ target }) => target),
    );
    for (const id of made) {
      if (id === null || endpoints.get(id)?.user_id !== user_id || !endpoints.disable(id, "user")) continue;
      const [before, after] = [{ status: "active" }, { status: "disabled", reason: "left the team" }];
      audit.record({ user_id, ...by, action: "webhook.disable", target: id, before, after });
    }
  });
}
