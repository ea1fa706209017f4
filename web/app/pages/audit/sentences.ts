import type { NamedAuditEntry } from "../../../../src/features/audit/model.ts";

/** What each action did, as the part of a sentence between its author and its object. */
export const DONE: Readonly<Record<string, string>> = {
  "account.connect": "connected the mailbox",
  "account.disconnect": "removed the mailbox",
  "account.export": "started an export of the mailbox",
  "account.exported": "finished an export of the mailbox",
  "account.primary": "made this the primary mailbox:",
  "account.update": "changed the settings of the mailbox",
  "agent.undo": "undid an action of the agent",
  "ai.endpoint": "changed the language model",
  "approval.approved": "approved the message",
  "approval.rejected": "rejected the message",
  "approval.request": "asked for approval to send",
  "approval.void": "closed the request to send",
  "approval.withdrawn": "withdrew the request to send",
  "assistant.policy": "changed the sending rules of",
  "assistant.refused": "was refused a change of",
  "backup.create": "made a backup",
  "backup.settings": "changed the settings of backups",
  "backup.target": "changed the place of the copies of backups",
  "backup.test": "tested a place for copies of backups",
  "brief.generate": "created a brief",
  "brief.settings": "changed the settings of the brief",
  "calendar.cancel": "canceled the event",
  "calendar.conflict": "found two versions of the event",
  "calendar.connect": "connected the calendar",
  "calendar.create": "created the event",
  "calendar.delete": "deleted the event",
  "calendar.disconnect": "disconnected the calendar",
  "calendar.feed.close": "closed the calendar feed",
  "calendar.feed.renew": "created a new address of the calendar feed",
  "calendar.invite": "added the invitation",
  "calendar.remote_create": "added an event from the calendar server:",
  "calendar.remote_delete": "removed an event that was deleted on the server:",
  "calendar.remote_update": "took over a change of the calendar server:",
  "calendar.reply": "recorded a reply to the event",
  "calendar.update": "changed the event",
  "connection.create": "connected the assistant",
  "connection.revoke": "revoked the assistant",
  "connection.update": "changed the permissions of the assistant",
  "contact.import": "imported contacts",
  "contact.update": "changed the contact",
  "context.file.add": "added the context file",
  "context.file.delete": "deleted the context file",
  "context.profile.create": "created the client profile",
  "context.profile.delete": "deleted the client profile",
  "context.profile.update": "changed the client profile",
  "context.variable.delete": "deleted the variable",
  "context.variable.set": "set the variable",
  "draft.attach": "attached a file to the draft",
  "draft.create": "wrote the draft",
  "draft.delete": "deleted the draft",
  "draft.detach": "removed a file from the draft",
  "draft.update": "changed the draft",
  "grants.accept": "accepted rows that were changed outside Postroom",
  "import.cancel": "canceled the import",
  "import.start": "started an import of mail",
  "invitation.accept": "accepted the invitation and set a password",
  "key.create": "created the API key",
  "key.revoke": "revoked the API key",
  "label.add": "added a label to the thread",
  "label.create": "created the label",
  "label.delete": "deleted the label",
  "label.rename": "renamed a label to",
  "limits.programs": "changed the limits for programs",
  "mcp.settings": "changed the settings of the tool server",
  "member.add": "added the member",
  "member.invite": "invited the member",
  "member.withdraw": "withdrew the invitation of the member",
  "message.categorize": "changed the category of a message",
  "message.unsubscribe": "unsubscribed from a mailing list",
  "notification.create": "added the notification target",
  "notification.delete": "deleted the notification target",
  "notification.failing": "stopped sending to the notification target",
  "notification.settings": "changed the settings of notifications",
  "notification.test": "tested the notification target",
  "notification.update": "changed the notification target",
  "oauth_client.delete": "deleted the OAuth client",
  "oauth_client.update": "changed the OAuth client",
  "passkey.create": "added a passkey",
  "passkey.delete": "removed a passkey",
  "passkey.use": "signed in with a passkey",
  "password.change": "changed the password",
  "program.rollback": "returned to an earlier version of Postroom",
  "program.update": "updated Postroom",
  "recovery_key.create": "created a recovery key",
  "rule.apply": "applied rules to the thread",
  "rule.apply_all": "applied a rule to existing mail",
  "rule.create": "created the rule",
  "rule.delete": "deleted the rule",
  "rule.reorder": "changed the order of rules",
  "rule.update": "changed the rule",
  "send.cancel": "canceled the send of",
  "send.declined": "was not allowed to send",
  "send.failed": "could not send",
  "send.refused": "was refused when it tried to send",
  "send.schedule": "scheduled the message",
  "send.sent": "sent the message",
  "session.create": "signed in",
  "session.prove": "confirmed the sign-in",
  "session.refuse": "refused a sign-in",
  "session.revoke": "signed out",
  "session.revoke_others": "signed out all other browsers",
  setup: "set up Postroom",
  "team.create": "created the team",
  "team.invite": "invited a person to the team",
  "team.join": "joined the team",
  "team.leave": "left the team",
  "team.remove": "removed a person from the team",
  "thread.update": "changed the thread",
  "thread.update.refused": "could not change the thread on the mail server:",
  "thread.wake": "moved the snoozed thread back to the inbox:",
  "totp.backup_code": "used a backup code",
  "totp.off": "turned off the authenticator app",
  "totp.on": "turned on the authenticator app",
  "user.create": "added the person",
  "user.erase": "deleted the person",
  "user.export": "exported the data of",
  "user.plan": "changed the plan of",
  "user.update": "changed the profile of",
  "webhook.create": "created the webhook",
  "webhook.delete": "deleted the webhook",
  "webhook.disable": "disabled the webhook",
  "webhook.redeliver": "delivered an event again to the webhook",
  "webhook.rotate_secret": "replaced the signing secret of the webhook",
  "webhook.test": "tested the webhook",
  "webhook.update": "changed the webhook",
};

const UNNAMED: Record<NamedAuditEntry["actor"]["kind"], string> = {
  key: "An API key",
  user: "You",
  assistant: "An assistant",
  rule: "A rule",
  agent: "The agent",
  system: "Postroom",
};

/** Fields of a stored value that name the object, best first. */
const NAMING = ["name", "subject", "email", "title", "domain", "url", "key", "label"];

export interface Sentence {
  /** The key, assistant, rule or person, and the tool: "Claude, send_draft". */
  who: string;
  did: string;
  /** The name of the object; null: it has none. */
  object: string | null;
  /** Path of its page. */
  page: string | null;
}

/** Describes an entry of the audit log. */
export function sentenceOf(entry: NamedAuditEntry): Sentence {
  const { actor, action, after, before, actor_name, target_name, target_page } = entry;
  const name = actor_name ?? UNNAMED[actor.kind];
  const did = DONE[action] ?? `recorded ${action}`;
  const object = target_name || nameIn(after) || nameIn(before) || null;
  return { who: actor.tool ? `${name}, ${actor.tool}` : name, did, object, page: target_page };
}

function nameIn(value: unknown): string | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = value as Record<string, unknown>;
  const found = NAMING.map((field) => fields[field]).find((text) => typeof text === "string" && text !== "");
  return (found as string | undefined) ?? null;
}
