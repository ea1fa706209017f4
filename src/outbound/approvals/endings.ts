import { ApiError } from "../../kernel/errors.ts";
import { type Actor, SYSTEM_ACTOR } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { isUsable } from "./credentials.ts";
import { CLOSED } from "./modes.ts";
import { SendingPolicies } from "./policies.ts";
import { type Approval, ApprovalStore } from "./store.ts";

/** The author of a decision, for the audit row. */
export interface DecidedBy {
  actor: Actor;
  request_id?: string | null;
}

const BY_POSTROOM: DecidedBy = { actor: SYSTEM_ACTOR };

/** Ends approvals that wait. Each end is recorded in the audit log. */
export class ApprovalEndings {
  readonly #store: ApprovalStore;
  readonly #policies: SendingPolicies;

  constructor(private readonly platform: Platform) {
    this.#store = new ApprovalStore(platform);
    this.#policies = new SendingPolicies(platform);
  }

  /** Withdraws what waits, and removes the sending rules, in the transaction of each revocation in this process. */
  followRevocations(): void {
    this.platform.keys.whenRevoked((credential_id, by) => {
      for (const approval of this.#store.waitingOf("credential_id", credential_id)) {
        this.close(by, approval, "withdrawn");
      }
      this.#policies.remove(credential_id);
    });
  }

  /** Ends an approval that waits. @throws ApiError approval_closed */
  close(by: DecidedBy, { id, user_id, state }: Approval, to: Parameters<ApprovalStore["decide"]>[1], send_id?: string) {
    this.platform.db.write(() => {
      if (!this.#store.decide(id, to, send_id)) throw closed(state === "waiting" ? "expired" : state);
      const { actor, request_id } = by;
      const after = { state: to, ...(send_id && { send_id }) };
      const action = `approval.${to}`;
      this.platform.audit.record({ user_id, actor, action, target: id, before: { state }, after, request_id });
    });
  }

  /**
   * Checks that an approval waits. One whose credential was revoked in another process is withdrawn and stays so,
   * therefore this must not be called in a transaction that the error rolls back.
   * @throws ApiError approval_closed
   */
  requireWaiting(approval: Approval): void {
    if (approval.state !== "waiting") throw closed(approval.state);
    if (isUsable(this.platform, approval.credential_id)) return;
    this.close(BY_POSTROOM, approval, "withdrawn");
    throw closed("withdrawn");
  }

  /** Ends an approval whose draft has changed. @throws ApiError approval_closed, always */
  refuseChanged(by: DecidedBy, approval: Approval): never {
    this.close(by, approval, "void");
    throw closed("void");
  }

  /** Ends the approvals of a draft that is being sent. */
  voidOf(by: DecidedBy, draft_id: string): void {
    for (const approval of this.#store.waitingOf("draft_id", draft_id)) this.close(by, approval, "void");
  }

  /** Withdraws what credentials asked that are no longer live, and removes their sending rules. */
  sweep(): void {
    this.platform.db.write(() => {
      for (const approval of this.#store.allWaiting()) {
        if (!isUsable(this.platform, approval.credential_id)) this.close(BY_POSTROOM, approval, "withdrawn");
      }
      for (const id of this.#policies.credentialIds()) if (this.#hasEnded(id)) this.#policies.remove(id);
    });
  }

  /** Returns whether a credential never works again. One whose row someone hid in the database file could be put back. */
  #hasEnded(id: string): boolean {
    const { keys, connections, grants } = this.platform;
    const known = keys.get(id) ?? connections.get(id);
    if (known) return known.revoked_at !== null;
    return !grants.isRegistered("api_keys", { id }) && !grants.isRegistered("assistant_connections", { id });
  }
}

function closed(state: keyof typeof CLOSED): ApiError {
  return new ApiError("approval_closed", CLOSED[state]);
}
