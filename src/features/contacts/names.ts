import type { Platform } from "../../platform/platform.ts";
import { searchable } from "./person.ts";
import { openProfile } from "./store.ts";
import type { ContactAddressRow } from "./tables.ts";

/** Users whose decrypted names are cached. The next search of any other user decrypts them again. */
const MAX_USERS = 4;
/** Addresses of one user that are cached, at about 100 bytes each. */
const MAX_NAMES = 200_000;

/** Identifies a version of a name, even when a row number is reused. */
type NameRow = Pick<ContactAddressRow, "n" | "name_at" | "name_rank"> & { address: string };

interface OpenedName extends NameRow {
  /** Name and address, normalized for comparison. */
  text: string;
}

/**
 * Caches the decrypted names and addresses of contacts. They are stored encrypted, so a substring search must decrypt
 * all of them: 400 ms for 40,000, paid once while the user stays in the cache.
 */
export class ContactNames {
  /** By user, least recently used first. */
  readonly #opened = new Map<string, Map<number, OpenedName>>();

  constructor(private readonly platform: Platform) {}

  /** Returns all current addresses of a user. */
  of(user_id: string): OpenedName[] {
    const before = this.#opened.get(user_id);
    const rows = this.platform.db.sql
      .query<NameRow, [string]>(
        "SELECT n, substr(hex(address_hmac), 1, 16) AS address, name_at, name_rank FROM contact_addresses WHERE user_id = ?",
      )
      .all(user_id);
    const names = rows.map((row) => {
      const known = before?.get(row.n);
      return known && isSame(known, row) ? known : this.#open(user_id, row);
    });
    this.#opened.delete(user_id);
    if (names.length <= MAX_NAMES) this.#opened.set(user_id, new Map(names.map((name) => [name.n, name])));
    if (this.#opened.size > MAX_USERS) this.#opened.delete(this.#opened.keys().next().value!);
    return names;
  }

  #open(user_id: string, row: NameRow): OpenedName {
    const { address_hmac, profile } = this.platform.db.sql
      .query<Pick<ContactAddressRow, "address_hmac" | "profile">, [number]>(
        "SELECT address_hmac, profile FROM contact_addresses WHERE n = ?",
      )
      .get(row.n)!;
    const { name, email } = openProfile(this.platform.keyring.forUser(user_id), address_hmac, profile);
    return { ...row, text: searchable(`${name}\n${email}`) };
  }
}

const isSame = (one: NameRow, other: NameRow): boolean =>
  one.address === other.address && one.name_at === other.name_at && one.name_rank === other.name_rank;
