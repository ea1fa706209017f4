import type { Folder } from "../../mailbox/store/folders.ts";
import type { Imported, ImportTarget } from "../../mailbox/store/importer.ts";
import type { IncomingMessage } from "../../mailbox/store/incoming.ts";
import type { FolderRole } from "../../mailbox/store/state.ts";

/** One message on its way in, as the steps see it. Everything a step writes commits together with the message. */
export interface Arrival {
  target: ImportTarget;
  folder: Folder;
  /** Of the folder, and of its views that show the message (Gmail). */
  roles: readonly FolderRole[];
  incoming: IncomingMessage;
  imported: Imported;
  /** The user wrote it (Importer.isOwn): it is from one of their addresses, in a folder that only they put mail into. */
  own: boolean;
  /** It came after the mailbox was connected: worth announcing, as against history. */
  live: boolean;
  /** It had been announced before, as another copy. */
  announced: boolean;
  /** The account's first sync is still running. */
  importing: boolean;
  /** The step failed before: the message is stored and announced since then, and people may have seen it. */
  retried: boolean;
}

/**
 * What happens to a message once it is stored. Synchronous: it runs inside the message's transaction. Each step sees the
 * messages of a batch in their order, and all of them before the next step sees the first. A step that fails for a message
 * is undone for it, and run again later (Steps).
 */
export interface InboundStep {
  /** Unique among the steps; failed steps are stored under this name. */
  name: string;
  run(arrival: Arrival): void;
}
