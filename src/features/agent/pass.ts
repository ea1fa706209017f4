import { nextUtcMidnight } from "../../kernel/clock.ts";
import type { Changes } from "../../mailbox/changes.ts";
import type { MailScope } from "../../mailbox/queries.ts";
import type { ConversationMessage, ConversationReader, Conversations } from "../../mailbox/queries-conversations.ts";
import type { ThreadQueries } from "../../mailbox/queries-threads.ts";
import type { Drafts } from "../../outbound/drafts.ts";
import type { Actor } from "../../platform/audit.ts";
import { CREDITS, hasCredits, spendCredits } from "../../platform/credits.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Platform } from "../../platform/platform.ts";
import { slices } from "../../platform/turns.ts";
import { type Authority, type Leave, leaveOf } from "./authority.ts";
import { unanswered } from "./followups.ts";
import type { ActionDetail, ActionKind, AgentAction, AgentStore } from "./store.ts";
import { type Triage, triage } from "./triage.ts";

/** A draft as the AI feature writes it. */
export interface AgentDraft {
  body: string;
  engine: string;
}

/** Writes a draft that nobody asked for: from the conversation and the voice alone. */
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
  /** What the user's agent rules say of a message; null: nothing. */
  authority(user_id: string, message_id: string): Authority | null;
  vips(user_id: string): ReadonlySet<string>;
  /** Whether a draft answers a thread already. */
  hasDraft(user_id: string, thread_id: string): boolean;
  /** What writes the drafts of one pass. */
  writer(): WriteDraft<D>;
  /** Notes how a draft came about, in the transaction that stores it. */
  keepNote(user_id: string, draft_id: string, draft: D, credits: number): void;
}

export interface PassResult {
  /** Messages that were looked at. */
  looked_at: number;
  actions: AgentAction[];
  /** The caps of the run or of the day were reached; the rest waits for the next pass. */
  capped: boolean;
}

export const AGENT: Actor = { kind: "agent", id: null };
const DAY_MS = 86_400_000;
/** Mail of these days is new; what is older was read long ago, or comes from a first sync. */
const NEW_DAYS = 7;
const OLDEST_FOLLOWUP_DAYS = 30;
const BATCH = 50;

/** One pass over a user's new mail. Every action is its own transaction with its record, event and audit row. */
export class AgentPass<D extends AgentDraft> {
  readonly #actions: AgentAction[] = [];
  readonly #scope: MailScope;
  readonly #reader: ConversationReader;
  readonly #breathe = slices();
  readonly #write: WriteDraft<D>;
  #looked_at = 0;
  #room: number;

  constructor(
    private readonly parts: PassParts<D>,
    private readonly user: User,
    private readonly request_id: string | null,
  ) {
    const { platform, conversations, store, writer } = parts;
    this.#write = writer();
    const { config, clock } = platform;
    const today = store.countSince(user.id, nextUtcMidnight(clock.now()) - DAY_MS);
    this.#room = Math.min(config.get("agent.actions_per_run"), config.get("agent.actions_per_day") - today);
    this.#scope = { user_id: user.id, account_id: null };
    this.#reader = conversations.of(this.#scope);
  }

  async run(): Promise<PassResult> {
    // Nobody gave leave for anything: the mail is not read, so that the first rule finds that of the last days.
    if (!this.parts.ruled(this.user.id)) return { looked_at: 0, actions: [], capped: false };
    const capped = !((await this.#newMail()) && (await this.#followUps()));
    return { looked_at: this.#looked_at, actions: this.#actions, capped };
  }

  /** @returns false when the caps were reached before the last message */
  async #newMail(): Promise<boolean> {
    const { store, platform, threads } = this.parts;
    const since = platform.clock.now() - NEW_DAYS * DAY_MS;
    const vips = this.parts.vips(this.user.id);
    for (;;) {
      const batch = this.#reader.arrivedAfter(store.seen(this.user.id) ?? this.#reader.numberBefore(since), BATCH);
      if (batch.length === 0) return true;
      for (const message of batch) {
        if (this.#room <= 0) return false;
        await this.#breathe();
        // History that is still being read in comes after newer mail.
        const old = message.at < since;
        if (!message.outgoing && !old && threads.current(message.thread_id)?.state === "inbox") {
          this.#looked_at++;
          // What had no room left comes first in the next pass.
          if (!(await this.#look(message, vips))) return false;
        }
        store.setSeen(this.user.id, message.n);
      }
    }
  }

  /** @returns false when the caps were reached before all was done */
  async #look(message: ConversationMessage, vips: ReadonlySet<string>): Promise<boolean> {
    const { authority, store } = this.parts;
    const leave = leaveOf(authority(this.user.id, message.id));
    if (!leave) return true;
    const thread = this.#reader.messages(message.thread_id);
    const decided = triage({
      message,
      thread,
      vip: vips.has(message.head.from.email.toLowerCase()),
      known: this.#reader.wroteTo(message.account_id, message.head.from.email),
    });
    // A pass that was cut off comes to the message again.
    if (decided.reason !== "" && !store.has(message.id, "triaged")) this.#triage(message, leave, decided);
    const newest = thread.findLast(({ outgoing }) => !outgoing)?.id === message.id;
    if (decided.asks.length > 0 && newest && !store.has(message.id, "drafted")) {
      if (this.#room <= 0) return false;
      await this.#draft("drafted", message, leave, "", {
        reason: "The sender is waiting for an answer.",
        evidence: decided.evidence,
      });
    }
    return true;
  }

  /** Does what the leave allows, and records the rest as a suggestion. */
  #triage(message: ConversationMessage, leave: Leave, decided: Triage): void {
    const { platform, changes, threads } = this.parts;
    // A label that is there is not the agent's to give, nor to take away when the action is undone.
    const there: readonly string[] = threads.get(this.#scope, message.thread_id).labels;
    const wanted = {
      labels: decided.label && !there.includes(decided.label) ? [decided.label as string] : [],
      category: decided.category ? { from: message.category, to: decided.category as string } : null,
      archived: decided.archive,
    };
    if (wanted.labels.length === 0 && wanted.category === null && !wanted.archived) return;
    const granted = {
      labels: leave.may("label") ? wanted.labels : [],
      category: leave.may("category") ? wanted.category : null,
      archived: leave.may("archive") && wanted.archived,
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

  /** @returns false when the caps were reached */
  async #followUps(): Promise<boolean> {
    const { platform, store, authority } = this.parts;
    const now = platform.clock.now();
    const due = now - platform.config.get("agent.followup_days") * DAY_MS;
    const spans = this.#reader.threadsSince(["inbox", "archived", "sent"], now - OLDEST_FOLLOWUP_DAYS * DAY_MS);
    for (const { id, last_at } of spans) {
      if (last_at > due) continue;
      await this.#breathe();
      const thread = this.#reader.messages(id);
      const found = unanswered(thread);
      if (!found || found.message.at > due || store.has(found.message.id, "followup")) continue;
      // The rules speak of senders: what they say of the other's mail holds for the answer to it.
      const theirs = thread.findLast(({ outgoing }) => !outgoing) ?? found.message;
      const leave = leaveOf(authority(this.user.id, theirs.id));
      if (!leave) continue;
      if (this.#room <= 0) return false;
      await this.#draft("followup", found.message, leave, found.instructions, {
        reason: `No reply for ${Math.floor((now - found.message.at) / DAY_MS)} days.`,
        evidence: found.ask,
      });
    }
    return true;
  }

  /** Writes a draft and holds it for the user; without leave, or without credits, the draft is only suggested. */
  async #draft(
    kind: "drafted" | "followup",
    message: ConversationMessage,
    leave: Leave,
    instructions: string,
    why: Pick<ActionDetail, "reason" | "evidence">,
  ): Promise<void> {
    const { platform, drafts, keepNote } = this.parts;
    if (this.parts.hasDraft(this.user.id, message.thread_id)) return;
    const changes = { labels: [], category: null, archived: false };
    const may = leave.may("draft") && hasCredits(platform, this.user, CREDITS.draft);
    if (!may) {
      platform.db.write(() => this.#record(kind, message, leave, "suggested", null, { ...why, engine: null, changes }));
      return;
    }
    const draft = await this.#write(this.#scope, message.thread_id, instructions);
    platform.db.write(() => {
      // While it was written, somebody may have answered, written a draft of their own or thrown the thread away.
      if (!this.#stillWaits(message)) return;
      const writer = { ...this.#scope, actor: AGENT, request_id: this.request_id };
      const stored = drafts.create(writer, { reply_to_thread_id: message.thread_id, body: draft.body });
      spendCredits(platform, this.user, CREDITS.draft);
      keepNote(this.user.id, stored.id, draft, CREDITS.draft);
      this.#record(kind, message, leave, "done", stored.id, { ...why, engine: draft.engine, changes });
    });
  }

  #stillWaits(message: ConversationMessage): boolean {
    const { threads, hasDraft } = this.parts;
    const thread = this.#reader.messages(message.thread_id);
    const answered = thread.at(-1)?.outgoing === true && thread.at(-1)?.id !== message.id;
    const gone = threads.current(message.thread_id) === null || thread.length === 0;
    const affordable = hasCredits(this.parts.platform, this.user, CREDITS.draft);
    return affordable && !gone && !answered && !hasDraft(this.user.id, message.thread_id);
  }

  /** Call it in the transaction of what it tells of. */
  #record(
    action: ActionKind,
    message: ConversationMessage,
    leave: Leave,
    state: "suggested" | "done",
    draft_id: string | null,
    detail: ActionDetail,
  ): void {
    const { store, platform } = this.parts;
    const { account_id, id: message_id } = message;
    // The thread may have been joined into another one meanwhile.
    const thread_id = this.parts.threads.current(message.thread_id)?.id ?? message.thread_id;
    const about = { user_id: this.user.id, account_id, thread_id, message_id, mode: leave.mode };
    this.#actions.push(store.add({ ...about, action, state, draft_id, ...detail }));
    this.#room--;
    if (state === "done") platform.events.emit(this.user.id, "agent.action", { thread_id, action, mode: leave.mode });
  }
}
