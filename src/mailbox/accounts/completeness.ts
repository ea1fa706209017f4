import type { Platform } from "../../platform/platform.ts";
import type { Folder, Folders } from "../store/folders.ts";
import type { FolderRole } from "../store/state.ts";
import { type Account, reasonWithoutServer, SERVERLESS_PROVIDERS } from "./accounts.ts";
import type { AccountCheckRow, AccountRow, FolderCheckRow } from "./tables.ts";

/** Kind of the job that compares a mailbox with its server; payload { account_id }. */
export const CHECK_JOB = "check-mailbox";

/** The result of comparing one folder with the server. */
export interface FolderCount {
  /** Messages on the server, and here. */
  server: number;
  here: number;
  /** On the server but not here. */
  missing: number;
  /** Here but not on the server. */
  extra: number;
  /** The server refused access to the folder, so the numbers mean nothing. */
  refused: boolean;
}

interface FolderCheck extends FolderCount {
  path: string;
  role: FolderRole;
  verified_at: number;
}

/** Whether the whole mailbox is here, according to the last comparison. */
export interface Completeness {
  /** Folders that have been compared, the inbox first. */
  folders: FolderCheck[];
  /** Number of known folders that have not been compared yet. */
  unchecked: number;
  /** Over all folders. */
  total: Omit<FolderCount, "refused">;
  /** When the last complete comparison ended. */
  verified_at: number | null;
  /** Why the last comparison did not complete. */
  error: string | null;
  /** True when nothing is missing, nothing is extra and no folder was refused; null before the first comparison. */
  complete: boolean | null;
  /** Why there is no server to compare with, as a sentence; null where there is one. */
  noServer: string | null;
}

const NOT_COMPARED: Omit<Completeness, "noServer"> = {
  folders: [],
  unchecked: 0,
  total: { server: 0, here: 0, missing: 0, extra: 0 },
  verified_at: null,
  error: null,
  complete: null,
};

/** Results of comparing mailboxes with their servers. The only owner of `folder_checks` and `account_checks`. */
export class CompletenessStore {
  constructor(
    private readonly platform: Platform,
    private readonly folders: Folders,
  ) {}

  /** Schedules a comparison that the mail worker starts as soon as possible. */
  request(account: { id: string; user_id: string }): void {
    const payload = { account_id: account.id };
    this.platform.jobs.enqueue({ kind: CHECK_JOB, dedupe_key: account.id, user_id: account.user_id, payload });
  }

  saveFolder(folder_id: string, { server, here, missing, extra, refused }: FolderCount): void {
    this.platform.db.sql
      .query(
        `INSERT OR REPLACE INTO folder_checks (folder_id, server, here, missing, extra, refused, verified_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(folder_id, server, here, missing, extra, Number(refused), this.platform.clock.now());
  }

  /**
   * Records that a comparison of an account ended.
   * @param error why it did not complete; null when it did
   */
  saveEnd(account: { id: string; user_id: string }, error: string | null): void {
    const { db, keyring, clock } = this.platform;
    const now = clock.now();
    const sealed = error && keyring.forUser(account.user_id).seal(`account_checks.error:${account.id}`, error);
    db.sql
      .query(
        `INSERT INTO account_checks (account_id, tried_at, checked_at, error) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (account_id) DO UPDATE SET tried_at = ?2, checked_at = coalesce(?3, checked_at), error = ?4`,
      )
      .run(account.id, now, error === null ? now : null, sealed || null);
  }

  /**
   * Returns the ids of live accounts that were not compared since `before`, or not since `failedBefore` where the last
   * comparison failed.
   */
  due(before: number, failedBefore: number): string[] {
    return this.platform.db.sql
      .query<Pick<AccountRow, "id">, [number, number]>(
        `SELECT a.id FROM accounts a LEFT JOIN account_checks c ON c.account_id = a.id
         WHERE a.sync_phase = 'live' AND a.status = 'active' AND a.provider NOT IN ${SERVERLESS_PROVIDERS}
           AND (c.tried_at IS NULL OR c.tried_at < ? OR (c.error IS NOT NULL AND c.tried_at < ?))`,
      )
      .all(before, failedBefore)
      .map(({ id }) => id);
  }

  /** Returns when a comparison last ended, complete or not; 0 if none has. */
  triedAt(account_id: string): number {
    const row = this.platform.db.sql
      .query<Pick<AccountCheckRow, "tried_at">, [string]>("SELECT tried_at FROM account_checks WHERE account_id = ?")
      .get(account_id);
    return row?.tried_at ?? 0;
  }

  of(account: Pick<Account, "id" | "user_id" | "provider">): Completeness {
    const noServer = reasonWithoutServer(account);
    // An older version recorded failed comparisons for such accounts.
    if (noServer !== null) return { ...NOT_COMPARED, noServer };
    const rows = this.platform.db.sql
      .query<FolderCheckRow, [string]>(
        `SELECT c.* FROM folder_checks c JOIN folders f ON f.id = c.folder_id WHERE f.account_id = ?`,
      )
      .all(account.id);
    const checks = new Map(rows.map((row) => [row.folder_id, row]));
    const known = this.folders.real(account);
    const folders = known.flatMap((folder) => viewCheck(folder, checks.get(folder.id)));
    const sum = (of: (check: FolderCheck) => number) => folders.reduce((total, check) => total + of(check), 0);
    const ended = this.#end(account);
    const unchecked = known.length - folders.length;
    const well = unchecked === 0 && folders.every(({ missing, extra, refused }) => missing + extra === 0 && !refused);
    return {
      folders: folders.toSorted((a, b) => rank(a.role) - rank(b.role)),
      unchecked,
      total: {
        server: sum(({ server }) => server),
        here: sum(({ here }) => here),
        missing: sum(({ missing }) => missing),
        extra: sum(({ extra }) => extra),
      },
      ...ended,
      complete: ended.verified_at === null ? null : well,
      noServer: null,
    };
  }

  /** Returns when each folder was last compared, by folder id. */
  verifiedAt(account_id: string): Map<string, number> {
    const rows = this.platform.db.sql
      .query<Pick<FolderCheckRow, "folder_id" | "verified_at">, [string]>(
        "SELECT c.folder_id, c.verified_at FROM folder_checks c JOIN folders f ON f.id = c.folder_id WHERE f.account_id = ?",
      )
      .all(account_id);
    return new Map(rows.map((row) => [row.folder_id, row.verified_at]));
  }

  #end({ id, user_id }: { id: string; user_id: string }): Pick<Completeness, "verified_at" | "error"> {
    const row = this.platform.db.sql
      .query<Pick<AccountCheckRow, "checked_at" | "error">, [string]>(
        "SELECT checked_at, error FROM account_checks WHERE account_id = ?",
      )
      .get(id);
    const error = row?.error && this.platform.keyring.forUser(user_id).open(`account_checks.error:${id}`, row.error);
    return { verified_at: row?.checked_at ?? null, error: error || null };
  }
}

const NUMBER = new Intl.NumberFormat("en");
const AGO = [
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** Returns, for example, "All 12,431 messages of the server are here, verified 3 minutes ago." @param now ms */
export function completenessSentence(found: Completeness, now: number): string {
  const { total, verified_at, complete, unchecked, error, noServer } = found;
  if (noServer !== null) return noServer;
  if (verified_at === null) return error ?? "The mailbox has not been compared with its server yet.";
  const when = `verified ${ago(now - verified_at)}`;
  const count = `${NUMBER.format(total.server - total.missing)} of ${NUMBER.format(total.server)} messages are here`;
  if (complete) return `${count}, ${when}.`;
  const faults = [
    total.missing > 0 && `${NUMBER.format(total.missing)} are not here yet`,
    total.extra > 0 && `${NUMBER.format(total.extra)} are here but no longer on the server`,
    unchecked > 0 && `${unchecked} ${unchecked === 1 ? "folder has" : "folders have"} not been compared yet`,
    ...found.folders.filter(({ refused }) => refused).map(({ path }) => `the server denies access to ${path}`),
  ].filter((fault) => fault !== false);
  return `${count}, ${when}: ${faults.join("; ")}.`;
}

function ago(ms: number): string {
  for (const [unitMs, unit] of AGO) {
    const n = Math.floor(ms / unitMs);
    if (n > 0) return `${n} ${unit}${n === 1 ? "" : "s"} ago`;
  }
  return "just now";
}

function viewCheck({ path, role }: Folder, row: FolderCheckRow | undefined): FolderCheck[] {
  if (!row) return [];
  const { server, here, missing, extra, verified_at } = row;
  return [{ path, role, server, here, missing, extra, refused: row.refused === 1, verified_at }];
}

const ORDER: readonly FolderRole[] = ["inbox", "all", "sent", "drafts", "archive", "snoozed"];
const rank = (role: FolderRole) => (ORDER.includes(role) ? ORDER.indexOf(role) : ORDER.length);
