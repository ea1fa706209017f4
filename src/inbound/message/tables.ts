import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { IncomingMetadata } from "../../mailbox/store/incoming.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";
import { sealed, time } from "../../platform/db/columns.ts";
import type { Arrival } from "./arrival.ts";

/** The data of an arrival that a step may need and the mailbox does not store. */
export interface KeptArrival
  extends Pick<Arrival, "roles" | "own" | "live" | "announced" | "importing">,
    Pick<IncomingMetadata, "uid" | "flags" | "labels"> {
  folder_id: string;
  /** `flagsUnknown` of the message. Earlier versions stored it under this name. */
  flags_untold?: boolean;
  views?: readonly { folder_id: string; role: FolderRole }[];
  flags_hash: number;
  server_thread_id: string | null;
  outcome: Arrival["imported"]["outcome"];
  headers: [name: string, values: string[]][];
  /** Bytes of attachments by their index, base64. */
  contents: [index: number, bytes: string][];
}

/** Steps of arriving mail that failed and are retried. */
export const failedSteps = sqliteTable(
  "failed_steps",
  {
    message_id: text().notNull(),
    /** InboundStep.name */
    step: text().notNull(),
    user_id: text().notNull(),
    account_id: text().notNull(),
    arrival: sealed<KeptArrival>().notNull(),
    /** Number of attempts, the first one included. */
    attempts: integer().notNull(),
    /** Null: given up until another version of the program starts. */
    next_at: time(),
    /** The version of the program that failed last. */
    version: text().notNull(),
    failed_at: time().notNull(),
  },
  (t) => [primaryKey({ columns: [t.message_id, t.step] })],
);
export type FailedStepRow = typeof failedSteps.$inferSelect;
