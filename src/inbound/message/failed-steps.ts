import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import { keptOfMessage } from "../../mailbox/store/stored-message.ts";
import type { Platform } from "../../platform/platform.ts";
import type { Arrival } from "./arrival.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Delay before each retry of a failed step. After the last one the step is given up. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 6 * HOUR_MS, 24 * HOUR_MS, 48 * HOUR_MS];
/** A step that was given up is deleted after this time. */
const FORGOTTEN_MS = 90 * 24 * HOUR_MS;

/** A failed step that is due to be retried. */
export interface FailedStep {
  message_id: string;
  step: string;
  user_id: string;
  account_id: string;
  attempts: number;
}

/** The data of an arrival that a step may need and the mailbox does not store. */
interface KeptArrival
  extends Pick<Arrival, "roles" | "own" | "live" | "announced" | "importing">,
    Pick<
      IncomingMessage,
      "folder_id" | "uid" | "flags" | "flags_untold" | "labels" | "views" | "flags_hash" | "server_thread_id"
    > {
  outcome: Arrival["imported"]["outcome"];
  headers: [name: string, values: string[]][];
  /** Bytes of attachments by their index, base64. */
  contents: [index: number, bytes: string][];
}

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
      .query<{ arrival: Uint8Array }, [string, string]>(
        "DELETE FROM failed_steps WHERE message_id = ? AND step = ? RETURNING arrival",
      )
      .get(message_id, step);
    if (!row) return null;
    const kept = keptOfMessage(this.platform, message_id);
    const place = this.platform.db.sql
      .query<{ thread_id: string }, [string]>("SELECT thread_id FROM messages WHERE id = ?")
      .get(message_id);
    if (!kept || !place) return null;
    const { roles, own, live, announced, importing, outcome, headers, contents, ...at } = this.platform.keyring
      .forUser(user_id)
      .openJson<KeptArrival>(context(message_id, step), row.arrival);
    const bytes = new Map(contents);
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
      imported: { message_id, thread_id: place.thread_id, outcome },
      incoming: { ...kept, ...at, headers: new Map(headers), attachments },
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
    .run(clock.now() - FORGOTTEN_MS).changes;
}

const context = (message_id: string, step: string): string => `failed_steps.arrival:${message_id}:${step}`;

function keep({ roles, own, live, announced, importing, imported, incoming }: Arrival): KeptArrival {
  const { folder_id, uid, flags, flags_untold, labels, views, flags_hash, server_thread_id } = incoming;
  return {
    ...{ roles, own, live, announced, importing, outcome: imported.outcome },
    ...{ folder_id, uid, flags, labels, flags_hash, server_thread_id },
    ...(flags_untold === undefined ? {} : { flags_untold }),
    ...(views === undefined ? {} : { views }),
    headers: [...incoming.headers],
    contents: incoming.attachments.flatMap(({ index, content }) =>
      content ? [[index, Buffer.from(content).toString("base64")]] : [],
    ),
  };
}
