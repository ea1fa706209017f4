import type { IdKind } from "../../src/kernel/ids.ts";
import { idsOf } from "./own-paths.ts";
import type { TwoPeople } from "./two-people.ts";

/**
 * Tables with people's data, and the columns that may change without their request: at a sign-in, or at the use of a
 * key.
 */
const TABLES: Partial<Record<IdKind, string>> = {
  thread: "threads",
  message: "messages",
  draft: "drafts",
  send: "sends",
  label: "labels",
  rule: "rules",
  contact: "contacts",
  contextProfile: "context_profiles",
  contextFile: "context_files",
  webhook: "webhook_endpoints",
  delivery: "webhook_deliveries",
  notificationTarget: "notification_targets",
  calendarEvent: "calendar_events",
  agentAction: "agent_actions",
  account: "accounts",
  passkey: "passkeys",
  key: "api_keys",
  connection: "assistant_connections",
  approval: "send_approvals",
  import: "imports",
  user: "users",
  team: "teams",
};
const BY_ITSELF = ["last_used_at"];

/** Returns each row of Eve's, and the owner's teams, keys and account, as text by id; removed ones are missing. */
export function rowsOf({ h, ada, eve, ada_owns }: TwoPeople): Map<string, string> {
  const rows = new Map<string, string>();
  for (const [kind, table] of Object.entries(TABLES) as [IdKind, string][]) {
    const owners = ada_owns && ["team", "key", "user"].includes(kind) ? idsOf(ada, kind) : [];
    for (const id of [...idsOf(eve, kind), ...owners]) {
      const row = h.platform.db.sql
        .query<object, [string]>(`SELECT * FROM ${table} WHERE ${kind === "label" ? "api_id" : "id"} = ?`)
        .get(id);
      if (!row) continue;
      const kept = Object.entries(row).filter(([name]) => !BY_ITSELF.includes(name));
      rows.set(
        id,
        JSON.stringify(kept, (_, value) => (value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value)),
      );
    }
  }
  return rows;
}

/** Returns entries of Eve's audit log about anyone except herself and her keys. */
export function actionsOfOthers({ h, eve }: TwoPeople): string[] {
  const own = new Set([eve.user_id, ...idsOf(eve, "key")]);
  return h.platform.db.sql
    .query<{ actor_id: string; action: string }, [string]>(
      "SELECT actor_id, action FROM audit WHERE user_id = ? AND actor_id IS NOT NULL",
    )
    .all(eve.user_id)
    .filter(({ actor_id }) => !own.has(actor_id))
    .map(({ actor_id, action }) => `${action} was done to ${eve.name} by ${actor_id}`);
}
