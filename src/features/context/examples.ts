import type { FileItem, ProfileDetail, ProfileItem, VariableItem } from "./model.ts";

export const EXAMPLE_ITEM: ProfileItem = {
  id: "ctx_01kk8f2v0c5s9w3n7r1m4q6t8x",
  domain: "harbourline.example",
  name: "Harbourline",
  updated_at: "2026-03-02T09:00:00.000Z",
};

export const EXAMPLE_PROFILE: ProfileDetail = {
  ...EXAMPLE_ITEM,
  summary: "Ferry operator; we do their booking site.",
  variables: { "client.name": "Harbourline", tone: "warm" },
  notes: [{ at: "2026-02-11T14:30:00.000Z", text: "Budget is decided in April." }],
};

export const EXAMPLE_VARIABLE: VariableItem = {
  key: "signature",
  value: "Best regards, Alex",
  type: "string",
  updated_at: "2026-03-02T09:00:00.000Z",
};

export const EXAMPLE_FILE: FileItem = {
  id: "ctf_01kk8f2v0c5s9w3n7r1m4q6t8x",
  name: "rates-2026.pdf",
  mime: "application/pdf",
  bytes: 48_211,
  profile_id: EXAMPLE_ITEM.id,
  has_text: true,
  created_at: "2026-03-02T09:00:00.000Z",
};
