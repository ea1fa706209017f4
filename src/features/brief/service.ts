import { notFound } from "../../kernel/errors.ts";
import type { Conversations } from "../../mailbox/queries/conversations.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { User } from "../../platform/identity/users.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import { CREDITS, requireCredits, spendCredits } from "../../platform/ledger/credits.ts";
import type { Platform } from "../../platform/platform.ts";
import type { CompileBrief, CompiledBrief } from "./compile.ts";
import { briefDays, SCANNED_STATES } from "./coverage.ts";
import type { Brief, CalendarItem } from "./model.ts";
import type { BriefStore, DailySettings } from "./store.ts";

/** The person or program that requests a brief. */
export interface BriefWriter {
  user: User;
  actor: Actor;
  request_id: string | null;
}

export interface BriefParts {
  platform: Platform;
  conversations: Conversations;
  store: BriefStore;
  compile: CompileBrief;
  /** Addresses of a user's VIPs, lower case. */
  vips(user_id: string): ReadonlySet<string>;
  /** Returns a user's events between two times, ms. */
  calendar(user_id: string, from: number, to: number): CalendarItem[];
  /** Notifies the schedule that a user's settings changed. */
  onSettings(user: User): void;
}

export interface Generated {
  date: string;
  status: "ready";
  credits_spent: number;
}

/** Generates and stores briefs, and returns the latest one. */
export class BriefService {
  constructor(private readonly parts: BriefParts) {}

  /**
   * Generates today's brief. The brief, its credits, the event and the audit row are committed together.
   * @param commit runs the final write, together with the request's reply if there is one
   * @throws ApiError insufficient_credits, before any work
   */
  async generate(writer: BriefWriter, commit: (write: () => Generated) => Generated): Promise<Generated> {
    const { platform, conversations, compile, vips, calendar, store } = this.parts;
    const { user, actor, request_id } = writer;
    requireCredits(platform, user, CREDITS.brief);
    const { id: user_id, timezone } = user;
    const now = platform.clock.now();
    const { from, to } = briefDays(timezone, now);
    const brief = await compile({
      user_id,
      timezone,
      now,
      own: [...conversations.of({ user_id, account_id: null }).own],
      vips: [...vips(user_id)],
      calendar: calendar(user_id, from, to),
    });
    return commit(() => {
      spendCredits(platform, user, CREDITS.brief);
      store.save(user.id, brief);
      const { date, needs_reply, commitments } = brief;
      platform.events.emit(user.id, "brief.ready", { date, needs_reply_count: needs_reply.length });
      const after = { date, needs_reply: needs_reply.length, commitments: commitments.length };
      platform.audit.record({ user_id: user.id, actor, action: "brief.generate", target: null, after, request_id });
      return { date, status: "ready", credits_spent: CREDITS.brief };
    });
  }

  /**
   * Returns the latest brief. Every item is checked against the stored message again. Items whose words have changed or
   * that are now in trash or spam are omitted. @throws ApiError not_found before the first brief
   */
  latest(scope: MailScope): Brief {
    const brief = this.parts.store.latest(scope.user_id);
    if (!brief) throw notFound("brief");
    const reader = this.parts.conversations.of(scope);
    const isCurrent = (item: { message_id: string; quote: string; start: number; end: number }) => {
      const message = reader.message(item.message_id);
      const state = message && reader.thread(message.thread_id)?.state;
      if (!state || !SCANNED_STATES.includes(state)) return false;
      return message.text().body_text.slice(item.start, item.end) === item.quote;
    };
    const shown = <T extends CompiledBrief["needs_reply" | "commitments" | "undated"][number]>(items: T[]) =>
      items.filter(isCurrent).map(({ account_id: _, ...item }) => item);
    return {
      ...brief,
      needs_reply: shown(brief.needs_reply),
      commitments: shown(brief.commitments),
      undated: shown(brief.undated),
    };
  }

  settings(user: User): DailySettings & { timezone: string } {
    return { ...this.parts.store.settings(user.id), timezone: user.timezone };
  }

  /** Changes the given fields. */
  changeSettings(writer: BriefWriter, patch: Partial<DailySettings>): DailySettings & { timezone: string } {
    const { platform, store } = this.parts;
    const { user, actor, request_id } = writer;
    return platform.db.write(() => {
      const before = store.settings(user.id);
      const after = { ...before, ...patch };
      store.saveSettings(user.id, after);
      platform.audit.record({
        user_id: user.id,
        actor,
        action: "brief.settings",
        target: null,
        before,
        after,
        request_id,
      });
      this.parts.onSettings(user);
      return { ...after, timezone: user.timezone };
    });
  }
}
