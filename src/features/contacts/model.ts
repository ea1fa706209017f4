import { type Static, Type } from "@sinclair/typebox";
import { pageQuery } from "../../http/paging.ts";
import { Day, Nullable, OneOf } from "../../http/schema.ts";
import { CONTACT_KINDS } from "./kind.ts";
import type { ContactView } from "./queries.ts";

const LONGEST_NOTES_CHARS = 20_000;

export const Contact = Type.Object(
  {
    id: Type.String({ description: "`cnt_…`" }),
    name: Type.String({ description: "Empty if no name is known." }),
    email: Type.String(),
    emails: Type.Array(Type.String(), { description: "All addresses of this person; `email` is first." }),
    kind: OneOf(CONTACT_KINDS, {
      description: "`role`: a shared address such as info@. `automated`: a machine that does not expect replies.",
    }),
    vip: Type.Boolean(),
    last_contact: Nullable(
      Day(
        "Day of the newest message to or from this contact, in the user's time zone. Null if the contact is only in " +
          "an address book.",
      ),
    ),
    threads: Type.Integer({ description: "Number of threads with this contact, except spam and trash." }),
    notes: Type.String(),
  },
  { $id: "Contact" },
);
export type Contact = Static<typeof Contact>;

export const ContactListQuery = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name, an address or a domain." })),
  vip: Type.Optional(Type.Boolean({ description: "True: only VIPs. False: only contacts that are not VIPs." })),
  kind: Type.Optional(
    OneOf(CONTACT_KINDS, {
      description:
        "Only contacts of this kind. If absent, `automated` contacts are listed only with `q` or `vip=true`.",
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
    imported: Type.Integer({ description: "Cards that were imported." }),
    skipped: Type.Integer({ description: "Cards without an email address, and cards that could not be read." }),
  },
  { $id: "ContactImport" },
);

/** Returns a contact as the API shows it, with days in the user's time zone. */
export function viewContact({ last_at, knownEmails: _, ...contact }: ContactView, timezone: string): Contact {
  return { ...contact, last_contact: last_at === 0 ? null : dayIn(timezone, last_at) };
}

/** Returns a day such as "2026-11-21". The Swedish locale formats dates as ISO 8601 does. */
function dayIn(timezone: string, ms: number): string {
  return new Date(ms).toLocaleDateString("sv-SE", { timeZone: timezone });
}
