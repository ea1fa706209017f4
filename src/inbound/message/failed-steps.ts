import type { IncomingMetadata } from "../../mailbox/store/incoming.ts";
import { openStoredContent } from "../../mailbox/store/stored-message.ts";
import type { MessageRow } from "../../mailbox/store/tables.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Arrival } from "./arrival.ts";
import type { FailedStepRow, KeptArrival } from "./tables.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Delay before each retry of a failed step. After the last one the step is given up. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS];
/** A step that was given up is deleted after this time. */
const GIVEN_UP_RETENTION_MS = 90 * 24 * HOUR_MS;

/** A failed step that is due to be retried. */
export type FailedStep = Pick<FailedStepRow, "message_id" | "step" | "user_id" | "account_id" | "attempts">;

/**
 * Stores failed steps of arriving mail. The only owner of the `failed_steps` table. The caller holds the transaction.
 */
export class FailedSteps {
  /** @param version the program's version; a new version retries what an earlier one gave up */
  constructor(
    private readonly platform: Platform,
    private readonly version: string,
  ) {}

  /** Records that a step failed for a message that has just arrived. @returns when to retry it, ms */
  add(step: string, arrival: Arrival): number {
    const { db, keyring, clock } = this.platform;
    const { target, imported } = arrival;
    const now = clock.now();
    const next_at = now + PAUSES_MS[0]!;
    const sealed = keyring.forUser(target.user_id).sealJson(context(imported.message_id, step), keep(arrival));
    db.sql
      .query(
        `INSERT INTO failed_steps (message_id, step, user_id, account_id, arrival, attempts, next_at, version, failed_at)
         VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
         ON CONFLICT (message_id, step) DO UPDATE SET arrival = excluded.arrival, next_at = excluded.next_at,
           failed_at = excluded.failed_at`,
      )
      .run(imported.message_id, step, target.user_id, target.id, sealed, next_at, this.version, now);
    return next_at;
  }

  /** Returns at most `limit` due steps, the longest overdue first. */
  due(limit: number): FailedStep[] {
    return this.platform.db.sql
      .query<FailedStep, [number, number]>(
        `SELECT message_id, step, user_id, account_id, attempts FROM failed_steps WHERE next_at <= ?
         ORDER BY next_at, message_id LIMIT ?`,
      )
      .all(this.platform.clock.now(), limit);
  }

  /** Returns when the next step is due, ms; null when none is waiting. */
  nextDue(): number | null {
    return this.platform.db.sql
      .query<{ at: number | null }, []>("SELECT min(next_at) AS at FROM failed_steps WHERE next_at IS NOT NULL")
      .get()!.at;
  }

  /**
   * Removes a failed step in order to run it. @returns the stored data of its arrival; null when it no longer exists
   */
  take({ message_id, step, user_id }: FailedStep): Omit<Arrival, "target" | "folder"> | null {
    const row = this.platform.db.sql
      .query<Pick<FailedStepRow, "arrival">, [string, string]>(
        "DELETE FROM failed_steps WHERE message_id = ? AND step = ? RETURNING arrival",
      )
      .get(message_id, step);
    if (!row) return null;
    const kept = openStoredContent(this.platform, message_id);
    const stored = this.platform.db.sql
      .query<Pick<MessageRow, "thread_id">, [string]>("SELECT thread_id FROM messages WHERE id = ?")
      .get(message_id);
    if (!kept || !stored) return null;
    const arrival = this.platform.keyring.forUser(user_id).openJson(context(message_id, step), row.arrival);
    const { roles, own, live, announced, importing, outcome } = arrival;
    const bytes = new Map(arrival.contents);
    const attachments = kept.attachments.map((attachment) => {
      const content = bytes.get(attachment.index);
      return content === undefined ? attachment : { ...attachment, content: Buffer.from(content, "base64") };
    });
    return {
      roles,
      own,
      live,
      announced,
      importing,
      retried: true,
      imported: { message_id, thread_id: stored.thread_id, outcome },
      incoming: { ...kept, ...metadataOf(arrival), headers: new Map(arrival.headers), attachments },
    };
  }

  /** Records another failure. @returns when to retry, ms; null when the step is given up */
  failedAgain({ message_id, step, attempts }: FailedStep): number | null {
    const { db, clock } = this.platform;
    const pauseMs = PAUSES_MS[attempts];
    const next_at = pauseMs === undefined ? null : clock.now() + pauseMs;
    db.sql
      .query(
        "UPDATE failed_steps SET attempts = ?, next_at = ?, version = ?, failed_at = ? WHERE message_id = ? AND step = ?",
      )
      .run(attempts + 1, next_at, this.version, clock.now(), message_id, step);
    return next_at;
  }

  forget({ message_id, step }: FailedStep): void {
    this.platform.db.sql.query("DELETE FROM failed_steps WHERE message_id = ? AND step = ?").run(message_id, step);
  }

  /** Makes steps due again that another version gave up; they may succeed with this version. */
  reviveOfOtherVersions(): void {
    this.platform.db.sql
      .query("UPDATE failed_steps SET next_at = ?, attempts = 1 WHERE next_at IS NULL AND version <> ?")
      .run(this.platform.clock.now(), this.version);
  }
}

/** Deletes the steps that were given up 90 days ago or earlier. @returns how many */
export function pruneFailedSteps({ db, clock }: Pick<Platform, "db" | "clock">): number {
  return db.sql
    .query("DELETE FROM failed_steps WHERE next_at IS NULL AND failed_at < ?")
    .run(clock.now() - GIVEN_UP_RETENTION_MS).changes;
}

const context = (message_id: string, step: string): string => `failed_steps.arrival:${message_id}:${step}`;

function keep({ roles, own, live, announced, importing, imported, incoming }: Arrival): KeptArrival {
  const { uid, flags, labels, flagsUnknown, views } = incoming;
  return {
    ...{ roles, own, live, announced, importing, outcome: imported.outcome },
    ...{ folder_id: incoming.folderId, uid, flags, labels },
    ...{ flags_hash: incoming.flagsHash, server_thread_id: incoming.serverThreadId },
    ...(flagsUnknown === undefined ? {} : { flags_untold: flagsUnknown }),
    ...(views === undefined ? {} : { views: views.map(({ folderId, role }) => ({ folder_id: folderId, role })) }),
    headers: [...incoming.headers],
    contents: incoming.attachments.flatMap(({ index, content }) =>
      content ? [[index, Buffer.from(content).toString("base64")]] : [],
    ),
  };
}

function metadataOf(kept: KeptArrival): Omit<IncomingMetadata, "internalDate" | "size"> {
  const { uid, flags, labels, flags_untold, views } = kept;
  return {
    ...{ folderId: kept.folder_id, uid, flags, labels },
    ...{ flagsHash: kept.flags_hash, serverThreadId: kept.server_thread_id },
    ...(flags_untold === undefined ? {} : { flagsUnknown: flags_untold }),
    ...(views === undefined ? {} : { views: views.map(({ folder_id, role }) => ({ folderId: folder_id, role })) }),
  };
}
