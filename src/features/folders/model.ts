import { type Static, Type } from "@sinclair/typebox";
import { OneOf } from "../../http/schema.ts";
import { FOLDER_ROLES } from "../../mailbox/store/state.ts";

export const FolderItem = Type.Object(
  {
    id: Type.String({ description: "`fld_…`" }),
    account_id: Type.String(),
    path: Type.String({ description: "Full name on the mail server, such as `Archive/2026`." }),
    role: OneOf(FOLDER_ROLES, {
      description:
        "Purpose of the folder. `all` is Gmail's All Mail, and `other` a folder of your own. On Gmail, the inbox and " +
        "snoozed mail are views of All Mail, so their messages are counted in both.",
    }),
    message_count: Type.Integer({
      description:
        "Messages stored here that the folder has on the mail server. A message that you moved counts for its old " +
        "folder until the move is mirrored.",
    }),
    unread_count: Type.Integer(),
    synced: Type.Boolean({
      description:
        "False until all messages of the folder have been read once. See `sync` in `GET /accounts` for the progress.",
    }),
  },
  { $id: "Folder" },
);
export type FolderItem = Static<typeof FolderItem>;

export const FolderListQuery = Type.Object({
  account_id: Type.Optional(Type.String({ description: "Only this mailbox; an unknown id is 404 `not_found`." })),
});
