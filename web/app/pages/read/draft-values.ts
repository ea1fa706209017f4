import type { Draft } from "../../../../src/features/drafts/model.ts";
import { recipientsOf, recipientText } from "./recipients.ts";

/** The fields of a draft that can be edited, as text. */
export interface DraftValues {
  to: string;
  cc: string;
  bcc: string;
  subject: string;
  body: string;
}

export function valuesOf({ to, cc, bcc, subject, body }: Draft): DraftValues {
  return { to: recipientText(to), cc: recipientText(cc), bcc: recipientText(bcc), subject, body };
}

/** Returns the fields that differ, as PATCH /drafts/{id} takes them; null if none do. */
export function changesOf(values: DraftValues, stored: DraftValues): Record<string, unknown> | null {
  const changes: Record<string, unknown> = {};
  for (const name of ["to", "cc", "bcc"] as const) {
    if (values[name] !== stored[name]) changes[name] = recipientsOf(values[name]);
  }
  for (const name of ["subject", "body"] as const) if (values[name] !== stored[name]) changes[name] = values[name];
  return Object.keys(changes).length > 0 ? changes : null;
}

/** Returns recipients and subject as rows of names and values. */
export function valuesText({ to, cc, bcc, subject }: DraftValues): [string, string][] {
  const rows: [string, string][] = [["To", to || "(no recipients)"]];
  if (cc) rows.push(["Cc", cc]);
  if (bcc) rows.push(["Bcc", bcc]);
  return [...rows, ["Subject", subject || "(no subject)"]];
}
