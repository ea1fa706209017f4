import { Type } from "@sinclair/typebox";
import { cutPage, listOf } from "../../http/paging.ts";
import { act, change, type Route, read } from "../../http/route.ts";
import { uploadedFile } from "../../http/upload.ts";
import { decodeText } from "../../wire/charset/charset.ts";
import { Contact, ContactImport, ContactListQuery, ContactPatch, ContactPatched, viewContact } from "./model.ts";
import { type ContactService, MAX_UPLOADED_CARDS } from "./service.ts";

/** Returns the routes for contacts and the import of address books. */
export function contactRoutes(contacts: ContactService): Route[] {
  return [
    read({
      method: "GET",
      path: "/contacts",
      scope: "contacts:read",
      operationId: "listContacts",
      tag: "Contacts",
      summary: "List contacts",
      description:
        "Lists everyone who has exchanged mail with the user, most recent contact first. Several addresses are merged into " +
        "one contact if they have the same name and are derived from it. For example, ann.lee@ and alee@ are merged for Ann Lee.",
      query: ContactListQuery,
      response: listOf(Contact, "ContactList"),
      examples: { response: { data: [EXAMPLE], has_more: false } },
      handle: async ({ query, caller, pager }) => {
        const { limit, cursor, ...filter } = query;
        await contacts.queries.settle(caller);
        const rows = contacts.queries.list(caller, filter, pager.after("contacts", cursor), limit + 1);
        const page = cutPage(rows, limit, (row) => [row.last_at, row.id]);
        return pager.reply("contacts", page, (row) => viewContact(row, caller.user.timezone));
      },
    }),
    change({
      method: "PATCH",
      path: "/contacts/:id",
      scope: "contacts:write",
      operationId: "updateContact",
      tag: "Contacts",
      summary: "Update a contact",
      description: "Marks a contact as a VIP or changes the notes about it. Only the fields that are present change.",
      params: { id: "contact" },
      body: ContactPatch,
      response: ContactPatched,
      examples: {
        body: { vip: true, notes: "Prefers calls." },
        response: { id: "cnt_01kk8f2v0c5s9w3n7r1m4q6t8x", vip: true },
      },
      handle: ({ params, body, caller }) => {
        const { id, vip } = contacts.update(caller, params.id, body);
        return { id, vip };
      },
    }),
    act({
      method: "POST",
      path: "/contacts/import",
      scope: "contacts:write",
      operationId: "importContacts",
      tag: "Contacts",
      summary: "Import an address book",
      description:
        `Imports a vCard file (version 2.1, 3.0 or 4.0) of at most ${MAX_UPLOADED_CARDS} cards. All addresses of a ` +
        "card become one contact. Importing the same file again changes nothing.",
      form: Type.Object({ file: Type.String({ format: "binary" }) }),
      response: ContactImport,
      examples: { response: { imported: 212, skipped: 3 } },
      handle: async ({ form, caller, commit }) => {
        const text = decodeText(new Uint8Array(await uploadedFile(form).arrayBuffer()));
        return commit(() => contacts.importVcards(caller, text, MAX_UPLOADED_CARDS));
      },
    }),
  ];
}

const EXAMPLE: Contact = {
  id: "cnt_01kk8f2v0c5s9w3n7r1m4q6t8x",
  name: "Maya Costa",
  email: "maya.costa@harbourline.example",
  emails: ["maya.costa@harbourline.example", "mcosta@home.example"],
  kind: "person",
  vip: true,
  last_contact: "2026-03-02",
  threads: 14,
  notes: "Prefers calls.",
};
