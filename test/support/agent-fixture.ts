import { expect } from "bun:test";
import type { AgentAction } from "../../src/features/agent/model.ts";
import { draftRoutes } from "../../src/features/drafts/routes.ts";
import type { ConfigValues } from "../../src/platform/config/table.ts";
import { type AiFixture, aiFixture } from "./ai-fixture.ts";

/** The clock of the harness. */
const NOW = Date.parse("2026-03-02T09:00:00Z");
export const daysAgo = (days: number): number => NOW - days * 86_400_000;

/** A mailbox for the agent, with the calls that its tests repeat. */
export interface AgentFixture extends AiFixture {
  /** Grants the agent permission for mail from acme.example. */
  permit(mode: string, ...allow: string[]): void;
  /** Runs one pass of the agent and checks its evidence against the mail. */
  run(): Promise<AgentAction[]>;
  undo(id: string): ReturnType<AiFixture["h"]["call"]>;
  /** Mail that needs an answer, and mail that needs none. */
  question(more?: object): ReturnType<AiFixture["seeded"]["deliver"]>;
  newsletter(more?: object): ReturnType<AiFixture["seeded"]["deliver"]>;
  scope(): { user_id: string; account_id: null };
  labels(thread_id: string): string[];
  state(thread_id: string): string;
  category(message_id: string): string;
  drafts(): ReturnType<AiFixture["outbound"]["drafts"]["list"]>;
}

export const kinds = (actions: readonly AgentAction[]): string[] =>
  actions.map(({ action, state }) => `${action} ${state}`);

export function agentFixture(config: Partial<ConfigValues> = {}): AgentFixture {
  const s = aiFixture({ config }, (_platform, { accounts }, outbound, ai) =>
    draftRoutes({ accounts, drafts: outbound.drafts, files: outbound.draftFiles, ai: ai.drafting }),
  );
  const scope = () => ({ user_id: s.h.user.id, account_id: null });
  return {
    ...s,
    scope,
    permit(mode, ...allow) {
      const actions = [
        { type: "setMode" as const, value: mode },
        ...allow.map((value) => ({ type: "allow" as const, value })),
      ];
      s.people.rules.create(
        { ...scope(), actor: { kind: "user", id: null }, request_id: null },
        { kind: "agent", conditions: [{ field: "from_domain", op: "equals", value: "acme.example" }], actions },
      );
    },
    async run() {
      const { status, json } = await s.h.call("POST", "/agent/run");
      expect(status).toBe(200);
      for (const { evidence } of json.actions) {
        if (evidence) expect(s.slice(evidence.message_id, evidence.start, evidence.end)).toBe(evidence.quote);
      }
      return json.actions;
    },
    undo: (id) => s.h.call("POST", `/agent/actions/${id}/undo`),
    question: (more = {}) =>
      s.seeded.deliver(
        s.fromBob("Hi Ada,\n\ncan you sign the contract by Friday?\n\nBob", { at: daysAgo(1), ...more }),
      ),
    newsletter: (more = {}) =>
      s.seeded.deliver(
        s.fromBob("Spring sale! Click to unsubscribe.", { at: daysAgo(1), category: "promotions", ...more }),
      ),
    labels: (thread_id) => s.mailbox.threadQueries.get(scope(), thread_id).labels,
    state: (thread_id) => s.mailbox.threadQueries.owned(scope(), thread_id).state,
    category: (id) => s.mailbox.messageQueries.get(scope(), id).category,
    drafts: () => s.outbound.drafts.list(scope(), null, 100),
  };
}
