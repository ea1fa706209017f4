import type { Send, SendScheduled } from "./model.ts";

export const EXAMPLE_SCHEDULED: SendScheduled = {
  send_id: "snd_01kp7a3v9w8x5y2z4b6c1d0e7j",
  status: "scheduled",
  undo_until: "2026-03-02T09:00:10.000Z",
};

export const EXAMPLE_SEND: Send = {
  ...EXAMPLE_SCHEDULED,
  status: "sent",
  account_id: "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
  draft_id: null,
  thread_id: "thr_01kp7a3v9w8x5y2z4b6c1d0e7k",
  message_id: "msg_01kp7a3v9w8x5y2z4b6c1d0e7m",
  from: "ada@example.org",
  to: ["maria@acme.example"],
  cc: [],
  bcc: [],
  subject: "Lunch",
  scheduled_at: null,
  created_at: "2026-03-02T09:00:00.000Z",
  finished_at: "2026-03-02T09:00:10.204Z",
  attempts: 1,
  next_attempt_at: null,
  reason: null,
  detail: null,
  rejected: [],
  bounced: null,
};
