import { act, change, type Route, read } from "../../http/route.ts";
import type { ConfirmedSends } from "../../outbound/approvals/service.ts";
import type { Platform } from "../../platform/platform.ts";
import { Approvals } from "./approvals.ts";
import { Assistants } from "./assistants.ts";
import {
  ApprovalCount,
  ApprovalList,
  ApprovalQuery,
  ApprovalView,
  Approved,
  AssistantList,
  PolicyPatch,
  PolicyView,
} from "./model.ts";

export interface ApprovalRouteParts {
  platform: Platform;
  sends: ConfirmedSends;
}

/** Defines the routes of the settings page for what assistants may send, and for the sends that wait for a person. */
export function approvalAppRoutes({ platform, sends }: ApprovalRouteParts): Route[] {
  const assistants = new Assistants(platform, sends.policies);
  const approvals = new Approvals(platform.users, sends);
  return [
    read({
      method: "GET",
      path: "/assistants",
      audience: "session",
      response: AssistantList,
      handle: ({ caller }) => assistants.list(caller),
    }),
    change({
      method: "PATCH",
      path: "/assistants/:id/policy",
      audience: "session",
      params: { id: "text" },
      body: PolicyPatch,
      response: PolicyView,
      handle: ({ caller, params, body, context }) => assistants.setPolicy(caller, params.id, body, context),
    }),
    read({
      method: "GET",
      path: "/approvals",
      audience: "session",
      query: ApprovalQuery,
      response: ApprovalList,
      handle: ({ caller, query }) => ({ data: approvals.list(caller, query.waiting ?? false) }),
    }),
    read({
      method: "GET",
      path: "/approvals/count",
      audience: "session",
      response: ApprovalCount,
      handle: ({ caller }) => ({ waiting: approvals.count(caller) }),
    }),
    read({
      method: "GET",
      path: "/approvals/:id",
      audience: "session",
      params: { id: "approval" },
      response: ApprovalView,
      handle: ({ caller, params }) => approvals.get(caller, params.id),
    }),
    act({
      method: "POST",
      path: "/approvals/:id/approve",
      audience: "session",
      params: { id: "approval" },
      response: Approved,
      errors: ["approval_closed", "draft_locked", "quota_exceeded"],
      handle: async ({ caller, params, commit }) => {
        // The error that reports the change would roll back a change of the state in the transaction of the reply.
        approvals.closeIfChanged(caller, params.id);
        return commit(() => approvals.approve(caller, params.id));
      },
    }),
    change({
      method: "POST",
      path: "/approvals/:id/reject",
      audience: "session",
      params: { id: "approval" },
      response: ApprovalView,
      errors: ["approval_closed"],
      handle: ({ caller, params }) => {
        approvals.reject(caller, params.id);
        return approvals.get(caller, params.id);
      },
    }),
  ];
}
