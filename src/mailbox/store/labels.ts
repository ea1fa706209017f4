import type { Db } from "../../platform/db/open.ts";
import type { NewId } from "../../platform/ids.ts";
import type { Keyring } from "../../platform/sealing/keyring.ts";
import type { ThreadLabelRow } from "../threading/tables.ts";
import type { LabelRow, MessageLabelRow } from "./tables.ts";

type NamedLabel = Pick<LabelRow, "id" | "user_id" | "name">;

/** Label names of the users. A user has a few hundred at most, so the names are opened once and kept. */
export class Labels {
  readonly #names = new Map<string, string>();

  constructor(
    private readonly db: Pick<Db, "sql">,
    private readonly keyring: Keyring,
    private readonly newId: NewId,
  ) {}

  /** Returns the id of a label, creating it on first use. Names are compared exactly, after NFC. */
  ensure(user_id: string, name: string): string {
    const hmac = this.#hmac(user_id, name);
    const found = this.#find(user_id, hmac);
    if (found) return found;
    const id = this.newId("label");
    this.db.sql
      .query("INSERT OR IGNORE INTO labels (id, user_id, name, name_hmac, api_id) VALUES (?1, ?2, ?3, ?4, ?1)")
      .run(id, user_id, this.keyring.forUser(user_id).seal(`labels.name:${id}`, name.normalize("NFC")), hmac);
    return this.#find(user_id, hmac)!;
  }

  /** Returns the id of a label, or null when no label has this name. */
  find(user_id: string, name: string): string | null {
    return this.#find(user_id, this.#hmac(user_id, name));
  }

  /**
   * Returns the name of the label whose keyword on the server is only a hash (see wire/imap/keywords.ts); null when
   * unknown.
   */
  byKeyword(user_id: string, keyword: string, keywordOf: (label: string) => string): string | null {
    const rows = this.db.sql
      .query<Pick<LabelRow, "id">, [string]>("SELECT id FROM labels WHERE user_id = ?")
      .all(user_id);
    return rows.map((row) => this.name(row.id)).find((name) => keywordOf(name) === keyword) ?? null;
  }

  /** Lists a label even without a thread. @param account_id the mailbox that its creator is bound to; null: none */
  keep(label_id: string, account_id: string | null, now: number): void {
    this.db.sql
      .query("INSERT OR IGNORE INTO created_labels (label_id, account_id, created_at) VALUES (?, ?, ?)")
      .run(label_id, account_id, now);
  }

  /**
   * Lists a label only while a thread has it.
   * @param account_id only if its creator is bound to this mailbox; null: whoever created it
   */
  stopKeeping(label_id: string, account_id: string | null): void {
    this.db.sql
      .query("DELETE FROM created_labels WHERE label_id = ?1 AND (?2 IS NULL OR account_id = ?2)")
      .run(label_id, account_id);
  }

  /** Lists another label without a thread instead. @param account_id as in `stopKeeping` */
  passKept(from: string, to: string, account_id: string | null): void {
    this.db.sql
      .query(
        "UPDATE OR IGNORE created_labels SET label_id = ?2 WHERE label_id = ?1 AND (?3 IS NULL OR account_id = ?3)",
      )
      .run(from, to, account_id);
    this.stopKeeping(from, account_id);
  }

  /** Gives the API's id of one label to another one, which then has it instead of its own. */
  passId(from: string, to: string): void {
    const { sql } = this.db;
    const { api_id } = sql
      .query<Pick<LabelRow, "api_id">, [string]>("SELECT api_id FROM labels WHERE id = ?")
      .get(from)!;
    const set = sql.query("UPDATE labels SET api_id = ? WHERE id = ?");
    set.run(this.newId("label"), from);
    set.run(api_id, to);
  }

  /** Returns the name of a label. */
  name(label_id: string): string {
    const cached = this.#names.get(label_id);
    if (cached !== undefined) return cached;
    const row = this.db.sql
      .query<NamedLabel, [string]>("SELECT id, user_id, name FROM labels WHERE id = ?")
      .get(label_id);
    if (!row) return "";
    const name = this.keyring.forUser(row.user_id).open(`labels.name:${row.id}`, row.name);
    this.#names.set(label_id, name);
    return name;
  }

  /** Returns the names of a thread's labels, sorted. */
  ofThread(thread_id: string): string[] {
    return this.#sorted(
      this.db.sql
        .query<Pick<ThreadLabelRow, "label_id">, [string]>("SELECT label_id FROM thread_labels WHERE thread_id = ?")
        .all(thread_id),
    );
  }

  /** Returns the names of a message's labels, sorted. */
  ofMessage(message_id: string): string[] {
    return this.#sorted(
      this.db.sql
        .query<Pick<MessageLabelRow, "label_id">, [string]>("SELECT label_id FROM message_labels WHERE message_id = ?")
        .all(message_id),
    );
  }

  #sorted(rows: { label_id: string }[]): string[] {
    return rows.map((row) => this.name(row.label_id)).sort((a, b) => (a < b ? -1 : 1));
  }

  #find(user_id: string, hmac: Uint8Array): string | null {
    return (
      this.db.sql
        .query<Pick<LabelRow, "id">, [string, Uint8Array]>("SELECT id FROM labels WHERE user_id = ? AND name_hmac = ?")
        .get(user_id, hmac)?.id ?? null
    );
  }

  #hmac(user_id: string, name: string): Uint8Array {
    return this.keyring.forUser(user_id).hmac("label", name.normalize("NFC"));
  }
}
