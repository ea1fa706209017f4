import type { Thread, ThreadItem, ThreadMessage } from "./model.ts";

/* Examples in the OpenAPI description. */

const FROM = { name: "Maya Costa", email: "maya@harbourline.example" };

export const EXAMPLE_ITEM: ThreadItem = {
  id: "thr_01kk8f2v0c5s9w3n7r1m4q6t8x",
  account_id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
  subject: "Invoice 1042",
  from: FROM,
  snippet: "Hello Alex, the invoice is attached.",
  labels: ["Invoices"],
  unread: true,
  message_count: 1,
  updated_at: "2026-03-02T09:00:00.000Z",
  state: "inbox",
  starred: false,
  important: false,
  has_attachment: true,
  category: "primary",
};

export const EXAMPLE_THREAD: Thread = {
  id: EXAMPLE_ITEM.id,
  account_id: EXAMPLE_ITEM.account_id,
  subject: EXAMPLE_ITEM.subject,
  participants: [FROM.email, "alex@example.com"],
  labels: ["Invoices"],
  state: "inbox",
  unread: true,
  starred: false,
  important: false,
  snooze_until: null,
  messages: [
    {
      id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
      from: FROM,
      date: "2026-03-02T09:00:00.000Z",
      snippet: EXAMPLE_ITEM.snippet,
    },
  ],
};

export const EXAMPLE_MESSAGE: ThreadMessage = {
  id: "msg_01kk8f2v0c5s9w3n7r1m4q6t8x",
  from: FROM,
  to: [{ name: "Alex", email: "alex@example.com" }],
  cc: [],
  authentication: { result: "pass", from_domain: "harbourline.example", dmarc: "pass", spf: "pass", dkim: "pass" },
  date: "2026-03-02T09:00:00.000Z",
  body_text: "Hello Alex,\n\nthe invoice is attached.\n\n-- \nMaya",
  new_text: "Hello Alex,\n\nthe invoice is attached.",
  attachments: [
    {
      id: "att_01kk8f2v0c5s9w3n7r1m4q6t90",
      name: "invoice-1042.pdf",
      size: 48_211,
      mime: "application/pdf",
      inline: false,
    },
  ],
  unread: true,
  draft: false,
};
