import { useEffect } from "preact/hooks";
import type { Draft } from "../../../../src/features/drafts/model.ts";
import type { Notifications, NotificationTarget } from "../../../../src/features/notifications/model.ts";
import type { Send } from "../../../../src/features/sends/model.ts";
import type { WebhookEndpoint } from "../../../../src/features/webhooks/model.ts";
import type { ApprovalItem } from "../../api/assistants.ts";
import { app, v1 } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import type { Finding, SystemState } from "../../api/machine.ts";
import type { PageOf } from "../../api/paging.ts";
import { waitingApprovals } from "../../state/approvals.ts";
import { type Loaded, useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { pendingSends } from "../../state/sending.ts";
import { isOwner } from "../../state/session.ts";
import { isGone } from "../read/gone.tsx";

const POLL_MS = 15_000;
const SLOW_POLL_MS = 60_000;
const MAX_LOOKED_UP = 10;

/** What waits for the person. */
export interface Needs {
  approvals: ApprovalItem[];
  /** The last failed send of each draft that is still there. */
  sends: Send[];
  mailboxes: Mailbox[];
  webhooks: WebhookEndpoint[];
  /** Notification targets that could not be reached. */
  targets: NotificationTarget[];
  /** Diagnostics that are not OK, without those of `mailboxes`; empty for members. */
  findings: Finding[];
}

interface LoadedNeeds {
  /** Null until every part has a response or an error. */
  needs: Needs | null;
  error: unknown;
  reload(): void;
}

/** Loads what waits for the person. A part that cannot be loaded does not hide the others. */
export function useNeeds(mailboxes: Loaded<{ data: Mailbox[] }>): LoadedNeeds {
  const approvals = useLoad("waiting approvals", waiting, POLL_MS);
  const sends = useLoad("failed sends", failedSends, POLL_MS);
  const webhooks = useLoad("failed webhooks", failedWebhooks, SLOW_POLL_MS);
  const targets = useLoad("failed notifications", failedTargets, SLOW_POLL_MS);
  const owner = isOwner();
  const findings = useLoad(`findings ${owner}`, () => (owner ? openFindings() : Promise.resolve([])), SLOW_POLL_MS);
  useReloadOn(waitingApprovals.value, approvals);
  useReloadOn(pendingSends.value.length, sends);
  const parts = [approvals, sends, webhooks, targets, findings];
  const faulty = (mailboxes.data?.data ?? []).filter(isFaulty);
  const loading = [...parts, mailboxes].some(({ data, error }) => data === null && !error);
  return {
    needs: loading
      ? null
      : {
          approvals: approvals.data ?? [],
          sends: sends.data ?? [],
          mailboxes: faulty,
          webhooks: webhooks.data ?? [],
          targets: targets.data ?? [],
          findings: (findings.data ?? []).filter(
            ({ check }) => !faulty.some(({ email }) => check === `mailbox ${email}`),
          ),
        },
    error: parts.find(({ error }) => error)?.error,
    reload() {
      for (const part of parts) if (part.error) void part.reload();
    },
  };
}

/** Loads again when a value changes, but not on mount. */
function useReloadOn(value: number, { data, reload }: Loaded<unknown>): void {
  useEffect(() => {
    if (data !== null) void reload();
  }, [value]);
}

const isFaulty = ({ status }: Mailbox): boolean => status === "auth_failed" || status === "unreachable";

async function waiting(): Promise<ApprovalItem[]> {
  const { data } = await app<{ data: ApprovalItem[] }>("GET", "/approvals");
  return data.filter(({ state }) => state === "waiting");
}

/** Returns the endpoints that were disabled by failed deliveries, without those that a person turned off. */
async function failedWebhooks(): Promise<WebhookEndpoint[]> {
  const { data } = await v1<PageOf<WebhookEndpoint>>("GET", "/webhooks", { query: { limit: 100 } });
  return data.filter(({ status, failure_count }) => status === "disabled" && failure_count > 0);
}

async function failedTargets(): Promise<NotificationTarget[]> {
  const { targets } = await app<Notifications>("GET", "/notifications");
  return targets.filter(({ status }) => status === "failing");
}

async function openFindings(): Promise<Finding[]> {
  const { findings } = await app<SystemState>("GET", "/system");
  return findings.filter(({ result }) => result !== "ok");
}

/** Drafts that were sent or deleted after a send had failed. Their ids are never used again. */
const goneDrafts = new Set<string>();

/** A failed send needs the person while its draft is there and is not being sent again. */
async function failedSends(): Promise<Send[]> {
  const inSandbox = sandbox.value;
  const { data } = await v1<PageOf<Send>>("GET", "/sends", { query: { status: "failed", limit: 100 }, inSandbox });
  const newest = new Map<string, Send>();
  for (const send of data) {
    const { draft_id } = send;
    if (draft_id !== null && !goneDrafts.has(draft_id) && !newest.has(draft_id)) newest.set(draft_id, send);
  }
  const found = await Promise.all(
    [...newest].slice(0, MAX_LOOKED_UP).map(async ([draftId, send]) => {
      const draft = await draftOf(draftId, inSandbox);
      if (!draft) goneDrafts.add(draftId);
      return draft && draft.send_id === null ? send : null;
    }),
  );
  return found.filter((send) => send !== null);
}

/** Returns a draft; null when it no longer exists. */
async function draftOf(id: string, inSandbox: boolean): Promise<Draft | null> {
  try {
    return await v1<Draft>("GET", `/drafts/${encodeURIComponent(id)}`, { inSandbox });
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}
