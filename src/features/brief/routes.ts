import { requireUnbound } from "../../http/guard/caller.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { Brief, BriefGenerated, BriefSettings, BriefSettingsPatch } from "./model.ts";
import type { BriefService } from "./service.ts";

/** Returns the routes for the brief and its settings. */
export function briefRoutes(briefs: BriefService): Route[] {
  return [
    read({
      method: "GET",
      path: "/brief/latest",
      scope: "brief:read",
      operationId: "getLatestBrief",
      tag: "Brief",
      summary: "Get the latest brief",
      description:
        "Returns the latest brief; 404 `not_found` if there is none yet. Each item names its message and the " +
        "position of the quoted words. Items whose words no longer exist are omitted.",
      response: Brief,
      errors: ["not_found"],
      examples: { response: EXAMPLE },
      handle: ({ caller }) => briefs.latest(caller),
    }),
    act({
      method: "POST",
      path: "/brief/generate",
      scope: "ai:invoke",
      operationId: "generateBrief",
      tag: "Brief",
      summary: "Generate today's brief",
      description:
        "Generates the brief of today and spends 3 AI credits. The new brief replaces an earlier one of the same " +
        "day. Emits `brief.ready`.",
      response: BriefGenerated,
      errors: ["insufficient_credits"],
      examples: { response: { date: "2026-03-02", status: "ready", credits_spent: 3 } },
      handle: ({ caller: { user, actor, request_id }, commit }) => briefs.generate({ user, actor, request_id }, commit),
    }),
    read({
      method: "GET",
      path: "/brief/settings",
      scope: "brief:read",
      operationId: "getBriefSettings",
      tag: "Brief",
      summary: "Get brief settings",
      description: "Returns whether and when the daily brief is generated, and whether it is emailed to the user.",
      response: BriefSettings,
      examples: { response: EXAMPLE_SETTINGS },
      handle: ({ caller }) => briefs.settings(caller.user),
    }),
    change({
      method: "PATCH",
      path: "/brief/settings",
      scope: "ai:invoke",
      operationId: "updateBriefSettings",
      tag: "Brief",
      summary: "Update brief settings",
      description:
        "Changes the fields that are present. Not available to a key that is bound to one mailbox, because the brief " +
        "covers all mailboxes.",
      body: BriefSettingsPatch,
      response: BriefSettings,
      examples: { body: { time: "06:30" }, response: { ...EXAMPLE_SETTINGS, time: "06:30" } },
      handle: ({ body, caller }) => {
        requireUnbound(caller);
        const { user, actor, request_id } = caller;
        return briefs.changeSettings({ user, actor, request_id }, body);
      },
    }),
  ];
}

const EXAMPLE_SETTINGS = { daily: true, time: "07:00", timezone: "Europe/Lisbon", mail: false };

const EXAMPLE = {
  date: "2026-03-02",
  needs_reply: [
    {
      thread_id: "thr_01jz4t9h2m8q5r7v3w6x0y1z2a",
      from: { name: "Maria Silva", email: "maria@acme.example" },
      why: "Asked 2 days ago: “Could you send me the signed contract?”, due on Friday.",
      subject: "Contract",
      asked_at: "2026-02-28T10:12:00.000Z",
      due: "2026-03-06",
      vip: true,
      message_id: "msg_01jz4t9h2m8q5r7v3w6x0y1z2b",
      quote: "Could you send me the signed contract?",
      start: 24,
      end: 62,
    },
  ],
  commitments: [
    {
      thread_id: "thr_01jz4t9h2m8q5r7v3w6x0y1z2c",
      promise: "I'll send you the slides by Wednesday.",
      due: "2026-03-04",
      by: "me" as const,
      with: { name: "Bob", email: "bob@example.net" },
      said_at: "2026-03-01T17:40:00.000Z",
      overdue: false,
      message_id: "msg_01jz4t9h2m8q5r7v3w6x0y1z2d",
      quote: "I'll send you the slides by Wednesday.",
      start: 11,
      end: 49,
    },
  ],
  undated: [],
  calendar: [
    {
      title: "Team meeting",
      start: "2026-03-02T13:00:00.000Z",
      event_id: "evt_01jz4t9h2m8q5r7v3w6x0y1z2g",
      thread_id: "thr_01jz4t9h2m8q5r7v3w6x0y1z2h",
    },
  ],
  engine: "extractive" as const,
  generated_at: "2026-03-02T07:00:00.000Z",
};
