import type { BackupService } from "../backup/service.ts";
import { COPYING_CHECK, copyingFindings } from "../features/diagnostics/copying.ts";
import { createNotifications, type Notifications } from "../features/notifications/notifications.ts";
import type { FailedSend, Fault, ReceivedMail } from "../features/notifications/sources.ts";
import type { Clock } from "../kernel/clock.ts";
import { ApiError } from "../kernel/errors.ts";
import type { Mailbox } from "../mailbox/mailbox.ts";
import { ApprovalStore } from "../outbound/approvals/store.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { EgressClient } from "../platform/egress/client.ts";
import type { User } from "../platform/identity/users.ts";
import type { Platform } from "../platform/platform.ts";
import { SealBroken } from "../platform/sealing/box.ts";
import { VERSION } from "../version.ts";
import { vipAddresses } from "./brief.ts";
import type { PeopleServices } from "./people.ts";
import { takeoverFault } from "./takeover.ts";
import { webhookSettings } from "./webhooks.ts";

/** Notifications and their outgoing connections. Call `close` after they have stopped. */
export interface NotificationServices extends Notifications {
  close(): void;
}

export interface NotificationOptions {
  platform: Platform;
  mailbox: Mailbox;
  outbound: Outbound;
  people: PeopleServices;
  /** Runs the checks of the installation. */
  examine: () => Promise<{ check: string; result: string; detail: string }[]>;
  backups: () => Pick<BackupService, "state">;
}

/**
 * Opens the notifications for people. They may reach the same hosts as webhooks.
 * @throws UserError for invalid settings
 */
export function openNotifications(options: NotificationOptions): NotificationServices {
  const { platform, people } = options;
  const { config, clock } = platform;
  const { guard, ca } = webhookSettings(config);
  const egress = new EgressClient({ guard, clock, ca });
  const approvals = new ApprovalStore(platform);
  const examine = atMostHourly(clock, options.examine);
  const ownerFaults = async ({ id }: User) => [
    ...machineFaults(platform, await examine(), options.backups()),
    ...[takeoverFault(platform, id)].filter((fault) => fault !== null),
  ];
  const notifications = createNotifications({
    platform,
    guard,
    egress,
    sources: {
      isVip: (user_id, email) => vipAddresses(people, user_id).has(email),
      mail: (user_id, message_id) => unlessGone(() => receivedMail(options, user_id, message_id)),
      send: (user_id, send_id) => unlessGone(() => failedSend(options, user_id, send_id)),
      isDecided: (user_id, approval_id) => {
        const approval = approvals.get(user_id, approval_id);
        return approval !== null && approval.state !== "waiting";
      },
      faults: async (user) => [
        ...mailboxFaults(options, user),
        ...(user.role === "owner" ? await ownerFaults(user) : []),
      ],
    },
    pauseFault: () => pauseFault(platform),
    user_agent: `Postroom/${VERSION}`,
    base: () => config.get("http.public_url").replace(/\/$/, "") || null,
  });
  return { ...notifications, close: () => egress.close() };
}

/** Mail elsewhere has been put aside by a rule, the server or the person. */
const VISIBLE_STATES: readonly string[] = ["inbox", "archived", "snoozed"];

function receivedMail({ mailbox }: NotificationOptions, user_id: string, message_id: string): ReceivedMail | null {
  const message = mailbox.messageQueries.get({ user_id, account_id: null }, message_id);
  const state = mailbox.threadQueries.current(message.thread_id)?.state;
  const { from, subject, authentication } = message.head;
  const { name, email } = from;
  const forged = authentication?.result === "fail";
  return { name, email, subject, visible: state !== undefined && VISIBLE_STATES.includes(state), forged };
}

function failedSend({ outbound }: NotificationOptions, user_id: string, send_id: string): FailedSend | null {
  const send = outbound.sends.get(send_id);
  if (send?.user_id !== user_id) return null;
  const { to, cc, bcc, subject, draft_id } = send;
  return { to: [...to, ...cc, ...bcc], subject, draft_id };
}

/** Servers are often unreachable for a while. */
const UNREACHABLE_MS = 3_600_000;

function mailboxFaults({ mailbox }: NotificationOptions, user: User): Fault[] {
  return mailbox.accounts.list(user.id).flatMap(({ id, email, status, last_error }) => {
    if (status !== "auth_failed" && status !== "unreachable") return [];
    const signIn = status === "auth_failed";
    const reason = signIn ? "Postroom cannot sign in to this mailbox." : "The mail server cannot be reached.";
    const detail = last_error === null ? reason : `${reason} ${last_error}`;
    const content = { kind: "health", what: "mailbox", name: email, detail, page: `mailboxes/${id}` } as const;
    return [{ key: `${id} ${status}`, content, patienceMs: signIn ? 0 : UNREACHABLE_MS }];
  });
}

const HOUR_MS = 3_600_000;

/** Runs the checks at most once an hour, because they take time on this thread. */
function atMostHourly<T>(clock: Clock, examine: () => Promise<T>): () => Promise<T> {
  let last: { at: number; findings: T } | null = null;
  return async () => {
    const now = clock.now();
    if (last === null || Math.abs(now - last.at) >= HOUR_MS) last = { at: now, findings: await examine() };
    return last.findings;
  };
}

/** The continuous copy is checked each time: a notification an hour later would be too late. */
const ALWAYS_CHECKED: readonly string[] = [COPYING_CHECK, "test restore"];

function machineFaults(
  platform: Platform,
  findings: Awaited<ReturnType<NotificationOptions["examine"]>>,
  backups: Pick<BackupService, "state">,
): Fault[] {
  // Each person is notified of their own mailboxes.
  const current = [...findings.filter(({ check }) => !ALWAYS_CHECKED.includes(check)), ...copyingFindings(platform)];
  const failed = current.filter(({ check, result }) => result === "FAULT" && !check.startsWith("mailbox "));
  const faults = failed.map(({ check, detail }) => machineFault(check, detail, "system"));
  const [last] = backups.state().runs;
  if (last?.state === "failed") {
    faults.push(machineFault("backup", `The last backup failed. ${last.error ?? ""}`.trim(), "backup"));
  }
  return faults;
}

/** A store that is away for a moment is no news. */
const WAITING_MS = 5 * 60_000;

/** Returns why this server is paused, for its owners. */
function pauseFault(platform: Platform): Fault | null {
  const { pause } = platform.acting;
  const found = pause && copyingFindings(platform).find(({ check }) => check === COPYING_CHECK);
  if (found?.result !== "FAULT") return null;
  const fault = machineFault(COPYING_CHECK, found.detail, "backup");
  return { ...fault, key: `${fault.key} ${pause!.reason}`, patienceMs: pause!.reason === "waiting" ? WAITING_MS : 0 };
}

function machineFault(check: string, detail: string, page: string): Fault {
  return {
    key: `check ${check}`,
    content: { kind: "health", what: "check", name: check, detail, page },
    patienceMs: 0,
  };
}

/** Returns null for what was deleted since its event, or cannot be decrypted. */
function unlessGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof SealBroken || (error instanceof ApiError && error.code === "not_found")) return null;
    throw error;
  }
}
