import { Type } from "@sinclair/typebox";
import type { Caller } from "../../http/guard/caller.ts";
import { listOf, pageQuery } from "../../http/paging.ts";
import { type Route, read } from "../../http/route.ts";
import type { Audit } from "../../platform/ledger/audit.ts";
import { auditQuery, NamedAuditEntry } from "./model.ts";
import { auditPage, viewAuditRow } from "./service.ts";

/** What an id stands for. */
export interface Named {
  /** Null: it has no name of its own. */
  name: string | null;
  /** Path of its page on the settings page; null: there is none. */
  page: string | null;
}

/** Returns what an id stands for; null if it is unknown, deleted or not the caller's. */
export type AuditNames = (caller: Caller, id: string) => Named | null;

/** Returns the route of the settings page "Audit log": the entries of `GET /audit` with names. */
export function auditAppRoutes(audit: Audit, names: AuditNames): Route[] {
  return [
    read({
      method: "GET",
      path: "/audit",
      audience: "session",
      followsSandbox: true,
      query: Type.Object({ ...pageQuery, ...auditQuery }),
      response: listOf(NamedAuditEntry, "NamedAuditList"),
      handle: ({ query, caller, pager }) => {
        const known = new Map<string, Named | null>();
        const nameOf = (id: string | null) => {
          if (id === null) return null;
          if (!known.has(id)) known.set(id, names(caller, id));
          return known.get(id)!;
        };
        return pager.reply("audit", auditPage(audit, caller, query, pager.after("audit", query.cursor)), (row) => ({
          ...viewAuditRow(row),
          actor_name: nameOf(row.actor.id)?.name ?? null,
          target_name: nameOf(row.target)?.name ?? null,
          target_page: nameOf(row.target)?.page ?? null,
        }));
      },
    }),
  ];
}
