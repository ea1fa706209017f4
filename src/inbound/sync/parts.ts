import type { MailboxObject } from "imapflow";
import type { AccessTokens } from "../../mailbox/accounts/access-tokens.ts";
import type { Account, Accounts } from "../../mailbox/accounts/accounts.ts";
import type { Folder, Folders } from "../../mailbox/store/folders.ts";
import type { Importer } from "../../mailbox/store/importer.ts";
import type { LocationSync } from "../../mailbox/store/location-sync.ts";
import type { Locations } from "../../mailbox/store/locations.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ReadAll } from "../message/parsed-message.ts";
import type { Pipeline } from "../message/pipeline.ts";
import type { NewMailFirst } from "./new-mail-first.ts";

export interface SyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  locationSync: LocationSync;
  locations: Locations;
  pipeline: Pipeline;
  /** The credentials of accounts. */
  tokens: Pick<AccessTokens, "credentials">;
  /** Reads the contents of many messages on another thread. Without it, history is read on this one. */
  readAside?: ReadAll;
  newMailFirst: NewMailFirst;
  /** Gives a wake time to threads that were snoozed only on the server. */
  adoptSnoozed: (account: Account) => void;
  /** Returns the label for a keyword; null for keywords that are not labels of the user. */
  labelOf: (user_id: string, keyword: string) => string | null;
}

/** A folder opened on the server, with our row of it. */
export interface OpenFolder {
  folder: Folder;
  /**
   * Updated while the folder is open: EXISTS and EXPUNGE can arrive with any response and change its count. UIDNEXT
   * stays.
   */
  box: MailboxObject;
  /** Number of messages that it had when it was opened, with UIDs below the UIDNEXT of that moment. */
  openedWith: number;
}
