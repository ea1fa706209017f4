import { integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import { flag, hmac, sealed, time } from "../../platform/db/columns.ts";
import type { ContactKind } from "./kind.ts";

/** The encrypted part of an address. */
export interface AddressProfile {
  name: string;
  email: string;
}

export const contacts = sqliteTable("contacts", {
  /** Not part of the API. */
  n: integer().primaryKey(),
  id: text().notNull().unique(),
  user_id: text().notNull(),
  kind: text().$type<ContactKind>().notNull(),
  /** HMAC of the name, where name and address pattern agree; joins addresses of a person. */
  person_hmac: hmac(),
  vip: flag().notNull(),
  /** Imported from an address book, so listed even without mail. */
  imported: flag().notNull(),
  notes: sealed<string>(),
  /** Number of threads when the counts were last settled; see `stale`. */
  threads: integer().notNull(),
  /** 0: never. */
  last_at: time().notNull(),
  /** The newest message that threads and last_at count. */
  counted_n: integer().notNull(),
  /** 1: later messages are not counted yet; 2: all messages must be counted again. */
  stale: integer().notNull(),
  /** The settling that last counted it. */
  settled: integer().notNull(),
  /** The settling that last counted all of its messages. */
  settled_anew: integer().notNull(),
});
export type ContactRow = typeof contacts.$inferSelect;

/** Ids of contacts that were merged into another one. */
export const contactAliases = sqliteTable("contact_aliases", {
  id: text().primaryKey(),
  user_id: text().notNull(),
  contact_n: integer().notNull(),
});

export const contactAddresses = sqliteTable(
  "contact_addresses",
  {
    n: integer().primaryKey(),
    user_id: text().notNull(),
    contact_n: integer().notNull(),
    address_hmac: hmac().notNull(),
    profile: sealed<AddressProfile>().notNull(),
    /** Source of the name: 0 none, 1 the user, 2 its owner, 3 an address book. */
    name_rank: integer().notNull(),
    /** Date of the message that gave the name. */
    name_at: time().notNull(),
  },
  (t) => [unique().on(t.user_id, t.address_hmac)],
);
export type ContactAddressRow = typeof contactAddresses.$inferSelect;

/** Links a message to the people who wrote it to the user or received it from them. */
export const contactMessages = sqliteTable(
  "contact_messages",
  {
    message_n: integer().notNull(),
    address_n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.message_n, t.address_n] })],
);

export const contactMailboxes = sqliteTable(
  "contact_mailboxes",
  {
    contact_n: integer().notNull(),
    account_id: text().notNull(),
    threads: integer().notNull(),
    /** 0: never. */
    last_at: time().notNull(),
    /** The newest message that threads and last_at count. */
    counted_n: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.contact_n, t.account_id] })],
);

/** The settling up to which the counts of a mailbox are current. */
export const contactMailboxesSettled = sqliteTable("contact_mailboxes_settled", {
  account_id: text().primaryKey(),
  settled: integer().notNull(),
});
export type SettledMailboxRow = typeof contactMailboxesSettled.$inferSelect;
