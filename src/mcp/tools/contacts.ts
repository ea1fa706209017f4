import { Type } from "@sinclair/typebox";
import { fitting, fittingPage } from "../budget.ts";
import { tool } from "../tool.ts";
import { undoText } from "./bulk.ts";
import { cursor, exact, limit } from "./fields.ts";
import { ownArgument, ownText } from "./own-text.ts";

interface Contact {
  id: string;
  name: string;
  email: string;
  emails: string[];
  vip: boolean;
  last_contact: string | null;
  threads: number;
  notes: string;
}

/** Addresses of a contact that a list shows at most. */
const EMAIL_BYTES = 1_000;

export const listContacts = tool({
  name: "list_contacts",
  title: "List contacts",
  description: "List people the user exchanges mail with, most recent first.",
  scope: "contacts:read",
  kind: "read",
  input: exact({
    q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name, address or domain" })),
    vip: Type.Optional(Type.Boolean()),
    limit,
    cursor,
  }),
  output: Type.Object({ contacts: Type.Array(Type.Unknown()), next_cursor: cursor }),
  run: async (query, { call, mail }) => {
    const read = async (limit: number) =>
      (await call("listContacts", { query: { ...query, limit } })) as { data: Contact[]; next_cursor?: string };
    const show = ({ id, name, emails, vip, last_contact, threads, notes }: Contact) => ({
      id,
      name: mail.line(name),
      emails: fitting(emails, EMAIL_BYTES).map((email) => mail.person(email)),
      vip,
      last_contact,
      threads,
      ...(notes !== "" && { notes: ownText(notes, { id, offset: 0 }, mail) }),
    });
    const { shown, page } = await fittingPage(query.limit, read, show);
    return { contacts: shown, next_cursor: page.next_cursor };
  },
});

export const updateContact = tool({
  name: "update_contact",
  title: "Change a contact",
  description: "Mark a contact as a VIP, or replace its notes.",
  scope: "contacts:write",
  kind: "write",
  input: exact({ id: Type.String(), vip: Type.Optional(Type.Boolean()), notes: Type.Optional(Type.String()) }),
  output: Type.Object({ id: Type.String(), undo: Type.String() }),
  run: async ({ id, vip, notes }, { call, before, scopes, mail }) => {
    const body = { vip, ...(notes !== undefined && { notes: ownArgument("notes", notes) }) };
    const earlier = scopes.includes("contacts:read") ? before.contact(id) : null;
    await call("updateContact", { params: { id }, body });
    if (!earlier) return { id, undo: "The earlier values are unknown without the scope contacts:read." };
    const undo = {
      id,
      ...(vip !== undefined && { vip: earlier.vip }),
      ...(notes !== undefined && { notes: mail.argument(earlier.notes) }),
    };
    return { id, undo: undoText("update_contact", undo) };
  },
});
