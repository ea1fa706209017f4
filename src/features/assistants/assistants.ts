import type { Caller } from "../../http/guard/caller.ts";
import { requireRecentAuth } from "../../http/guard/recent-auth.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { isoTime } from "../../kernel/clock.ts";
import { notFound } from "../../kernel/errors.ts";
import { planAllowsTools } from "../../kernel/plans.ts";
import { TOOL_SCOPES } from "../../kernel/scopes.ts";
import type { CONFIRM_MODES } from "../../outbound/approvals/modes.ts";
import type { SendingPolicies, SendingPolicy } from "../../outbound/approvals/policies.ts";
import type { Connection } from "../../platform/identity/connections.ts";
import { type ApiKey, keyUsable, TEST_PREFIX } from "../../platform/identity/keys.ts";
import { planOfPrograms } from "../../platform/identity/program-limits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { AssistantList, AssistantView, PolicyPatch } from "./model.ts";

/** The keys and connections of a person that can use the tools, and how they may send. */
export class Assistants {
  constructor(
    private readonly platform: Platform,
    private readonly policies: SendingPolicies,
  ) {}

  /** Returns the usable keys and connections, those to the sandbox included, newest first. */
  list(caller: Caller): AssistantList {
    const person = this.platform.users.get(personOf(caller))!;
    const data = this.#all(caller).sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return { plan: person.plan, allowed: planAllowsTools(planOfPrograms(this.platform, person)), data };
  }

  /**
   * Changes how a key or connection may send. @throws ApiError not_found; proof_required if the change loosens the
   * policy and the last authentication is not recent
   */
  setPolicy(caller: Caller, id: string, patch: PolicyPatch, { session }: RequestContext): SendingPolicy {
    const { platform, policies } = this;
    const { actor, request_id } = caller;
    const user_id = this.#ownerOf(caller, id);
    const before = policies.of(id);
    if (loosens(before, { ...before, ...patch })) requireRecentAuth(session, platform.clock.now());
    return policies.set(user_id, id, patch, { actor, request_id });
  }

  #all(caller: Caller): AssistantView[] {
    const { keys, connections, clock, users } = this.platform;
    const userIds = users.rowsOf(personOf(caller));
    const now = clock.now();
    return [
      ...keys
        .list(userIds)
        .filter((key) => keyUsable(key, now) && key.scopes.some((scope) => TOOL_SCOPES.includes(scope)))
        .map((key) => this.#viewKey(key)),
      ...connections
        .list(userIds)
        .filter(({ revoked_at }) => revoked_at === null)
        .map((connection) => this.#viewConnection(connection)),
    ];
  }

  /** Returns the user of a usable key or connection of the caller: the person or their sandbox. @throws ApiError */
  #ownerOf(caller: Caller, id: string): string {
    const { keys, connections } = this.platform;
    if (!this.#all(caller).some((known) => known.id === id)) throw notFound("assistant");
    return (keys.get(id) ?? connections.get(id))!.user_id;
  }

  #viewKey(key: ApiKey): AssistantView {
    const { id, name, hint, scopes, account_id, tools_only, created_at, last_used_at } = key;
    return {
      ...{ id, kind: "key", name, hint, host: null, verified: false, scopes, account_id, tools_only },
      sandbox: hint.startsWith(TEST_PREFIX),
      ...times(created_at, last_used_at),
      policy: this.policies.of(id),
    };
  }

  #viewConnection(connection: Connection): AssistantView {
    const { id, user_id, client, scopes, account_id, created_at, last_used_at } = connection;
    const { name, redirect_host, verified } = client;
    return {
      ...{ id, kind: "connection", name, hint: null, host: redirect_host, verified, scopes, account_id },
      tools_only: true,
      sandbox: this.platform.users.get(user_id)?.sandbox_of !== null,
      ...times(created_at, last_used_at),
      policy: this.policies.of(id),
    };
  }
}

/** Returns the id of the person, whether the session shows their mail or their sandbox. */
export function personOf({ user }: Pick<Caller, "user">): string {
  return user.sandbox_of ?? user.id;
}

/** Ways to confirm a send, from the strictest to the loosest. */
const STRICTNESS: readonly (typeof CONFIRM_MODES)[number][] = ["approve", "ask", "token"];

function loosens(before: SendingPolicy, after: SendingPolicy): boolean {
  return (
    STRICTNESS.indexOf(after.confirm) > STRICTNESS.indexOf(before.confirm) ||
    (before.recipients === "known" && after.recipients === "anyone") ||
    after.sends_per_day > before.sends_per_day
  );
}

function times(created_at: number, last_used_at: number | null) {
  return {
    created_at: isoTime(created_at),
    last_used_at: last_used_at === null ? null : isoTime(last_used_at),
  };
}
