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
      .query("INSERT OR IGNORE INTO labels (id, user_id, name, name_hmac) VALUES (?, ?, ?, ?)")
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
