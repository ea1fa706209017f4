import type { Clock } from "../../kernel/clock.ts";
import type { Db } from "../db/open.ts";
import type { Grants } from "../grants/grants.ts";
import type { NewId } from "../ids.ts";
import type { Keyring } from "../sealing/keyring.ts";
import type { PasskeyCredential, PasskeyRow } from "./tables.ts";

/** A WebAuthn credential of a person. */
export interface Passkey {
  id: string;
  user_id: string;
  name: string;
  /** Base64url, as the authenticator names it. */
  credential_id: string;
  public_key: Uint8Array<ArrayBuffer>;
  transports: string[];
  /** The host name that it is permanently bound to. */
  rp_id: string;
  counter: number;
  created_at: number;
  last_used_at: number | null;
}

const COLUMNS = "id, user_id, credential_hmac, credential, counter, created_at, last_used_at";

/** The WebAuthn credentials of people. */
export class Passkeys {
  constructor(
    private readonly db: Db,
    private readonly keyring: Keyring,
    private readonly grants: Grants,
    private readonly newId: NewId,
    private readonly clock: Clock,
  ) {}

  /** Registers a passkey. @returns null if this credential is already registered, for any person */
  add(input: Omit<Passkey, "id" | "created_at" | "last_used_at">): Passkey | null {
    const id = this.newId("passkey");
    const { user_id, counter, credential_id, public_key, name, transports, rp_id } = input;
    const sealed: PasskeyCredential = {
      name,
      credential_id,
      transports,
      rp_id,
      public_key: Buffer.from(public_key).toString("base64url"),
    };
    const credential = this.keyring.system().sealJson(`passkeys.credential:${id}`, sealed);
    const credential_hmac = this.#hmac(credential_id);
    const row = { id, user_id, credential_hmac, credential, counter, created_at: this.clock.now() };
    return this.grants.insert("passkeys", row, "ignore") ? this.#get(id) : null;
  }

  /** Returns the passkey with this credential id, or null. */
  find(credential_id: string): Passkey | null {
    const row = this.db.sql
      .query<PasskeyRow, [Uint8Array]>(`SELECT ${COLUMNS} FROM passkeys WHERE credential_hmac = ?`)
      .get(this.#hmac(credential_id));
    return this.#view(row);
  }

  /** Returns a person's passkeys, oldest first. */
  list(user_id: string): Passkey[] {
    return this.db.sql
      .query<PasskeyRow, [string]>(`SELECT ${COLUMNS} FROM passkeys WHERE user_id = ? ORDER BY id`)
      .all(user_id)
      .flatMap((row) => this.#view(row) ?? []);
  }

  /** Returns whether the person has registered a passkey, even if it was deleted outside Postroom. */
  has(user_id: string): boolean {
    return this.grants.hasAnyRegistered("passkeys", user_id);
  }

  /** Returns whether any person has a passkey. */
  exist(): boolean {
    return this.db.sql.query("SELECT 1 FROM passkeys LIMIT 1").get() !== null;
  }

  /** Records a use. @param counter of the authenticator; an equal or lower counter later indicates a clone */
  used(id: string, counter: number): void {
    const passkey = this.#get(id);
    if (!passkey) return;
    this.grants.update("passkeys", { user_id: passkey.user_id, id }, { counter, last_used_at: this.clock.now() });
  }

  /** Removes a passkey. @returns false if the person has no such passkey */
  remove(user_id: string, id: string): boolean {
    return this.grants.remove("passkeys", { user_id, id });
  }

  #get(id: string): Passkey | null {
    const row = this.db.sql.query<PasskeyRow, [string]>(`SELECT ${COLUMNS} FROM passkeys WHERE id = ?`).get(id);
    return this.#view(row);
  }

  #view(stored: PasskeyRow | null): Passkey | null {
    if (stored === null || !this.grants.holds("passkeys", { ...stored })) return null;
    const { credential, credential_hmac: _, ...row } = stored;
    const { public_key, ...sealed } = this.keyring.system().openJson(`passkeys.credential:${row.id}`, credential);
    return { ...row, ...sealed, public_key: new Uint8Array(Buffer.from(public_key, "base64url")) };
  }

  #hmac(credential_id: string): Uint8Array {
    return this.keyring.system().hmac("passkey", credential_id);
  }
}
