import { Type } from "@sinclair/typebox";
import { type Route, read } from "../../http/route.ts";
import type { FolderQueries } from "../../mailbox/queries/folders.ts";
import { FolderItem, FolderListQuery } from "./model.ts";

/** Returns the route for folders. */
export function folderRoutes(folders: FolderQueries): Route[] {
  return [
    read({
      method: "GET",
      path: "/folders",
      scope: "mail:read",
      operationId: "listFolders",
      tag: "Folders",
      summary: "List folders",
      description:
        "Lists the folders of the mail servers: by mailbox, then by role, then by path. Excluded folders are not listed.",
      query: FolderListQuery,
      response: Type.Object({ data: Type.Array(FolderItem) }, { $id: "FolderList" }),
      // For an `account_id` that is not found.
      errors: ["not_found"],
      examples: { response: { data: [EXAMPLE] } },
      handle: ({ query, caller }) => ({ data: folders.list(caller, query.account_id) }),
    }),
  ];
}

const EXAMPLE: FolderItem = {
  id: "fld_01kk8f2v0c5s9w3n7r1m4q6t8x",
  account_id: "acc_01kk8f2v0c5s9w3n7r1m4q6t8x",
  path: "INBOX",
  role: "inbox",
  message_count: 1_204,
  unread_count: 17,
  synced: true,
};
