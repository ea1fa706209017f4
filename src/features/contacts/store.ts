import type { Platform } from "../../platform/platform.ts";
import type { Sealed, Sealer } from "../../platform/sealing/sealer.ts";
import { contactKind } from "./kind.ts";
import { givenName, personKey } from "./person.ts";
import type { AddressProfile, ContactAddressRow, ContactRow } from "./tables.ts";

/** Source of a name: the owner's own spelling ranks above the user's, and an address book's above both. */
export const NAME_RANK = { none: 0, user: 1, owner: 2, book: 3 } as const;

export interface SeenAddress {
  name: string;
  email: string;
  rank: (typeof NAME_RANK)[keyof typeof NAME_RANK];
  /** Date of the mail or of the import, ms. */
  at: number;
}

type StoredAddress = Pick<ContactAddressRow, "n" | "contact_n" | "profile" | "name_rank" | "name_at">;

/**
 * Writes contacts as addresses are seen. Together with ContactQueries, which reads them, the only owner of the contact
 * tables.
 */
export class ContactStore {
  constructor(private readonly platform: Platform) {}

  /**
   * Records an address that occurs in mail or in an address book, with its name.
   * @returns the address's row number; null if it is not an address
   */
  recordAddress(user_id: string, sighting: SeenAddress): number | null {
    const email = sighting.email.trim();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) return null;
    const sealer = this.platform.keyring.forUser(user_id);
    const hmac = sealer.hmac("address", email.toLowerCase());
    const name = givenName(sighting.name, email);
    const seen = { ...sighting, email, name, rank: name === "" ? NAME_RANK.none : sighting.rank };
    const known = this.platform.db.sql
      .query<StoredAddress, [string, Uint8Array]>(
        "SELECT n, contact_n, profile, name_rank, name_at FROM contact_addresses WHERE user_id = +? AND address_hmac = +?",
      )
      .get(user_id, hmac);
    if (!known) return this.#add(user_id, sealer, hmac, seen);
    this.#rename(user_id, sealer, known, seen);
    return known.n;
  }

  /** Links a message to an address that wrote or received it. Idempotent. */
  linkMessage(message_n: number, address_n: number): void {
    this.platform.db.sql
      .query("INSERT OR IGNORE INTO contact_messages (message_n, address_n) VALUES (?, ?)")
      .run(message_n, address_n);
  }

  /** Merges these addresses into one contact. @returns its row number */
  join(user_id: string, addressNs: readonly number[]): number {
    const { sql } = this.platform.db;
    const contacts = addressNs.map(
      (n) => sql.query<{ n: number }, [number]>("SELECT contact_n AS n FROM contact_addresses WHERE n = ?").get(n)!.n,
    );
    const survivor = Math.min(...contacts);
    for (const other of new Set(contacts)) if (other !== survivor) this.#merge(user_id, survivor, other);
    return survivor;
  }

  markImported(contact_n: number): void {
    this.platform.db.sql.query("UPDATE contacts SET imported = 1 WHERE n = ?").run(contact_n);
  }

  /** Deletes addresses that have no mail left and that the user has not marked. */
  prune(): void {
    this.platform.db.sql.run(
      `DELETE FROM contacts WHERE vip = 0 AND imported = 0 AND notes IS NULL AND stale = 0 AND threads = 0
         AND NOT EXISTS (SELECT 1 FROM contact_addresses a JOIN contact_messages cm ON cm.address_n = a.n
           WHERE a.contact_n = contacts.n)`,
    );
  }

  #add(user_id: string, sealer: Sealer, hmac: Uint8Array, { name, email, rank, at }: SeenAddress): number {
    const { sql } = this.platform.db;
    const id = this.platform.newId("contact");
    const { n: contact_n } = sql
      .query<Pick<ContactRow, "n">, [string, string, string]>(
        "INSERT INTO contacts (id, user_id, kind) VALUES (?, ?, ?) RETURNING n",
      )
      .get(id, user_id, contactKind(email))!;
    const { n } = sql
      .query<Pick<ContactAddressRow, "n">, [string, number, Uint8Array, Uint8Array, number, number]>(
        `INSERT INTO contact_addresses (user_id, contact_n, address_hmac, profile, name_rank, name_at)
         VALUES (?, ?, ?, ?, ?, ?) RETURNING n`,
      )
      .get(user_id, contact_n, hmac, sealProfile(sealer, hmac, { name, email }), rank, at)!;
    this.#mergeSamePerson(user_id, sealer, contact_n, name, email);
    return n;
  }

  /** Keeps the best name: by rank of its source, then the newest. */
  #rename(user_id: string, sealer: Sealer, known: StoredAddress, { name, email, rank, at }: SeenAddress): void {
    const better = rank > known.name_rank || (rank === known.name_rank && at > known.name_at);
    if (!better) return;
    const { sql } = this.platform.db;
    const hmac = sealer.hmac("address", email.toLowerCase());
    const before = openProfile(sealer, hmac, known.profile);
    if (before.name === name && rank === known.name_rank) {
      sql.query("UPDATE contact_addresses SET name_at = ? WHERE n = ?").run(at, known.n);
      return;
    }
    sql
      .query("UPDATE contact_addresses SET profile = ?, name_rank = ?, name_at = ? WHERE n = ?")
      .run(sealProfile(sealer, hmac, { name, email: before.email }), rank, at, known.n);
    this.#mergeSamePerson(user_id, sealer, known.contact_n, name, email);
  }

  /** Merges the contact with an existing contact of the same person, if there is one. */
  #mergeSamePerson(user_id: string, sealer: Sealer, contact_n: number, name: string, email: string): void {
    const key = contactKind(email) === "person" ? personKey(name, email) : null;
    if (key === null) return;
    const { sql } = this.platform.db;
    const hmac = sealer.hmac("person", key);
    const same = sql
      .query<Pick<ContactRow, "n">, [string, Uint8Array, number]>(
        "SELECT n FROM contacts WHERE user_id = ? AND person_hmac = ? AND n <> ? ORDER BY n LIMIT 1",
      )
      .get(user_id, hmac, contact_n);
    if (same) this.#merge(user_id, Math.min(same.n, contact_n), Math.max(same.n, contact_n), hmac);
    else sql.query("UPDATE contacts SET person_hmac = ? WHERE n = ? AND person_hmac IS NULL").run(hmac, contact_n);
  }

  #merge(user_id: string, survivorN: number, absorbedN: number, person_hmac: Uint8Array | null = null): void {
    const { sql } = this.platform.db;
    const sealer = this.platform.keyring.forUser(user_id);
    const [survivor, absorbed] = [this.#row(survivorN), this.#row(absorbedN)];
    const notes = [survivor, absorbed].flatMap(({ id, notes }) =>
      notes === null ? [] : [sealer.open(`contacts.notes:${id}`, notes)],
    );
    sql.query("UPDATE contact_addresses SET contact_n = ? WHERE contact_n = ?").run(survivorN, absorbedN);
    sql.query("UPDATE contact_aliases SET contact_n = ? WHERE contact_n = ?").run(survivorN, absorbedN);
    sql
      .query("INSERT OR REPLACE INTO contact_aliases (id, user_id, contact_n) VALUES (?, ?, ?)")
      .run(absorbed.id, user_id, survivorN);
    sql.query("DELETE FROM contacts WHERE n = ?").run(absorbedN);
    sql
      .query(
        `UPDATE contacts SET kind = CASE WHEN ? = 'person' THEN 'person' ELSE kind END, vip = max(vip, ?),
           imported = max(imported, ?), notes = ?, person_hmac = coalesce(person_hmac, ?, ?), stale = 2 WHERE n = ?`,
      )
      .run(
        absorbed.kind,
        absorbed.vip,
        absorbed.imported,
        notes.length === 0 ? null : sealer.seal(`contacts.notes:${survivor.id}`, notes.join("\n\n")),
        person_hmac,
        absorbed.person_hmac,
        survivorN,
      );
  }

  #row(n: number) {
    return this.platform.db.sql
      .query<Pick<ContactRow, "id" | "kind" | "vip" | "imported" | "notes" | "person_hmac">, [number]>(
        "SELECT id, kind, vip, imported, notes, person_hmac FROM contacts WHERE n = ?",
      )
      .get(n)!;
  }
}

const profileContext = (hmac: Uint8Array) => `contact_addresses.profile:${Buffer.from(hmac).toString("hex")}`;

function sealProfile(sealer: Sealer, hmac: Uint8Array, profile: AddressProfile): Uint8Array {
  return sealer.sealJson(profileContext(hmac), profile);
}

/** Decrypts the profile of an address. */
export function openProfile(sealer: Sealer, hmac: Uint8Array, sealed: Sealed<AddressProfile>): AddressProfile {
  return sealer.openJson(profileContext(hmac), sealed);
}
