import { nextUtcMidnight } from "../../kernel/clock.ts";
import type { Changes } from "../../mailbox/changes/changes.ts";
import type { ConversationMessage, ConversationReader, Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { ThreadQueries } from "../../mailbox/queries/threads.ts";
import type { Drafts } from "../../outbound/drafts/drafts.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import { CREDITS, hasCredits, spendCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import { yieldInSlices } from "../../platform/process/yielding.ts";
import { type Authority, type Permissions, permissionsOf } from "./authority.ts";
import { unanswered } from "./followups.ts";
import type { ActionKind, AgentAction, AgentStore } from "./store.ts";
import type { ActionDetail } from "./tables.ts";
import { type Triage, triage } from "./triage.ts";

/** A draft that the AI feature wrote. */
export interface AgentDraft {
  body: string;
  engine: string;
}

/** Writes a draft unprompted, from the conversation and the user's writing style alone. */
export type WriteDraft<D> = (scope: MailScope, thread_id: string, instructions: string) => Promise<D>;

export interface PassParts<D extends AgentDraft = AgentDraft> {
  platform: Platform;
  conversations: Conversations;
  threads: ThreadQueries;
  changes: Changes;
  drafts: Drafts;
  store: AgentStore;
  /** Whether the user has any agent rule. */
  ruled(user_id: string): boolean;
  /** Returns what the user's agent rules grant for a message, or null if no rule covers it. */
  authority(user_id: string, message_id: string): Authority | null;
  vips(user_id: string): ReadonlySet<string>;
  /** Whether the thread already has a draft that answers it. */
  hasDraft(user_id: string, thread_id: string): boolean;
  /** Returns the function that writes the drafts of one pass. */
  writer(): WriteDraft<D>;
  /** Records how a draft was written, in the transaction that stores it. */
  keepNote(user_id: string, draft_id: string, draft: D, credits: number): void;
}

export interface PassResult {
  /** Number of messages that were examined. */
  looked_at: number;
  actions: AgentAction[];
  /** Whether the cap of the run or of the day was reached. The remaining mail waits for the next pass. */
  capped: boolean;
}

const AGENT: Actor = { kind: "agent", id: null };
const DAY_MS = 86_400_000;
/** Mail older than this is not new. It was imported by the first sync, or the agent was off. */
const NEW_DAYS = 7;
const OLDEST_FOLLOWUP_DAYS = 30;
const BATCH = 50;

/** One pass over a user's new mail. Each action runs in its own transaction with its record, event and audit row. */
export class AgentPass<D extends AgentDraft> {
  readonly #actions: AgentAction[] = [];
  readonly #scope: MailScope;
  readonly #reader: ConversationReader;
  readonly #yieldIfDue = yieldInSlices();
  readonly #write: WriteDraft<D>;
  #examinedCount = 0;
  #actionsLeft: number;

  constructor(
    private readonly parts: PassParts<D>,
    private readonly user: User,
    private readonly request_id: string | null,
  ) {
    const { platform, conversations, store, writer } = parts;
    this.#write = writer();
    const { config, clock } = platform;
    const today = store.countSince(user.id, nextUtcMidnight(clock.now()) - DAY_MS);
    this.#actionsLeft = Math.min(config.get("agent.actions_per_run"), config.get("agent.actions_per_day") - today);
    this.#scope = { user_id: user.id, account_id: null };
    this.#reader = conversations.of(this.#scope);
  }

  async run(): Promise<PassResult> {
    // Without a rule the mail is not read, so that the first rule still applies to the mail of the last days.
    if (!this.parts.ruled(this.user.id)) return { looked_at: 0, actions: [], capped: false };
    const capped = !((await this.#newMail()) && (await this.#followUps()));
    return { looked_at: this.#examinedCount, actions: this.#actions, capped };
  }

  /** @returns false if a cap was reached before the last message */
  async #newMail(): Promise<boolean> {
    const { store, platform, threads } = this.parts;
    const since = platform.clock.now() - NEW_DAYS * DAY_MS;
    const vips = this.parts.vips(this.user.id);
    for (;;) {
      const batch = this.#reader.arrivedAfter(store.seen(this.user.id) ?? this.#reader.numberBefore(since), BATCH);
      if (batch.length === 0) return true;
      for (const message of batch) {
        if (this.#actionsLeft <= 0) return false;
        await this.#yieldIfDue();
        // The first sync may still import history after newer mail has arrived.
        const old = message.at < since;
        if (!message.outgoing && !old && threads.current(message.thread_id)?.state === "inbox") {
          this.#examinedCount++;
          // A message that the cap cut off is the first of the next pass.
          if (!(await this.#handle(message, vips))) return false;
        }
        store.setSeen(this.user.id, message.n);
      }
    }
  }

  /** @returns false if a cap was reached before everything was done */
  async #handle(message: ConversationMessage, vips: ReadonlySet<string>): Promise<boolean> {
    const { authority, store } = this.parts;
    const permissions = permissionsOf(authority(this.user.id, message.id));
    if (!permissions) return true;
    const thread = this.#reader.messages(message.thread_id);
    const decided = triage({
      message,
      thread,
      vip: vips.has(message.head.from.email.toLowerCase()),
      known: this.#reader.wroteTo(message.account_id, message.head.from.email),
    });
    // A pass that was interrupted handles the message again.
    if (decided.reason !== "" && !store.has(message.id, "triaged")) this.#triage(message, permissions, decided);
    const newest = thread.findLast(({ outgoing }) => !outgoing)?.id === message.id;
    if (decided.asks.length > 0 && newest && !store.has(message.id, "drafted")) {
      if (this.#actionsLeft <= 0) return false;
      await this.#draft("drafted", message, permissions, "", {
        reason: "The sender is waiting for an answer.",
        evidence: decided.evidence,
      });
    }
    return true;
  }

  /** Applies what the permissions allow. If they allow nothing, records the whole triage as a suggestion. */
  #triage(message: ConversationMessage, leave: Permissions, decided: Triage): void {
    const { platform, changes, threads } = this.parts;
    // The agent does not add a label that the thread already has, so that undoing the action does not remove it.
    const present: readonly string[] = threads.get(this.#scope, message.thread_id).labels;
    const wanted = {
      labels: decided.label && !present.includes(decided.label) ? [decided.label as string] : [],
      category: decided.category ? { from: message.category, to: decided.category as string } : null,
      archived: decided.archive,
    };
    if (wanted.labels.length === 0 && wanted.category === null && !wanted.archived) return;
    const granted = {
      labels: leave.allows("label") ? wanted.labels : [],
      category: leave.allows("category") ? wanted.category : null,
      archived: leave.allows("archive") && wanted.archived,
    };
    const does = granted.labels.length > 0 || granted.category !== null || granted.archived;
    platform.db.write(() => {
      const by = { ...this.#scope, actor: AGENT, request_id: this.request_id };
      const status = threads.current(message.thread_id);
      if (!status) return;
      if (granted.category) {
        const { to } = granted.category;
        changes.apply(status, by, "thread.update", (edits, members) =>
          edits.setCategory(
            members.filter(({ id }) => id === message.id),
            to,
            "agent",
          ),
        );
      }
      if (granted.labels.length > 0 || granted.archived) {
        changes.update(by, status.id, {
          ...(granted.labels.length > 0 ? { add_labels: granted.labels } : {}),
          ...(granted.archived ? { state: "archived" as const } : {}),
        });
      }
      const { reason, evidence } = decided;
      const detail = { reason, engine: null, evidence, changes: does ? granted : wanted };
      this.#record("triaged", message, leave, does ? "done" : "suggested", null, detail);
    });
  }

  /** @returns false if a cap was reached */
  async #followUps(): Promise<boolean> {
    const { platform, store, authority } = this.parts;
    const now = platform.clock.now();
    const due = now - platform.config.get("agent.followup_days") * DAY_MS;
    const spans = this.#reader.threadsSince(["inbox", "archived", "sent"], now - OLDEST_FOLLOWUP_DAYS * DAY_MS);
    for (const { id, last_at } of spans) {
      if (last_at > due) continue;
      await this.#yieldIfDue();
      const thread = this.#reader.messages(id);
      const found = unanswered(thread);
      if (!found || found.message.at > due || store.has(found.message.id, "followup")) continue;
      // Rules match senders, so the rule for the other party's mail also applies to the answer to it.
      const theirs = thread.findLast(({ outgoing }) => !outgoing) ?? found.message;
      const leave = permissionsOf(authority(this.user.id, theirs.id));
      if (!leave) continue;
      if (this.#actionsLeft <= 0) return false;
      await this.#draft("followup", found.message, leave, found.instructions, {
        reason: `No reply for ${Math.floor((now - found.message.at) / DAY_MS)} days.`,
        evidence: found.ask,
      });
    }
    return true;
  }

  /** Writes a draft and holds it for review. Without permission or credits, the draft is only suggested. */
  async #draft(
    kind: "drafted" | "followup",
    message: ConversationMessage,
    leave: Permissions,
    instructions: string,
    why: Pick<ActionDetail, "reason" | "evidence">,
  ): Promise<void> {
    const { platform, drafts, keepNote } = this.parts;
    if (this.parts.hasDraft(this.user.id, message.thread_id)) return;
    const changes = { labels: [], category: null, archived: false };
    const may = leave.allows("draft") && hasCredits(platform, this.user, CREDITS.draft);
    if (!may) {
      platform.db.write(() => this.#record(kind, message, leave, "suggested", null, { ...why, engine: null, changes }));
      return;
    }
    const draft = await this.#write(this.#scope, message.thread_id, instructions);
    platform.db.write(() => {
      // While the draft was being written, someone may have answered, written their own draft or deleted the thread.
      if (!this.#isStillUnanswered(message)) return;
      const writer = { ...this.#scope, actor: AGENT, request_id: this.request_id };
      const stored = drafts.create(writer, { reply_to_thread_id: message.thread_id, body: draft.body });
      spendCredits(platform, this.user, CREDITS.draft);
      keepNote(this.user.id, stored.id, draft, CREDITS.draft);
      this.#record(kind, message, leave, "done", stored.id, { ...why, engine: draft.engine, changes });
    });
  }

  #isStillUnanswered(message: ConversationMessage): boolean {
    const { threads, hasDraft } = this.parts;
    const thread = this.#reader.messages(message.thread_id);
    const answered = thread.at(-1)?.outgoing === true && thread.at(-1)?.id !== message.id;
    const gone = threads.current(message.thread_id) === null || thread.length === 0;
    const affordable = hasCredits(this.parts.platform, this.user, CREDITS.draft);
    return affordable && !gone && !answered && !hasDraft(this.user.id, message.thread_id);
  }

  /** Records an action. Call it in the transaction that carries out the action. */
  #record(
    action: ActionKind,
    message: ConversationMessage,
    leave: Permissions,
    state: "suggested" | "done",
    draft_id: string | null,
    detail: ActionDetail,
  ): void {
    const { store, platform } = this.parts;
    const { account_id, id: message_id } = message;
    // The thread may have been merged into another one in the meantime.
    const thread_id = this.parts.threads.current(message.thread_id)?.id ?? message.thread_id;
    const about = { user_id: this.user.id, account_id, thread_id, message_id, mode: leave.mode };
    this.#actions.push(store.add({ ...about, action, state, draft_id, ...detail }));
    this.#actionsLeft--;
    if (state === "done") platform.events.emit(this.user.id, "agent.action", { thread_id, action, mode: leave.mode });
  }
}
