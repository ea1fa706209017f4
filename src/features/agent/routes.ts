import { Type } from "@sinclair/typebox";
import { requireUnbound } from "../../http/guard/caller.ts";
import { cutPage, listOf, pageQuery } from "../../http/paging.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { AgentAction, AgentRun, viewAction } from "./model.ts";
import type { AgentService } from "./service.ts";

/** The methods of the service that the routes use, for drafts of any type. */
type Agent = Pick<AgentService, "run" | "list" | "undo" | "describe">;

/** Returns the routes that run the agent and list or undo its actions. */
export function agentRoutes(agent: Agent): Route[] {
  return [
    act({
      method: "POST",
      path: "/agent/run",
      scope: "agent:run",
      operationId: "runAgent",
      tag: "Agent",
      summary: "Run the agent on new mail",
      description:
        "Runs one pass over mail received since the last pass, at most seven days back. The agent only handles mail " +
        "from senders that a rule of kind `agent` covers. It labels, categorizes and archives where the mode and the " +
        "allow list permit, and writes drafts that wait for review. The agent never sends mail. Each draft spends 1 " +
        "credit.",
      response: AgentRun,
      examples: { response: { looked_at: 12, actions: [EXAMPLE], capped: false } },
      handle: async ({ caller, commit }) => {
        const { user, request_id } = caller;
        requireUnbound(caller);
        const { actions, ...result } = await agent.run(user, request_id);
        return commit(() => ({ ...result, actions: agent.describe(caller, actions).map(viewAction) }));
      },
    }),
    read({
      method: "GET",
      path: "/agent/actions",
      scope: "agent:read",
      operationId: "listAgentActions",
      tag: "Agent",
      summary: "List agent actions",
      description:
        "Lists what the agent did and why, newest first. Includes suggestions: actions that the rules did not permit " +
        "it to carry out.",
      query: Type.Object({ ...pageQuery }),
      response: listOf(AgentAction, "AgentActionList"),
      examples: { response: { data: [EXAMPLE], has_more: false } },
      handle: ({ query: { limit, cursor }, caller, pager }) => {
        const rows = agent.list(caller, pager.after("agent-actions", cursor), limit + 1);
        return pager.reply(
          "agent-actions",
          cutPage(agent.describe(caller, rows), limit, ({ id }) => [id]),
          viewAction,
        );
      },
    }),
    change({
      method: "POST",
      path: "/agent/actions/:id/undo",
      scope: "agent:run",
      operationId: "undoAgentAction",
      tag: "Agent",
      summary: "Undo an agent action",
      description:
        "Removes the labels that the agent added, restores the category and the inbox, and deletes its draft. Later " +
        "changes are kept. An action that was only suggested or is already undone, or whose draft was edited, is 400 " +
        "`invalid_params`.",
      params: { id: "agentAction" },
      response: AgentAction,
      errors: ["invalid_params", "draft_locked"],
      examples: { response: { ...EXAMPLE, state: "undone" as const, undo: null } },
      handle: ({ params, caller }) => {
        const [undone] = agent.describe(caller, [agent.undo(caller, params.id)]);
        return viewAction(undone!);
      },
    }),
  ];
}

const EXAMPLE: AgentAction = {
  id: "agt_01jz4t9h2m8q5r7v3w6x0y1z2a",
  thread_id: "thr_01jz4t9h2m8q5r7v3w6x0y1z2b",
  message_id: "msg_01jz4t9h2m8q5r7v3w6x0y1z2c",
  subject: "Contract for the spring campaign",
  from: { name: "Maya Costa", email: "maya@harbourline.example" },
  action: "triaged",
  mode: "autopilot",
  state: "done",
  reason: "The sender asks something that has not been answered yet.",
  engine: null,
  draft_id: null,
  changes: { labels: ["Needs reply"], category: null, archived: false },
  evidence: { message_id: "msg_01jz4t9h2m8q5r7v3w6x0y1z2c", quote: "Could you sign it?", start: 9, end: 27 },
  created_at: "2026-03-02T09:00:00.000Z",
  undo: { method: "POST", path: "/agent/actions/agt_01jz4t9h2m8q5r7v3w6x0y1z2a/undo" },
};
