import { invalidParam } from "../../kernel/errors.ts";
import type { MailScope } from "../../mailbox/queries/scope.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import { type Card, readVcards } from "../../wire/ical/vcard.ts";
import type { ContactQueries, ContactView } from "./queries.ts";
import { type ContactStore, NAME_RANK } from "./store.ts";
import type { ContactRow } from "./tables.ts";

/** The caller who changes contacts. */
export interface ContactWriter extends MailScope {
  actor: Actor;
  request_id: string | null;
}

export interface ContactPatch {
  vip?: boolean;
  notes?: string;
}

export interface ImportReport {
  /** Imported cards. */
  imported: number;
  /** Cards without an address, or unreadable ones. */
  skipped: number;
}

/** More cards than any real address book has. */
const MAX_CARDS = 50_000;
/** Most cards in an uploaded file, because other requests wait during the import. */
export const MAX_UPLOADED_CARDS = 5_000;

/** Changes contacts and imports address books. Every change is audited. */
export class ContactService {
  constructor(
    private readonly platform: Platform,
    private readonly store: ContactStore,
    readonly queries: ContactQueries,
  ) {}

  /** Sets the VIP mark and the notes. @throws ApiError not_found */
  update(writer: ContactWriter, id: string, patch: ContactPatch): ContactView {
    const { db, keyring, audit } = this.platform;
    return db.write(() => {
      const before = this.queries.get(writer, id);
      const after = { vip: patch.vip ?? before.vip, notes: patch.notes ?? before.notes };
      if (after.vip === before.vip && after.notes === before.notes) return before;
      const sealer = keyring.forUser(writer.user_id);
      const notes = after.notes === "" ? null : sealer.seal(`contacts.notes:${before.id}`, after.notes);
      db.sql.query("UPDATE contacts SET vip = ?, notes = ? WHERE id = ?").run(Number(after.vip), notes, before.id);
      audit.record({
        user_id: writer.user_id,
        actor: writer.actor,
        action: "contact.update",
        target: before.id,
        before: { vip: before.vip, notes: before.notes },
        after,
        request_id: writer.request_id,
      });
      return { ...before, ...after };
    });
  }

  /**
   * Imports an address book (vCard 2.1, 3.0, 4.0). A card with several addresses makes them one contact. Its note is
   * used if the contact has none. Importing the same file again changes nothing.
   * @throws ApiError invalid_params (`file`) when it contains no card, or more than `most`
   */
  importVcards(writer: ContactWriter, text: string, most = MAX_CARDS): ImportReport {
    // An address book belongs to the person; a key bound to one mailbox could not see what it imports.
    if (writer.account_id !== null)
      throw invalidParam(
        "file",
        "A key that is bound to one mailbox cannot import contacts. Use a key for all mailboxes.",
      );
    const { cards, unreadable } = readVcards(text, most + 1);
    const found = cards.length + unreadable;
    if (found === 0) throw invalidParam("file", "The file contains no vCard. Send a vCard file (.vcf).");
    if (found > most)
      throw invalidParam("file", `The file contains more than ${most} cards. Split it into smaller files.`);
    const now = this.platform.clock.now();
    return this.platform.db.write(() => {
      const imported = cards.filter((card) => this.#take(writer.user_id, card, now)).length;
      const report = { imported, skipped: cards.length - imported + unreadable };
      const { user_id, actor, request_id } = writer;
      this.platform.audit.record({ user_id, actor, action: "contact.import", target: null, after: report, request_id });
      return report;
    });
  }

  #take(user_id: string, { name, emails, note }: Card, now: number): boolean {
    const { sql } = this.platform.db;
    const addresses = emails.flatMap((email) => {
      const n = this.store.recordAddress(user_id, { name, email, rank: NAME_RANK.book, at: now });
      return n === null ? [] : [n];
    });
    if (addresses.length === 0) return false;
    const contact_n = this.store.join(user_id, addresses);
    this.store.markImported(contact_n);
    if (note !== "") {
      const { id } = sql.query<Pick<ContactRow, "id">, [number]>("SELECT id FROM contacts WHERE n = ?").get(contact_n)!;
      const sealed = this.platform.keyring.forUser(user_id).seal(`contacts.notes:${id}`, note);
      sql.query("UPDATE contacts SET notes = coalesce(notes, ?) WHERE n = ?").run(sealed, contact_n);
    }
    return true;
  }
}
