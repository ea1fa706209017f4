import type { Platform } from "../../platform/platform.ts";
import { searchable } from "./person.ts";
import { openProfile } from "./store.ts";

/** Users whose names are kept opened; who searches again after that waits again. */
const MOST_USERS = 4;
/** Addresses of one user that are kept opened: some 100 bytes each. */
const MOST_NAMES = 200_000;

/** What tells one name from another, also where a row number is used again. */
interface NameRow {
  n: number;
  address: string;
  name_at: number;
  name_rank: number;
}

interface OpenedName extends NameRow {
  /** Name and address, as searches compare them. */
  text: string;
}

/**
 * The names and addresses of contacts, opened. They lie sealed, so looking for a part of one means opening all: 400 ms at
 * 40,000 of them, and once for as long as the program runs.
 */
export class ContactNames {
  /** By user, least recently used first. */
  readonly #opened = new Map<string, Map<number, OpenedName>>();

  constructor(private readonly platform: Platform) {}

  /** All of a user's addresses, as they are now. */
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
    if (names.length <= MOST_NAMES) this.#opened.set(user_id, new Map(names.map((name) => [name.n, name])));
    if (this.#opened.size > MOST_USERS) this.#opened.delete(this.#opened.keys().next().value!);
    return names;
  }

  #open(user_id: string, row: NameRow): OpenedName {
    const { address_hmac, profile } = this.platform.db.sql
      .query<{ address_hmac: Uint8Array; profile: Uint8Array }, [number]>(
        "SELECT address_hmac, profile FROM contact_addresses WHERE n = ?",
      )
      .get(row.n)!;
    const { name, email } = openProfile(this.platform.keyring.forUser(user_id), address_hmac, profile);
    return { ...row, text: searchable(`${name}\n${email}`) };
  }
}

const isSame = (one: NameRow, other: NameRow): boolean =>
  one.address === other.address && one.name_at === other.name_at && one.name_rank === other.name_rank;
