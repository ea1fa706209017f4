import type { Caller } from "../../http/guard/caller.ts";
import type { RequestContext } from "../../http/request-context.ts";
import { isoTime } from "../../kernel/clock.ts";
import { ApiError, invalidParam, notFound } from "../../kernel/errors.ts";
import { planAllowsTools } from "../../kernel/plans.ts";
import { isScope, type Scope, TOOL_SCOPES } from "../../kernel/scopes.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { SendingPolicies } from "../../outbound/approvals/policies.ts";
import { planOfPrograms } from "../../platform/identity/program-limits.ts";
import type { AssistantToken } from "../../platform/identity/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import { viewConnection } from "./connections.ts";
import type { ConsentBody, ConsentView } from "./model.ts";
import { CONSENT_COOKIE } from "./paths.ts";
import { type PendingRequest, REQUEST } from "./request.ts";

const PLAN_MESSAGE = "Assistants require the Autopilot or Team plan. Change to one of them.";

/** A group of scopes as people see it (features/keys/scope-groups.ts). */
interface PermissionGroup {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  danger: boolean;
}

export interface ConsentParts {
  platform: Platform;
  accounts: Pick<Accounts, "list" | "owned">;
  permissionGroups: readonly PermissionGroup[];
  policies: Pick<SendingPolicies, "set">;
}

/**
 * The decision of a person about an authorization request. A request belongs to the browser that began it, by a cookie,
 * and to the first person who opens it there. Any other is not found.
 */
export class ConsentService {
  constructor(private readonly parts: ConsentParts) {}

  /** Describes a request, and binds it to the person. @throws ApiError not_found */
  show(caller: Caller, uid: string, context: RequestContext): ConsentView {
    const { platform, accounts, permissionGroups } = this.parts;
    const { users, connections } = platform;
    const row = this.#bound(caller, uid, context);
    const { client_id, redirect_uri } = row.payload.params;
    const asked = askedScopes(row);
    const person = this.#person(caller);
    const earlier = connections.live(person.id, client_id)[0];
    const { name, uri, redirect_host, verified } = row.payload.described;
    return {
      client_id,
      redirect_uri,
      name,
      uri,
      redirect_host,
      verified,
      permissions: permissionGroups.flatMap((group) => {
        const scopes = group.scopes.filter((scope) => asked.includes(scope));
        if (scopes.length === 0) return [];
        const granted = scopes.every((scope) => earlier?.scopes.includes(scope));
        const reads = scopes.every((scope) => scope.endsWith(":read"));
        const { name, title, description, danger } = group;
        return [{ name, title, description, scopes, danger, suggested: granted || (reads && !danger) }];
      }),
      mailboxes: accounts.list(person.id).map(({ id, email }) => ({ id, email })),
      connection: earlier ? viewConnection(users, earlier) : null,
      refusal: planAllowsTools(planOfPrograms(platform, person))
        ? null
        : { code: "plan_required", message: PLAN_MESSAGE, plan: person.plan },
      expires_at: isoTime(row.expires_at),
    };
  }

  /**
   * Grants the request. Connection, audit row and the result for the client are one transaction.
   * @returns where the browser must go
   * @throws ApiError not_found, plan_required, invalid_params
   */
  approve(caller: Caller, uid: string, given: ConsentBody, context: RequestContext): string {
    const { platform, accounts, policies } = this.parts;
    const { db, connections, assistantClients, users } = platform;
    return db.write(() => {
      const person = this.#person(caller);
      const user_id = given.sandbox ? users.sandboxOf(person.id).id : person.id;
      const account_id = given.account_id ?? null;
      if (account_id !== null) accounts.owned(user_id, account_id, "account_id");
      const row = this.#bound(caller, uid, context);
      if (!planAllowsTools(planOfPrograms(platform, person))) throw new ApiError("plan_required", PLAN_MESSAGE);
      const asked = askedScopes(row);
      const beyond = given.scopes.findIndex((scope) => !asked.includes(scope));
      if (beyond !== -1) throw invalidParam(`scopes[${beyond}]`, "The client did not ask for this scope.");
      const client = row.payload.described;
      const connection = connections.grant({ user_id, client, scopes: given.scopes, asked, account_id }, caller);
      if (given.confirm) {
        const { actor, request_id } = caller;
        policies.set(user_id, connection.id, { confirm: given.confirm }, { actor, request_id });
      }
      assistantClients.use(client.id);
      const params = { ...row.payload.params, scope: connection.scopes.join(" ") };
      const result = { login: { accountId: user_id, remember: false }, consent: { grantId: connection.id } };
      return this.#decide(uid, { ...row, payload: { ...row.payload, params, result } });
    });
  }

  /** Refuses the request. @returns where the browser must go @throws ApiError not_found */
  deny(caller: Caller, uid: string, context: RequestContext): string {
    return this.parts.platform.db.write(() => {
      const row = this.#bound(caller, uid, context);
      const result = { error: "access_denied", error_description: "The user denied the request." };
      return this.#decide(uid, { ...row, payload: { ...row.payload, result } });
    });
  }

  /** Returns a request that is still open, and binds it to the person who asks for it first. */
  #bound(caller: Caller, uid: string, context: RequestContext): AssistantToken<PendingRequest> {
    const { assistantTokens } = this.parts.platform;
    const row = context.cookie(CONSENT_COOKIE) === uid ? assistantTokens.find<PendingRequest>(REQUEST, uid) : null;
    const person = this.#person(caller);
    if (!row?.payload.described || row.payload.result || (row.user_id !== null && row.user_id !== person.id))
      throw notFound("request");
    if (row.user_id !== null) return row;
    const bound = { ...row, user_id: person.id };
    assistantTokens.put(REQUEST, uid, bound);
    return bound;
  }

  #decide(uid: string, row: AssistantToken<PendingRequest>): string {
    this.parts.platform.assistantTokens.put(REQUEST, uid, row);
    return row.payload.returnTo;
  }

  #person({ user }: Caller) {
    const { users } = this.parts.platform;
    return user.sandbox_of === null ? user : users.get(user.sandbox_of)!;
  }
}

function askedScopes({ payload }: AssistantToken<PendingRequest>): Scope[] {
  return payload.params.scope
    .split(" ")
    .filter((scope): scope is Scope => isScope(scope) && TOOL_SCOPES.includes(scope));
}
