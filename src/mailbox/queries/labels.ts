import type { Platform } from "../../platform/platform.ts";
import type { LabelChangeRow } from "../changes/tables.ts";
import type { Labels } from "../store/labels.ts";
import type { CreatedLabelRow, LabelRow } from "../store/tables.ts";
import type { ThreadLabelRow } from "../threading/tables.ts";
import type { MailScope } from "./scope.ts";

/** A label that the caller sees. */
export interface SeenLabel {
  /** The id of the API. */
  id: string;
  row_id: string;
  name: string;
}

/** A label, and its use in the caller's mailboxes. */
export interface LabelUse extends SeenLabel {
  /** Threads in any state. */
  thread_count: number;
  unread_count: number;
  /** Mailboxes with such threads. */
  account_ids: string[];
  /** Threads are still getting this label instead of another one. */
  changing: boolean;
}

type StoredCount = Pick<ThreadLabelRow, "label_id" | "account_id"> & { threads: number };
type StoredChange = Pick<LabelChangeRow, "label_id" | "account_id" | "to_id">;
interface Use extends Omit<LabelUse, "id" | "name"> {
  accounts: Set<string>;
}

const IN_SCOPE = "($account IS NULL OR tl.account_id = $account)";
/** Counts per label and mailbox, in the order of the index, which is all that SQLite reads. */
const COUNTS = `SELECT tl.label_id, tl.account_id, count(*) AS threads FROM thread_labels tl
  WHERE tl.label_id IN (SELECT id FROM labels WHERE user_id = $user) AND ${IN_SCOPE} GROUP BY tl.label_id, tl.account_id`;
/** The same of unread threads, which are fewer than the labeled ones. */
const UNREAD = `SELECT tl.label_id, tl.account_id, count(*) AS threads
  FROM threads t CROSS JOIN thread_labels tl ON tl.thread_id = t.id
  WHERE t.user_id = $user AND t.unread = 1 AND ${IN_SCOPE} GROUP BY tl.label_id, tl.account_id`;
/** Labels with a thread, per mailbox, without counting. */
const USED = `SELECT l.id AS label_id, a.id AS account_id, 1 AS threads FROM accounts a JOIN labels l ON l.user_id = a.user_id
  WHERE a.user_id = $user AND ($account IS NULL OR a.id = $account)
    AND EXISTS (SELECT 1 FROM thread_labels tl WHERE tl.label_id = l.id AND tl.account_id = a.id)`;

const COLLATOR = new Intl.Collator("en", { sensitivity: "base", numeric: true });

/** Returns the order of two names: without regard to case and accents first. */
function byName(a: { name: string }, b: { name: string }): number {
  return COLLATOR.compare(a.name, b.name) || (a.name < b.name ? -1 : 1);
}

/**
 * Reads the labels that are in use or were created. Threads whose label is being replaced count for the new label, and
 * threads whose label is being removed do not count.
 */
export class LabelQueries {
  constructor(
    private readonly platform: Platform,
    private readonly labels: Labels,
  ) {}

  /** Returns the labels that the caller sees, by name. A caller bound to one mailbox sees only the use there. */
  list(scope: MailScope): LabelUse[] {
    return this.#view(scope, COUNTS, UNREAD);
  }

  /** Returns the same labels without their use, which is faster. */
  seen(scope: MailScope): SeenLabel[] {
    return this.#view(scope, USED, null).map(({ id, row_id, name }) => ({ id, row_id, name }));
  }

  /** Returns whether a label is seen elsewhere, too: another mailbox uses it, or its creator is not bound to this one. */
  isShared(label_id: string, account_id: string): boolean {
    const { sql } = this.platform.db;
    return (
      sql
        .query(
          `SELECT 1 WHERE EXISTS (SELECT 1 FROM thread_labels WHERE label_id = ?1 AND account_id < ?2)
             OR EXISTS (SELECT 1 FROM thread_labels WHERE label_id = ?1 AND account_id > ?2)
             OR EXISTS (SELECT 1 FROM created_labels WHERE label_id = ?1 AND account_id IS NOT ?2)`,
        )
        .get(label_id, account_id) !== null
    );
  }

  #view(scope: MailScope, counts: string, unread: string | null): LabelUse[] {
    const uses = this.#uses(scope, counts, unread);
    const ids = this.platform.db.sql.query<Pick<LabelRow, "id" | "api_id">, [string]>(
      "SELECT id, api_id FROM labels WHERE user_id = ?",
    );
    return ids
      .all(scope.user_id)
      .flatMap(({ id, api_id }) => {
        const use = uses.get(id);
        if (!use) return [];
        const { accounts, ...rest } = use;
        return [{ id: api_id, name: this.labels.name(id), ...rest, account_ids: [...accounts].sort() }];
      })
      .sort(byName);
  }

  #uses(scope: MailScope, counts: string, unread: string | null): Map<string, Use> {
    const { sql } = this.platform.db;
    const values = { user: scope.user_id, account: scope.account_id };
    const changes = this.#changes(values);
    const uses = new Map<string, Use>();
    const useOf = (row_id: string): Use => {
      const known = uses.get(row_id);
      if (known) return known;
      const use = {
        row_id,
        thread_count: 0,
        unread_count: 0,
        account_ids: [],
        accounts: new Set<string>(),
        changing: false,
      };
      uses.set(row_id, use);
      return use;
    };
    const add = (query: string, count: (use: Use, threads: number, account_id: string) => void) => {
      for (const row of sql.query<StoredCount, typeof values>(query).all(values)) {
        const change = changes.get(`${row.label_id} ${row.account_id}`);
        const shown = change ? change.to_id : row.label_id;
        if (shown !== null) count(useOf(shown), row.threads, row.account_id);
      }
    };
    add(counts, (use, threads, account_id) => {
      use.thread_count += threads;
      use.accounts.add(account_id);
    });
    if (unread !== null) {
      add(unread, (use, threads) => {
        use.unread_count += threads;
      });
    }
    for (const { to_id } of changes.values()) if (to_id !== null) useOf(to_id).changing = true;
    const created = sql.query<Pick<CreatedLabelRow, "label_id">, typeof values>(
      `SELECT c.label_id FROM created_labels c JOIN labels l ON l.id = c.label_id
       WHERE l.user_id = $user AND ($account IS NULL OR c.account_id = $account)`,
    );
    for (const { label_id } of created.all(values)) useOf(label_id);
    return uses;
  }

  #changes(values: { user: string; account: string | null }): Map<string, StoredChange> {
    const rows = this.platform.db.sql
      .query<StoredChange, typeof values>(
        `SELECT c.label_id, c.account_id, c.to_id FROM label_changes c JOIN labels l ON l.id = c.label_id
         WHERE l.user_id = $user AND ($account IS NULL OR c.account_id = $account)`,
      )
      .all(values);
    return new Map(rows.map((row) => [`${row.label_id} ${row.account_id}`, row]));
  }
}
