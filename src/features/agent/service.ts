import { ApiError, invalidParam } from "../../kernel/errors.ts";
import type { ChangeScope } from "../../mailbox/changes/changes.ts";
import type { MailScope, Position } from "../../mailbox/queries/scope.ts";
import type { User } from "../../platform/identity/users.ts";
import type { AgentDraft, PassParts, PassResult } from "./pass.ts";
import type { AgentAction } from "./store.ts";

/** An action with the message that caused it; null where the message was deleted. */
export interface DescribedAction extends AgentAction {
  subject: string | null;
  from: { name: string; email: string } | null;
}

/** Runs the agent and undoes its actions. */
export class AgentService<D extends AgentDraft = AgentDraft> {
  /** The running pass of each user. Two concurrent passes would do everything twice. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(private readonly parts: PassParts<D>) {}

  /** Runs one pass over a user's new mail. A second call waits for the first, then handles what arrived since. */
  async run(user: User, request_id: string | null): Promise<PassResult> {
    const before = this.#running.get(user.id) ?? Promise.resolve();
    const pass = before.catch(() => {}).then(() => this.#pass(user, request_id));
    this.#running.set(user.id, pass);
    try {
      return await pass;
    } finally {
      if (this.#running.get(user.id) === pass) this.#running.delete(user.id);
    }
  }

  async #pass(user: User, request_id: string | null): Promise<PassResult> {
    const { AgentPass } = await import("./pass.ts");
    return new AgentPass(this.parts, user, request_id).run();
  }

  list(scope: MailScope, after: Position | null, limit: number): AgentAction[] {
    return this.parts.store.list(scope, after, limit);
  }

  /** Adds the subjects and senders of the messages that caused actions. */
  describe(scope: MailScope, actions: readonly AgentAction[]): DescribedAction[] {
    const reader = this.parts.conversations.of(scope);
    return actions.map((action) => {
      const head = reader.message(action.message_id)?.head;
      return { ...action, subject: head?.subject ?? null, from: head ? { ...head.from } : null };
    });
  }

  /**
   * Undoes an action: removes its labels, restores the category and the inbox, and deletes its draft. Changes that were
   * made since are kept. A draft that was edited or no longer exists is refused, because there is nothing to undo.
   * @throws ApiError not_found, invalid_params, draft_locked
   */
  undo(by: ChangeScope, id: string): AgentAction {
    const { platform, store } = this.parts;
    return platform.db.write(() => {
      const action = store.owned(by, id);
      if (action.state === "undone") throw invalidParam("id", "This action has already been undone.");
      if (action.state !== "done")
        throw invalidParam("id", "There is nothing to undo: the action was only suggested, never carried out.");
      if (action.draft_id !== null) this.#undoDraft(by, action.draft_id);
      this.#undoChanges(by, action);
      store.markUndone(id);
      const { actor, request_id, user_id } = by;
      const before = { action: action.action, thread_id: action.thread_id };
      platform.audit.record({ user_id, actor, action: "agent.undo", target: id, before, request_id });
      return store.owned(by, id);
    });
  }

  #undoDraft(by: ChangeScope, draft_id: string): void {
    const { drafts } = this.parts;
    try {
      if (drafts.get(by, draft_id).revision > 1) {
        throw invalidParam(
          "id",
          "The draft was edited after the agent wrote it, so it was not deleted. Delete the draft yourself if you do " +
            "not want it.",
        );
      }
      drafts.remove(by, draft_id);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "not_found")) throw error;
      throw invalidParam("id", "The draft has since been sent or deleted, so there is nothing to undo.");
    }
  }

  #undoChanges(by: ChangeScope, { thread_id, message_id, changes: { labels, category, archived } }: AgentAction): void {
    const { changes, threads } = this.parts;
    const status = threads.current(thread_id);
    if (!status) return;
    if (category) {
      const { from, to } = category;
      changes.apply(status, by, "thread.update", (edits, members) =>
        edits.setCategory(
          members.filter((member) => member.id === message_id && this.#categoryOf(member.id, by) === to),
          from,
          "agent-undone",
        ),
      );
    }
    const restoreInbox = archived && status.state === "archived";
    if (labels.length === 0 && !restoreInbox) return;
    changes.update(by, status.id, {
      ...(labels.length > 0 ? { remove_labels: labels } : {}),
      ...(restoreInbox ? { state: "inbox" as const } : {}),
    });
  }

  #categoryOf(message_id: string, scope: MailScope): string | null {
    return this.parts.conversations.of(scope).message(message_id)?.category ?? null;
  }
}
