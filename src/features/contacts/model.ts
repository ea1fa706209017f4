import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../http/paging.ts";
import { Day, Nullable, OneOf } from "../../http/schema.ts";
import { CONTACT_KINDS } from "./kind.ts";
import type { ContactView } from "./queries.ts";

export const LONGEST_NOTES_CHARS = 20_000;

export const Contact = Type.Object(
  {
    id: Type.String({ description: "`cnt_…`" }),
    name: Type.String({ description: '"" where no name is known.' }),
    email: Type.String(),
    emails: Type.Array(Type.String(), { description: "All addresses of this person, `email` first." }),
    kind: OneOf(CONTACT_KINDS, {
      description: "`role` is an office such as info@; `automated` a machine that nobody answers.",
    }),
    vip: Type.Boolean(),
    last_contact: Nullable(
      Day(
        "Day of the newest message to or from them, in the user's time zone; null for who is only in an address book.",
      ),
    ),
    threads: Type.Integer({ description: "Conversations with them, spam and trash aside." }),
    notes: Type.String(),
  },
  { $id: "Contact" },
);
export type Contact = Static<typeof Contact>;

export const ContactListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name, an address or a domain." })),
  vip: Type.Optional(Type.Boolean({ description: "True: only VIPs; false: only contacts that are not VIPs." })),
  kind: Type.Optional(
    OneOf(CONTACT_KINDS, {
      description: "Only these. Without it, `automated` ones are listed only with `q` or `vip=true`.",
    }),
  ),
  ...pageQuery,
});

export const ContactPatch = Type.Object(
  {
    vip: Type.Optional(Type.Boolean()),
    notes: Type.Optional(Type.String({ maxLength: LONGEST_NOTES_CHARS })),
  },
  { $id: "ContactPatch" },
);

export const ContactPatched = Type.Object({ id: Type.String(), vip: Type.Boolean() }, { $id: "ContactPatched" });

export const ContactImport = Type.Object(
  {
    imported: Type.Integer({ description: "Cards taken over." }),
    skipped: Type.Integer({ description: "Cards without an e-mail address, or not readable." }),
  },
  { $id: "ContactImport" },
);

export function viewContact({ last_at, known_emails: _, ...contact }: ContactView, timezone: string): Contact {
  return { ...contact, last_contact: last_at === 0 ? null : dayIn(timezone, last_at) };
}

/** "2026-11-21": Sweden writes dates as ISO 8601 does. */
function dayIn(timezone: string, ms: number): string {
  return new Date(ms).toLocaleDateString("sv-SE", { timeZone: timezone });
}
