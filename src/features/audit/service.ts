import type { Position } from "../../http/cursor.ts";
import type { Caller } from "../../http/guard/caller.ts";
import { cutPage, type Page } from "../../http/paging.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Audit, AuditRecord } from "../../platform/ledger/audit.ts";
import type { AuditEntry } from "./model.ts";

export interface AuditFilter {
  action?: string;
  target?: string;
  limit: number;
}

/**
 * Returns the caller's audit rows, newest first. A key that is bound to one mailbox sees only its own changes, because
 * other rows may be about other mailboxes.
 */
export function auditPage(
  audit: Audit,
  caller: Caller,
  filter: AuditFilter,
  after: Position | null,
): Page<AuditRecord> {
  const { limit, action, target } = filter;
  const beforeId = after === null ? undefined : String(after[0]);
  const actor_id = caller.account_id === null ? undefined : caller.key.id;
  const rows = audit.list(caller.user_id, { limit: limit + 1, beforeId, action, target, actor_id });
  return cutPage(rows, limit, (row) => [row.id]);
}

/** Returns an audit row as the API shows it. */
export function viewAuditRow(row: AuditRecord): AuditEntry {
  return { ...row, at: isoTime(row.at) };
}
