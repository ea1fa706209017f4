import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SendingPolicyRow } from "./tables.ts";

/** The rules for sending through the tool server with a key or connection. */
export type SendingPolicy = Pick<SendingPolicyRow, "confirm" | "recipients" | "sends_per_day">;

const DEFAULT_POLICY: SendingPolicy = { confirm: "ask", recipients: "known", sends_per_day: 20 };
/** For a policy whose row was changed or deleted outside Postroom: it may have been stricter than the defaults. */
const STRICTEST_POLICY: SendingPolicy = { confirm: "approve", recipients: "known", sends_per_day: 1 };

/** The sending policies of keys and connections. They grant something, so the register covers them. */
export class SendingPolicies {
  constructor(private readonly platform: Platform) {}

  /** Returns the policy of a credential. If its row does not count any more, it is the strictest one. */
  of(credential_id: string): SendingPolicy {
    const { db, grants } = this.platform;
    const row = db.sql
      .query<SendingPolicyRow, [string]>(
        "SELECT credential_id, user_id, confirm, recipients, sends_per_day FROM sending_policies WHERE credential_id = ?",
      )
      .get(credential_id);
    const held = grants.checked("sending_policies", row);
    if (!held) return grants.isRegistered("sending_policies", { credential_id }) ? STRICTEST_POLICY : DEFAULT_POLICY;
    const { confirm, recipients, sends_per_day } = held;
    return { confirm, recipients, sends_per_day };
  }

  /** Returns the policies of a user that differ from the defaults. */
  list(user_id: string): SendingPolicyRow[] {
    const { db, grants } = this.platform;
    return db.sql
      .query<SendingPolicyRow, [string]>(
        `SELECT credential_id, user_id, confirm, recipients, sends_per_day FROM sending_policies
         WHERE user_id = ? ORDER BY credential_id`,
      )
      .all(user_id)
      .flatMap((row) => grants.checked("sending_policies", row) ?? []);
  }

  /** Changes the given fields, and records it. @returns the policy that applies from now on */
  set(user_id: string, credential_id: string, patch: Partial<SendingPolicy>, by: PolicyChange): SendingPolicy {
    const { db, grants, audit } = this.platform;
    return db.write(() => {
      const before = this.of(credential_id);
      const after = { ...before, ...patch };
      grants.insert("sending_policies", { credential_id, user_id, ...after }, "replace");
      const { actor, request_id } = by;
      audit.record({ user_id, actor, action: "assistant.policy", target: credential_id, before, after, request_id });
      return after;
    });
  }

  /** Returns the credentials that have a stored policy. */
  credentialIds(): string[] {
    return this.platform.db.sql
      .query<Pick<SendingPolicyRow, "credential_id">, []>("SELECT credential_id FROM sending_policies")
      .all()
      .map(({ credential_id }) => credential_id);
  }

  /** Removes the policy of a revoked credential. Without one, the defaults apply, which are strict. */
  remove(credential_id: string): void {
    const { grants } = this.platform;
    if (this.credentialIds().includes(credential_id) || grants.isRegistered("sending_policies", { credential_id })) {
      grants.remove("sending_policies", { credential_id });
    }
  }
}

interface PolicyChange {
  actor: Actor;
  request_id: string | null;
}
