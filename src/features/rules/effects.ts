import type { MessageEdits } from "../../mailbox/changes/edits.ts";
import type { Member } from "../../mailbox/changes/members.ts";
import { messageState } from "../../mailbox/changes/move.ts";
import type { Labels } from "../../mailbox/store/labels.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import type { Action } from "./allowed.ts";

/** The state of a message that rules look at and change. */
export interface MessageState {
  roles: readonly FolderRole[];
  unread: boolean;
  starred: boolean;
  category: string;
  labels(): readonly string[];
}

/** A change that a rule makes to one message. Actions whose result is already in place are not effects. */
export type Effect = Action;

const MOVE_ROLES: Record<string, FolderRole> = { archive: "archive", trash: "trash", markSpam: "spam" };

/**
 * Returns the actions that change something. Pure: preview shows this result and applying carries it out, so both
 * agree. Mail that the user wrote, and mail in the trash or spam, is not moved. `archive` moves only mail in the inbox
 * or snoozed mail.
 */
export function effectsOf(actions: readonly Action[], current: MessageState): Effect[] {
  const { roles, unread, starred, category } = current;
  const state = messageState(roles);
  return actions.filter(({ type, value }) => {
    switch (type) {
      case "addLabel":
        return !current.labels().includes(value);
      case "removeLabel":
        return current.labels().includes(value);
      case "setCategory":
        return category !== value;
      case "markRead":
        return unread;
      case "star":
        return !starred;
      case "archive":
        return state === "inbox" || state === "snoozed";
      case "trash":
      case "markSpam":
        return state === "inbox" || state === "snoozed" || state === "archived";
      default:
        return false;
    }
  });
}

/** Returns the state after these effects, for the next rule. */
export function stateAfter<T extends MessageState>(current: T, effects: readonly Effect[]): T {
  let after = current;
  for (const { type, value } of effects) {
    const { labels } = after;
    if (type === "addLabel") after = { ...after, labels: () => [...labels(), value] };
    else if (type === "removeLabel") after = { ...after, labels: () => labels().filter((name) => name !== value) };
    else if (type === "setCategory") after = { ...after, category: value };
    else if (type === "markRead") after = { ...after, unread: false };
    else if (type === "star") after = { ...after, starred: true };
    else if (type in MOVE_ROLES) after = { ...after, roles: [MOVE_ROLES[type]!] };
  }
  return after;
}

/** Carries out effects on one message. @returns whether anything changed besides what the edits count */
export function applyEffect(
  edits: MessageEdits,
  member: Member,
  effects: readonly Effect[],
  by: { user_id: string; rule_id: string; labels: Labels },
): boolean {
  let more = false;
  for (const { type, value } of effects) {
    if (type === "addLabel") edits.addLabel([member], by.labels.ensure(by.user_id, value));
    else if (type === "removeLabel") edits.removeLabel([member], by.labels.ensure(by.user_id, value));
    else if (type === "markRead") edits.setUnread([member], false);
    else if (type === "star") edits.setStarred([member], true);
    else if (type === "setCategory") more = edits.setCategory([member], value, `rule:${by.rule_id}`) || more;
    else if (type in MOVE_ROLES) edits.move([member], MOVE_ROLES[type]!);
  }
  return more;
}
