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
export interface SyncParts {
  platform: Platform;
  accounts: Accounts;
  folders: Folders;
  importer: Importer;
  locationSync: LocationSync;
  locations: Locations;
  pipeline: Pipeline;
  /** What accounts log in with. */
  tokens: Pick<AccessTokens, "credentials">;
  /** Reads the contents of much mail away from this thread; without it, history is read here. */
  readAside?: ReadAll;
  /** Gives threads a time to wake that the server alone put aside. */
  adoptSnoozed: (account: Account) => void;
  /** The label that a keyword stands for; null for keywords that are no label of the user's. */
  labelOf: (user_id: string, keyword: string) => string | null;
}

/** A folder opened on the server, with our row of it. */
export interface OpenFolder {
  folder: Folder;
  /** Goes on: EXISTS and EXPUNGE, which a server may tell with any answer, change its count; UIDNEXT stays. */
  box: MailboxObject;
  /** How many messages it had when it was opened: with UIDs below the UIDNEXT of that moment. */
  openedWith: number;
}
