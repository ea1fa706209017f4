import type { AuditNames, Named } from "../features/audit/app-routes.ts";
import { TargetStore } from "../features/notifications/targets-store.ts";
import { EndpointStore } from "../features/webhooks/endpoints-store.ts";
import type { Caller } from "../http/guard/caller.ts";
import { ApiError } from "../kernel/errors.ts";
import { ID_PREFIXES, type IdKind, isId } from "../kernel/ids.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { newestMessage } from "../mailbox/queries/newest.ts";
import { ApprovalStore } from "../outbound/approvals/store.ts";
import type { Outbound } from "../outbound/outbound.ts";
import type { Platform } from "../platform/platform.ts";
import type { PeopleServices } from "./people.ts";

export interface AuditNameParts {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
}

type Find = (caller: Caller, id: string) => Named | null;

/**
 * Returns the names of what entries of the audit log are about. An id can be anyone's, because refused attempts are
 * recorded too: only what belongs to the caller has a name.
 */
export function auditNames({ platform, mailbox, outbound, people }: AuditNameParts): AuditNames {
  const { keys, connections, users } = platform;
  const approvals = new ApprovalStore(platform);
  const endpoints = new EndpointStore(platform);
  const targets = new TargetStore(platform);
  const own = ({ user }: Caller) => users.rowsOf(user.sandbox_of ?? user.id);
  const isOwn = (caller: Caller, user_id: string | undefined) => user_id !== undefined && own(caller).includes(user_id);
  const draft = (caller: Caller, id: string): Named => ({
    name: outbound.drafts.get(caller, id).subject,
    page: `drafts/${id}`,
  });
  const find: Partial<Record<IdKind, Find>> = {
    key(caller, id) {
      const key = keys.get(id);
      // An organization key acts for this person, too.
      if (!key || (key.team_id === null && !isOwn(caller, key.user_id))) return null;
      return { name: key.name, page: "keys" };
    },
    connection(caller, id) {
      const connection = connections.get(id);
      return isOwn(caller, connection?.user_id) ? { name: connection!.client.name, page: "assistants" } : null;
    },
    user(caller, id) {
      if (isOwn(caller, id)) return { name: null, page: null };
      return caller.user.role === "owner" ? { name: users.get(id)?.email ?? null, page: "people" } : null;
    },
    rule(caller, id) {
      const rule = people.rules.list(caller).find((candidate) => candidate.id === id);
      return rule ? { name: rule.name, page: "rules" } : null;
    },
    account(caller, id) {
      const account = mailbox.accounts.get(id);
      return account?.user_id === caller.user_id ? { name: account.email, page: `mailboxes/${id}` } : null;
    },
    thread(caller, id) {
      mailbox.threadQueries.owned(caller, id);
      return { name: newestMessage(platform, caller.user_id, id)?.subject ?? null, page: `threads/${id}` };
    },
    message(caller, id) {
      return { name: mailbox.messageQueries.get(caller, id).head.subject, page: `messages/${id}` };
    },
    draft,
    send(caller, id) {
      const send = outbound.sends.get(id);
      return send?.user_id === caller.user_id && send.draft_id !== null ? draft(caller, send.draft_id) : null;
    },
    approval(caller, id) {
      const approval = approvals.get(caller.user_id, id);
      return approval && { name: approval.preview.subject, page: `approvals/${id}` };
    },
    webhook(caller, id) {
      const endpoint = endpoints.get(id);
      return endpoint?.user_id === caller.user_id ? { name: endpoint.url, page: `webhooks/${id}` } : null;
    },
    notificationTarget(caller, id) {
      const target = targets.get(id);
      return isOwn(caller, target?.user_id) ? { name: target!.address.name, page: "notifications" } : null;
    },
    contact(caller, id) {
      const { name, email } = people.contacts.queries.get(caller, id);
      return { name: name || email, page: null };
    },
    contextProfile: ({ user_id }, id) => ({ name: people.context.profile(user_id, id).domain, page: null }),
  };
  const kinds = Object.keys(ID_PREFIXES) as IdKind[];
  return (caller, id) => {
    const kind = kinds.find((candidate) => isId(candidate, id));
    try {
      return (kind && find[kind]?.(caller, id)) ?? null;
    } catch (error) {
      // It was deleted.
      if (error instanceof ApiError && error.code === "not_found") return null;
      throw error;
    }
  };
}
