import type { Draft, DraftAttachment, DraftItem } from "./model.ts";

export const EXAMPLE_ATTACHMENT: DraftAttachment = {
  id: "att_01kp7a3v9w8x5y2z4b6c1d0e7f",
  name: "menu.pdf",
  size: 48_213,
  mime: "application/pdf",
  content_id: null,
};

export const EXAMPLE_DRAFT: Draft = {
  id: "drf_01kp7a3v9w8x5y2z4b6c1d0e7g",
  account_id: "acc_01kp7a3v9w8x5y2z4b6c1d0e7h",
  thread_id: null,
  from: "ada@example.org",
  to: ["maria@acme.example"],
  cc: [],
  bcc: [],
  subject: "Lunch",
  body: "Tomorrow at one?",
  attachments: [],
  status: "draft",
  send_id: null,
  created_at: "2026-03-02T09:00:00.000Z",
  updated_at: "2026-03-02T09:00:00.000Z",
  credits_spent: 0,
};

const { id, to, subject, status, send_id, updated_at, account_id, thread_id } = EXAMPLE_DRAFT;
export const EXAMPLE_ITEM: DraftItem = { id, to, subject, status, send_id, updated_at, account_id, thread_id };
