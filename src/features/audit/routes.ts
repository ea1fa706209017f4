import { Type } from "@sinclair/typebox";
import { listOf, pageQuery } from "../../http/paging.ts";
import { type Route, read } from "../../http/route.ts";
import type { Audit } from "../../platform/ledger/audit.ts";
import { AuditEntry, auditQuery } from "./model.ts";
import { auditPage, viewAuditRow } from "./service.ts";

/** Returns the route that lists the caller's audit log. */
export function auditRoutes(audit: Audit): Route[] {
  return [
    read({
      method: "GET",
      path: "/audit",
      scope: "audit:read",
      operationId: "listAudit",
      tag: "Audit",
      summary: "List audit entries",
      description:
        "Lists every change, newest first. A key that is bound to one mailbox sees only the changes it made itself.",
      query: Type.Object({ ...pageQuery, ...auditQuery }),
      response: listOf(AuditEntry, "AuditList"),
      examples: { response: { data: [EXAMPLE], has_more: false } },
      handle: ({ query, caller, pager }) =>
        pager.reply("audit", auditPage(audit, caller, query, pager.after("audit", query.cursor)), viewAuditRow),
    }),
  ];
}

const EXAMPLE: AuditEntry = {
  id: "aud_01jz4t9h2m8q5r7v3w6x0y1z2a",
  actor: { kind: "key", id: "key_01jz4t8f0a1b2c3d4e5f6g7h8j" },
  action: "thread.update",
  target: "thr_01jz4t7k9m8n7p6q5r4s3t2v1w",
  before: { state: "inbox" },
  after: { state: "archived" },
  request_id: "req_01jz4t9h2m8q5r7v3w6x0y1z2b",
  at: "2026-03-02T09:00:00.000Z",
};
