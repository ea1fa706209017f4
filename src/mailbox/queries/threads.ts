import { fillPlaceholders } from "drizzle-orm";
import { notFound } from "../../kernel/errors.ts";
import { isId } from "../../kernel/ids.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Sealer } from "../../platform/sealing/sealer.ts";
import type { Sql } from "../search/filter-sql.ts";
import { type Address, openEnvelope } from "../store/envelope.ts";
import type { Labels } from "../store/labels.ts";
import type { ThreadState } from "../store/state.ts";
import type { MessageRow } from "../store/tables.ts";
import type { ThreadAliasRow, ThreadLabelRow, ThreadRow } from "../threading/tables.ts";
import { type MailScope, type Position, participantEmails, shownDate } from "./scope.ts";
import { THREAD_FILTER_LIST, type ThreadFilterValues } from "./thread-filters.ts";
import { type ListedRow, type ListShape, ListStatements } from "./thread-list.ts";

export interface ThreadFilter extends ThreadFilterValues {
  state: ThreadState;
  /** Name of a label. */
  label?: string;
  account_id?: string;
  /** A condition that one of the messages of a thread must meet (search.ts). */
  found?: Sql;
}

/** One thread in the form that lists show. Times are ms. */
export interface ListedThread {
  id: string;
  account_id: string;
  subject: string;
  from: Address;
  snippet: string;
  labels: string[];
  unread: boolean;
  starred: boolean;
  important: boolean;
  has_attachment: boolean;
  message_count: number;
  state: ThreadState;
  category: string;
  last_at: number;
}

/** The fields of one thread that a change returns and that services need. */
export interface ThreadStatus {
  id: string;
  user_id: string;
  account_id: string;
  state: ThreadState;
  unread: boolean;
  starred: boolean;
  important: boolean;
  snooze_until: number | null;
}

export interface ThreadDetail extends ThreadStatus {
  subject: string;
  participants: string[];
  labels: string[];
  /** Oldest first. */
  messages: { id: string; from: Address; date: number; snippet: string }[];
}

/**
 * The threads of a label with up to this many threads are sorted. For a more common label, the list is read in order
 * until a page is full.
 */
const RARE_LABEL_THREADS = 1_000;

type Value = string | number | null;

/** Reads thread lists and single threads. */
export class ThreadQueries {
  readonly #list: ListStatements;

  constructor(
    private readonly platform: Platform,
    private readonly labels: Labels,
  ) {
    this.#list = new ListStatements(platform.db.orm);
  }

  /**
   * Returns threads, newest message first, then by descending id; at most `limit`, after the position [last_at, id].
   * @throws ApiError not_found when `account_id` is not a mailbox of the caller
   */
  list(scope: MailScope, filter: ThreadFilter, after: Position | null, limit: number): ListedThread[] {
    this.#checkAccount(scope, filter.account_id);
    const label_id = filter.label === undefined ? undefined : this.#labelId(scope.user_id, filter.label);
    if (label_id === null) return [];
    const { text, values } = this.listQuery(scope, filter, label_id, after, limit);
    const rows = this.platform.db.sql.query<ListedRow, Value[]>(text).all(...values);
    const labels = this.#labelsOf(rows.map((row) => row.id));
    const sealer = this.platform.keyring.forUser(scope.user_id);
    return rows.map((row) => viewRow(sealer, row, labels.get(row.id) ?? []));
  }

  /**
   * Returns the statement that `list` runs and the values of its parameters. Public so that a test can check its query
   * plan.
   */
  listQuery(
    scope: MailScope,
    filter: ThreadFilter,
    label_id: string | undefined,
    after: Position | null,
    limit: number,
  ): { text: string; values: Value[] } {
    const account_id = filter.account_id ?? scope.account_id;
    const given: ListShape = {
      byAccount: account_id !== null,
      // A rare label is looked up first and its threads are sorted. A common one is checked for each thread of the
      // list.
      label: label_id === undefined ? null : this.#isRare(label_id) ? "rare" : "common",
      sent: filter.state === "sent",
      compared: comparedIn(filter),
      found: filter.found?.text,
      continued: after !== null,
    };
    const values: Record<string, Value | undefined> = {
      user_id: scope.user_id,
      account_id: account_id ?? undefined,
      state: filter.state,
      label_id,
      last_at: after?.[0],
      id: after?.[1],
      limit,
    };
    for (const [name, { kind }] of THREAD_FILTER_LIST) {
      if (kind !== "flag") values[`filter_${name}`] = filter[name] as Value | undefined;
    }
    for (const [index, value] of (filter.found?.params ?? []).entries()) values[`found${index}`] = value;
    const { text, params } = this.#list.of(given);
    return { text, values: fillPlaceholders(params, values) as Value[] };
  }

  /**
   * Returns a thread of the caller by its id, or by the id of one that was merged into it.
   * @param param the field that contains the id; absent for an id in the path
   * @throws ApiError not_found
   */
  owned(scope: MailScope, id: string, param?: string): ThreadStatus {
    const status = this.#status(scope, id) ?? this.#status(scope, this.#survivor(scope.user_id, id) ?? "");
    if (!status) throw notFound("thread", param);
    return status;
  }

  /**
   * Returns the thread that an id stands for now, regardless of its owner; null when there is none. For jobs and for
   * processing of new mail.
   */
  current(id: string): ThreadStatus | null {
    const row = this.platform.db.sql
      .query<Pick<ThreadRow, "id" | "user_id">, [string, string]>(
        `SELECT id, user_id FROM threads WHERE id = ?
         UNION ALL SELECT thread_id, user_id FROM thread_aliases WHERE id = ? LIMIT 1`,
      )
      .get(id, id);
    return row && this.#status({ user_id: row.user_id, account_id: null }, row.id);
  }

  /** Returns one thread with its messages. @throws ApiError not_found */
  get(scope: MailScope, id: string): ThreadDetail {
    const status = this.owned(scope, id);
    const sealer = this.platform.keyring.forUser(scope.user_id);
    const rows = this.platform.db.sql
      .query<Pick<MessageRow, "id" | "internal_date" | "sent_date" | "is_draft" | "head">, [string]>(
        `SELECT id, internal_date, sent_date, is_draft, head FROM messages WHERE thread_id = ? ORDER BY internal_date, id`,
      )
      .all(status.id)
      .map((row) => ({ ...row, head: openEnvelope(sealer, row.id, row.head) }));
    const top = rows.findLast((row) => row.is_draft === 0) ?? rows.at(-1);
    return {
      ...status,
      subject: top?.head.subject ?? "",
      participants: participantEmails(rows.map((row) => row.head)),
      labels: this.labels.ofThread(status.id),
      messages: rows.map((row) => ({
        id: row.id,
        from: row.head.from,
        date: shownDate(row),
        snippet: row.head.snippet,
      })),
    };
  }

  /** Finds a label by the exact name, else by the name that PATCH would have stored for it. */
  #labelId(user_id: string, name: string): string | null {
    return this.labels.find(user_id, name) ?? this.labels.find(user_id, name.trim());
  }

  #checkAccount(scope: MailScope, account_id: string | undefined): void {
    if (account_id === undefined) return;
    const mine =
      isId("account", account_id) &&
      (scope.account_id === null || scope.account_id === account_id) &&
      this.platform.db.sql.query("SELECT 1 FROM accounts WHERE id = ? AND user_id = ?").get(account_id, scope.user_id);
    if (!mine) throw notFound("account", "account_id");
  }

  #isRare(label_id: string): boolean {
    const { c } = this.platform.db.sql
      .query<{ c: number }, [string, number]>(
        "SELECT count(*) AS c FROM (SELECT 1 FROM thread_labels WHERE label_id = ? LIMIT ?)",
      )
      .get(label_id, RARE_LABEL_THREADS + 1)!;
    return c <= RARE_LABEL_THREADS;
  }

  #labelsOf(ids: string[]): Map<string, string[]> {
    const names = new Map<string, string[]>();
    const rows = this.platform.db.sql
      .query<Pick<ThreadLabelRow, "thread_id" | "label_id">, [string]>(
        "SELECT thread_id, label_id FROM thread_labels WHERE thread_id IN (SELECT value FROM json_each(?))",
      )
      .all(JSON.stringify(ids));
    for (const { thread_id, label_id } of rows) {
      const list = names.get(thread_id);
      const name = this.labels.name(label_id);
      if (list) list.push(name);
      else names.set(thread_id, [name]);
    }
    for (const list of names.values()) list.sort();
    return names;
  }

  #status(scope: MailScope, id: string): ThreadStatus | null {
    const row = this.platform.db.sql
      .query<Pick<ThreadRow, keyof ThreadStatus>, Record<string, string | null>>(
        `SELECT id, user_id, account_id, state, unread, starred, important, snooze_until FROM threads
         WHERE id = $id AND user_id = $user AND ($account IS NULL OR account_id = $account)`,
      )
      .get({ id, user: scope.user_id, account: scope.account_id });
    return row && { ...row, unread: row.unread === 1, starred: row.starred === 1, important: row.important === 1 };
  }

  #survivor(user_id: string, id: string): string | null {
    return (
      this.platform.db.sql
        .query<Pick<ThreadAliasRow, "thread_id">, [string, string]>(
          "SELECT thread_id FROM thread_aliases WHERE id = ? AND user_id = ?",
        )
        .get(id, user_id)?.thread_id ?? null
    );
  }
}

/** Returns the properties of a filter that determine the text of the statement: its names, and the values of flags. */
function comparedIn(filter: ThreadFilter): ListShape["compared"] {
  const compared: ListShape["compared"] = {};
  for (const [name, { kind }] of THREAD_FILTER_LIST) {
    if (filter[name] !== undefined) compared[name] = kind === "flag" ? (filter[name] as boolean) : true;
  }
  return compared;
}

function viewRow(sealer: Sealer, row: ListedRow, labels: string[]): ListedThread {
  const { head, top_message_id, unread, starred, important, has_attachment, ...rest } = row;
  const { subject, from, snippet } = openEnvelope(sealer, top_message_id, head);
  return {
    ...rest,
    subject,
    from,
    snippet,
    labels,
    unread: unread === 1,
    starred: starred === 1,
    important: important === 1,
    has_attachment: has_attachment === 1,
  };
}
