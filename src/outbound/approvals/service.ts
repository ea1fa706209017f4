import { ApiError, notFound } from "../../kernel/errors.ts";
import type { Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Drafts } from "../drafts/drafts.ts";
import type { Draft } from "../drafts/store.ts";
import type { Scheduler, Sender } from "../sends/schedule.ts";
import type { Send, SendStore } from "../sends/store.ts";
import {
  CONFIRMATION_MS,
  type ConfirmedOptions,
  contentDigest,
  openConfirmation,
  signConfirmation,
} from "./confirmation.ts";
import { ApprovalEndings, type DecidedBy } from "./endings.ts";
import { SendingPolicies } from "./policies.ts";
import { addressesOf, NO_PREVIEW, previewOf, type WholeDraft } from "./preview.ts";
import { type Approval, ApprovalStore } from "./store.ts";
import type { Asker, SendPreview } from "./tables.ts";

/** The assistant that prepares and sends: a key or connection, with the rights of its user. */
export interface AssistantSender extends Sender {
  asker: Asker;
  /**
   * Whether it can read what the user keeps about clients. If not, and no writer of the draft could, a review must not
   * let it guess these values.
   */
  readsContext: boolean;
}

/** A prepared send, and the confirmation that it still needs. */
export interface Prepared {
  preview: SendPreview;
  /** Warnings for the person before it is sent, as sentences. */
  reasons: string[];
  /** The confirmation that the policy asks for. */
  needs: Need;
  confirmation: string;
  expires_at: number;
  /** Sends that are left today, this message not counted. */
  sendsLeft: number;
}

/** `nothing`: the second step is enough. `confirmation`: the person, in any way. `approval`: the person, on the settings page. */
export type Need = "nothing" | "confirmation" | "approval";

/** A send that was scheduled, or that waits for a person. */
export type SendStep = { state: "scheduled"; send: Send } | { state: "waiting"; approval: Approval };

/** The findings of the draft firewall in a draft, as sentences. */
interface Review {
  /** Private values and notes: a person must approve the send on the settings page. */
  disclosures: readonly string[];
  /** Links, addresses and amounts that occur in no source: a person must confirm the send. */
  unsupported: readonly string[];
}

export interface ConfirmedSendsParts {
  platform: Platform;
  accounts: Accounts;
  drafts: Drafts;
  scheduler: Scheduler;
  sends: SendStore;
  /** Returns whether the user has written to an address from a mailbox that the sender may see. */
  hasWrittenTo(sender: Pick<Sender, "user_id" | "account_id">, email: string): boolean;
  /** Applies the draft firewall (docs/ai.md, "Draft firewall"). */
  review(draft: Draft, readsContext: boolean): Review;
}

const DAY_MS = 86_400_000;
/** Sends of one assistant that can wait for a person at the same time. */
const MAX_WAITING = 20;
const lower = (text: string): string => text.toLowerCase();

/**
 * The two steps in which an assistant sends (docs/assistants.md, "Sending"). The first shows the exact message and returns a
 * signed confirmation of it. The second sends exactly that, once, after a person has agreed where the policy of the
 * connection asks for it. What a model passes on is never a person's consent.
 */
export class ConfirmedSends {
  readonly policies: SendingPolicies;
  readonly store: ApprovalStore;
  readonly #endings: ApprovalEndings;

  constructor(private readonly parts: ConfirmedSendsParts) {
    this.policies = new SendingPolicies(parts.platform);
    this.store = new ApprovalStore(parts.platform);
    this.#endings = new ApprovalEndings(parts.platform);
    this.#endings.followRevocations();
  }

  /**
   * Prepares a send and changes nothing. @param scheduled_at ms; null: as soon as the undo window is over
   * @throws ApiError not_found, draft_locked, invalid_params, quota_exceeded
   */
  prepare(sender: AssistantSender, draft_id: string, options: ConfirmedOptions): Prepared {
    const { platform, scheduler } = this.parts;
    const draft = this.#draft(sender, draft_id);
    scheduler.check(draft, scheduleOptions(options));
    const sendsLeft = this.#left(sender);
    const { need, reasons } = this.#assess(sender, draft);
    const expires_at = platform.clock.now() + CONFIRMATION_MS;
    const sealer = platform.keyring.forUser(sender.user_id);
    const confirmation = signConfirmation(sealer, this.#facts(sender, draft), options, expires_at);
    return {
      preview: previewOf(draft, this.parts.accounts),
      reasons,
      needs: need,
      confirmation,
      expires_at,
      sendsLeft,
    };
  }

  /**
   * Returns what the second step still needs. A repeated call of a finished second step needs nothing.
   * @throws ApiError invalid_params (`confirmation`), not_found, draft_locked, quota_exceeded
   */
  needOf(
    sender: AssistantSender,
    draft_id: string,
    confirmation: string,
  ): { need: Need; reasons: string[]; preview: SendPreview | null } {
    if (this.#earlier(sender, draft_id, confirmation)) return { need: "nothing", reasons: [], preview: null };
    const { draft } = this.#open(sender, draft_id, confirmation);
    this.#left(sender);
    return { ...this.#assess(sender, draft), preview: previewOf(draft, this.parts.accounts) };
  }

  /**
   * Sends what was prepared, or lets it wait for a person. A repeated call returns the outcome of the first.
   * @param agreed whether the person agreed in the assistant's program
   * @throws ApiError as `needOf`
   */
  send(sender: AssistantSender, draft_id: string, confirmation: string, agreed: boolean): SendStep {
    const { platform, scheduler, sends } = this.parts;
    return platform.db.write(() => {
      const earlier = this.#earlier(sender, draft_id, confirmation);
      if (earlier) return earlier;
      const { draft, options } = this.#open(sender, draft_id, confirmation);
      this.#left(sender);
      const { need, reasons } = this.#assess(sender, draft);
      if (need === "approval" || (need === "confirmation" && !agreed)) {
        return { state: "waiting", approval: this.#ask(sender, draft, options, { confirmation, reasons }) };
      }
      const send = scheduler.sendDraft(sender, draft_id, scheduleOptions(options));
      this.#record(sender, draft, options, { confirmation, reasons, state: "confirmed", send_id: send.id });
      this.#endings.voidOf(sender, draft_id);
      return { state: "scheduled", send: sends.get(send.id)! };
    });
  }

  /**
   * Ends an approval whose draft was changed, sent or deleted after the assistant asked, or whose assistant has lost its
   * access.
   * @throws ApiError approval_closed for one that has ended; not_found
   */
  closeIfChanged(person: Pick<Sender, "user_id" | "actor" | "request_id">, id: string): void {
    const approval = this.owned(person.user_id, id);
    this.#endings.requireWaiting(approval);
    if (!this.#isUnchanged(approval)) this.#endings.refuseChanged(person, approval);
  }

  /**
   * Sends what waits, because the person has approved it. The undo window begins now.
   * @throws ApiError not_found, approval_closed, draft_locked, quota_exceeded, invalid_params
   */
  approve(person: Sender, id: string): Send {
    const { platform, scheduler } = this.parts;
    const approval = this.owned(person.user_id, id);
    const { credential_id, draft_id, options } = approval;
    this.closeIfChanged(person, id);
    return platform.db.write(() => {
      const scheduled_at = (options.scheduled_at ?? 0) <= platform.clock.now() ? null : options.scheduled_at;
      // The send counts as the assistant's, so that its daily limit holds.
      const sender: Sender = { ...person, account_id: null, key: { id: credential_id, created_at: 0 } };
      const send = scheduler.sendDraft(sender, draft_id, scheduleOptions({ ...options, scheduled_at }));
      this.#endings.close(person, approval, "approved", send.id);
      this.#endings.voidOf(person, draft_id);
      return send;
    });
  }

  /** Ends a waiting approval. Nothing is sent and the draft stays. @throws ApiError not_found, approval_closed */
  reject(person: Pick<Sender, "user_id" | "actor" | "request_id">, id: string): Approval {
    return this.#end(person, this.owned(person.user_id, id), "rejected");
  }

  /** Ends a waiting approval for the assistant that asked for it. @throws ApiError not_found, approval_closed */
  withdraw(sender: AssistantSender, id: string): Approval {
    const approval = this.owned(sender.user_id, id);
    if (approval.credential_id !== sender.key.id) throw notFound("approval");
    return this.#end(sender, approval, "withdrawn");
  }

  /** Returns an approval of a user. @throws ApiError not_found */
  owned(user_id: string, id: string): Approval {
    const approval = this.store.get(user_id, id);
    if (!approval) throw notFound("approval");
    return approval;
  }

  #end(by: DecidedBy, approval: Approval, state: "rejected" | "withdrawn"): Approval {
    return this.parts.platform.db.write(() => {
      this.#endings.close(by, approval, state);
      return this.store.get(approval.user_id, approval.id)!;
    });
  }

  /** Returns the approval that waits for this send, or makes one. @throws ApiError quota_exceeded */
  #ask(
    sender: AssistantSender,
    draft: WholeDraft,
    options: ConfirmedOptions,
    given: Pick<Recorded, "confirmation" | "reasons">,
  ): Approval {
    const { platform } = this.parts;
    const { user_id, actor, request_id, asker } = sender;
    const { reasons } = given;
    const all = this.#waiting(user_id, sender.key.id);
    const outdated = all.filter((one) => !this.#isUnchanged(one));
    for (const one of outdated) this.#endings.close(sender, one, "void");
    const waiting = all.filter((one) => !outdated.includes(one));
    const earlier = waiting.filter(({ draft_id }) => draft_id === draft.id);
    const same = earlier.find((one) => one.content === this.#digest(draft) && isEqual(one.options, options));
    if (same) return same;
    if (waiting.length - earlier.length >= MAX_WAITING) throw this.#tooMany(waiting);
    for (const one of earlier) this.#endings.close(sender, one, "void");
    const approval = this.#record(sender, draft, options, { ...given, state: "waiting", send_id: null });
    const { to, cc, bcc, subject } = approval.preview;
    const after = { draft_id: draft.id, to, cc, bcc, subject, reasons };
    platform.audit.record({ user_id, actor, action: "approval.request", target: approval.id, after, request_id });
    platform.events.emit(user_id, "approval.requested", {
      approval_id: approval.id,
      draft_id: draft.id,
      asked_by: { id: asker.id, name: asker.name },
      recipients: [...to, ...cc, ...bcc].length,
    });
    return approval;
  }

  #tooMany(waiting: readonly Approval[]): ApiError {
    const firstEnd = Math.min(...waiting.map(({ expires_at }) => expires_at));
    return new ApiError(
      "quota_exceeded",
      `${MAX_WAITING} messages of this assistant already wait for the user's approval. Ask the user to decide about ` +
        "them under Approvals, or withdraw some with cancel_send.",
      { retryAfterS: Math.ceil((firstEnd - this.parts.platform.clock.now()) / 1000) },
    );
  }

  /** Stores the outcome of a second step, which a repeated one returns. The message is kept only while it waits. */
  #record(sender: AssistantSender, draft: WholeDraft, options: ConfirmedOptions, given: Recorded): Approval {
    const { asker, user_id, key } = sender;
    const { reasons, ...rest } = given;
    const shown =
      given.state === "waiting"
        ? { preview: previewOf(draft, this.parts.accounts), content: this.#digest(draft), reasons }
        : { preview: NO_PREVIEW, content: "", reasons: [] };
    const { account_id, id: draft_id } = draft;
    const request = { asker, options, ...shown };
    return this.store.insert({ user_id, account_id, credential_id: key.id, draft_id, request, ...rest });
  }

  /** Returns the outcome of an earlier second step with the same confirmation. */
  #earlier({ user_id, key }: AssistantSender, draft_id: string, confirmation: string): SendStep | null {
    const approval = this.store.byConfirmation(user_id, confirmation);
    if (approval?.credential_id !== key.id || approval.draft_id !== draft_id) return null;
    const send = approval.send_id === null ? null : this.parts.sends.get(approval.send_id);
    return send ? { state: "scheduled", send } : { state: "waiting", approval };
  }

  #open(sender: AssistantSender, draft_id: string, confirmation: string) {
    const { keyring, clock } = this.parts.platform;
    const draft = this.#draft(sender, draft_id);
    const sealer = keyring.forUser(sender.user_id);
    return { draft, options: openConfirmation(sealer, confirmation, this.#facts(sender, draft), clock.now()) };
  }

  #facts({ key }: Sender, draft: WholeDraft) {
    return { draft_id: draft.id, content: this.#digest(draft), credential_id: key.id };
  }

  #draft(sender: Sender, draft_id: string): WholeDraft {
    this.parts.drafts.unlocked(sender, draft_id);
    return this.parts.drafts.get(sender, draft_id);
  }

  #isUnchanged({ user_id, draft_id, content }: Approval): boolean {
    try {
      return this.#digest(this.parts.drafts.get({ user_id, account_id: null }, draft_id)) === content;
    } catch (error) {
      if (error instanceof ApiError && error.code === "not_found") return false;
      throw error;
    }
  }

  #digest(draft: WholeDraft): string {
    return contentDigest(this.parts.platform.keyring.forUser(draft.user_id), draft, draft.attachments);
  }

  /** Returns how many sends are left today. @throws ApiError quota_exceeded if nothing is */
  #left({ key }: Sender): number {
    const { platform, sends } = this.parts;
    const { sends_per_day } = this.policies.of(key.id);
    const now = platform.clock.now();
    const midnight = now - (now % DAY_MS);
    const left = sends_per_day - sends.countOfKey(key.id, midnight - 1);
    if (left > 0) return left;
    const retryAfterS = Math.ceil((midnight + DAY_MS - now) / 1000);
    throw new ApiError(
      "quota_exceeded",
      `The daily limit of this connection (${sends_per_day} messages) is used up. The user can change the limit under Assistants on the settings page.`,
      { retryAfterS },
    );
  }

  /** Returns the recipients that the policy leaves to a person. @param emails plain addresses */
  outsidePolicy(sender: Sender, emails: readonly string[]): string[] {
    const { accounts, hasWrittenTo } = this.parts;
    const { user_id, account_id } = sender;
    if (this.policies.of(sender.key.id).recipients === "anyone") return [];
    const own = new Set(
      accounts
        .list(user_id)
        .filter(({ id }) => account_id === null || id === account_id)
        .flatMap(({ email, aliases }) => [email, ...aliases])
        .map(lower),
    );
    // Signs such as the Kelvin sign become a letter in lower case, but are another mailbox.
    const isComposed = (email: string) => email === email.normalize("NFC");
    const isKnown = (email: string) => isComposed(email) && (own.has(lower(email)) || hasWrittenTo(sender, email));
    return emails.filter((email) => !isKnown(email));
  }

  /** Returns what a person should know about a draft before it is sent. @throws ApiError not_found */
  warningsFor(sender: AssistantSender, draft_id: string): string[] {
    const draft = this.parts.drafts.get(sender, draft_id);
    const { approval, warnings } = this.#concerns(sender, draft);
    return [...approval, ...warnings];
  }

  /** Returns the sends of this assistant that a person can still approve. */
  waitingFor({ user_id, key }: Sender): Approval[] {
    return this.#waiting(user_id, key.id).filter((approval) => this.#isUnchanged(approval));
  }

  #waiting(user_id: string, credential_id: string): Approval[] {
    // An organization key acts for several people.
    return this.store.waitingOf("credential_id", credential_id).filter((approval) => approval.user_id === user_id);
  }

  /** Deletes outdated rows: approvals that were asked before `beforeMs`, and what belongs to revoked credentials. */
  prune(beforeMs: number): void {
    this.#endings.sweep();
    this.store.prune(beforeMs);
  }

  /** Returns the reasons for an approval, and what is only a warning. */
  #concerns(sender: AssistantSender, draft: Draft): { approval: string[]; warnings: string[] } {
    const strangers = this.outsidePolicy(sender, addressesOf(draft));
    const { disclosures, unsupported } = this.parts.review(draft, sender.readsContext || draft.context_reader);
    return {
      approval: [...strangers.map((email) => `You have never written to ${email}.`), ...disclosures],
      warnings: [...unsupported],
    };
  }

  #assess(sender: AssistantSender, draft: Draft): { need: Need; reasons: string[] } {
    const { approval, warnings } = this.#concerns(sender, draft);
    const { confirm } = this.policies.of(sender.key.id);
    const reasons = [...approval, ...warnings];
    if (approval.length > 0 || confirm === "approve") return { need: "approval", reasons };
    return { need: confirm === "token" && warnings.length === 0 ? "nothing" : "confirmation", reasons };
  }
}

interface Recorded {
  confirmation: string;
  reasons: string[];
  state: "waiting" | "confirmed";
  send_id: string | null;
}

function isEqual(a: ConfirmedOptions, b: ConfirmedOptions): boolean {
  return a.undo_window_s === b.undo_window_s && a.scheduled_at === b.scheduled_at;
}

function scheduleOptions({ undo_window_s, scheduled_at }: ConfirmedOptions) {
  return { undo_window_s, ...(scheduled_at !== null && { scheduled_at }) };
}
