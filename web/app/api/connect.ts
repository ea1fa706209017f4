import type { Static } from "@sinclair/typebox";
import type {
  Discovered,
  MailboxView,
  OAuthClientList,
  Server as ServerModel,
  Tested,
} from "../../../src/features/connect/model.ts";

/** Types of `app/api/mailboxes`. */

export type Server = Static<typeof ServerModel>;
export type Security = Server["security"];
export type Discovery = Static<typeof Discovered>;
export type OAuthProvider = NonNullable<Discovery["oauth"]>;
export type LoginResults = Static<typeof Tested>;
export type LoginResult = LoginResults["imap"];
export type Mailbox = MailboxView;
export type FolderRow = Mailbox["folders"][number];
export type OAuthClient = Static<typeof OAuthClientList>["data"][number];
