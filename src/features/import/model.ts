import { type Static, Type } from "@sinclair/typebox";
import { Name, Nullable, OneOf, Timestamp } from "../../http/schema.ts";

/** Far more than any mailbox. */
const LARGEST_FILE_BYTES = 2 ** 41;

export const NewImport = Type.Object(
  {
    file_name: Name(255),
    file_modified_at: Type.Integer({ minimum: 0, description: "When the file was last changed, ms since 1970." }),
    bytes: Type.Integer({ minimum: 1, maximum: LARGEST_FILE_BYTES, description: "Size of the file." }),
    mailbox: Type.Optional(Name(100)),
    account_id: Type.Optional(Type.String({ description: "An imported mailbox, instead of `mailbox`." })),
  },
  { $id: "NewMailImport" },
);
export type NewImport = Static<typeof NewImport>;

export const ImportView = Type.Object(
  {
    id: Type.String(),
    state: OneOf(["uploading", "waiting", "importing", "done", "failed", "canceled"]),
    file_name: Type.String(),
    file_modified_at: Type.Integer(),
    bytes: Type.Integer({ description: "Size of the file." }),
    received_bytes: Type.Integer({ description: "Where the upload continues." }),
    mailbox: Type.String({ description: "Name of the mailbox, as it was chosen." }),
    account_id: Nullable(Type.String()),
    done_bytes: Type.Integer(),
    total_bytes: Type.Integer({ description: "Size of the unpacked mail; 0 until it is known." }),
    messages: Type.Integer({ description: "Imported messages." }),
    duplicates: Type.Integer({ description: "Messages that the mailbox had already." }),
    unreadable: Type.Integer({ description: "Files that are not readable mail." }),
    truncated: Type.Integer({ description: "Messages above 64 MiB, which are stored without their end." }),
    error: Nullable(Type.String()),
    created_at: Timestamp(),
    ended_at: Nullable(Timestamp()),
  },
  { $id: "MailImport" },
);
export type ImportView = Static<typeof ImportView>;

export const ImportList = Type.Object(
  {
    data: Type.Array(ImportView),
    chunk_bytes: Type.Integer({ description: "Size of each part of an upload." }),
    mailboxes: Type.Array(Type.Object({ id: Type.String(), email: Type.String() }), {
      description: "Imported mailboxes, which can take more mail.",
    }),
  },
  { $id: "MailImportList" },
);
export type ImportList = Static<typeof ImportList>;
