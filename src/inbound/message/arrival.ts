import type { MailOwner } from "../../mailbox/accounts/owner.ts";
import type { Folder } from "../../mailbox/store/folders.ts";
import type { Imported } from "../../mailbox/store/importer.ts";
import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";

/** One arriving message, as input of the steps. Everything a step writes commits together with the message. */
export interface Arrival {
  target: MailOwner;
  folder: Folder;
  /** Roles of the folder and, on Gmail, of its views that show the message. */
  roles: readonly FolderRole[];
  incoming: IncomingMessage;
  imported: Imported;
  /**
   * Whether the user wrote it (isOwnMail): it is from one of their addresses, in a folder that only they put mail
   * into.
   */
  own: boolean;
  /**
   * Whether it arrived after the mailbox was connected. False for history, also during the first sync, and for imports.
   * The folder does not matter: mail in spam, drafts and sent mail can be live.
   */
  live: boolean;
  /** Whether another copy of it was announced before. */
  announced: boolean;
  /** Whether the account's first sync is still running. */
  importing: boolean;
  /** Whether the step failed before. The message has been stored and announced since, and people may have seen it. */
  retried: boolean;
}

/**
 * A step that runs for a stored message. It is synchronous because it runs inside the message's transaction. Each step
 * sees all messages of a batch, in order, before the next step sees the first. A step that fails for a message is
 * undone for that message and run again later (Steps).
 */
export interface InboundStep {
  /** Unique among the steps; failed steps are stored under this name. */
  name: string;
  run(arrival: Arrival): void;
}
