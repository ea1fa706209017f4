import { Type } from "@sinclair/typebox";
import { change, type Route, read } from "../../http/route.ts";
import type { ChangeScope } from "../../mailbox/changes/changes.ts";
import type { LabelChanges } from "../../mailbox/changes/label-changes.ts";
import type { LabelQueries } from "../../mailbox/queries/labels.ts";
import { Label, LabelCreate, LabelPatch, viewLabel } from "./model.ts";

const MIRRORED =
  "The change is mirrored to the mail servers, except for read-only mailboxes, and each thread emits " +
  "`thread.updated`. Threads of a label with many threads change in the background. Until then, the label cannot be " +
  "changed again or added to threads: 409 `label_busy`.";
const BOUND = "A key that is bound to one mailbox changes only the threads of that mailbox.";

/** Replaces a label in the rules that add or remove it. */
export type RenameInRules = (caller: ChangeScope, from: string, to: string) => void;

/** Returns the routes for labels. */
export function labelRoutes(queries: LabelQueries, changes: LabelChanges, renameInRules: RenameInRules): Route[] {
  return [
    read({
      method: "GET",
      path: "/labels",
      scope: "mail:read",
      operationId: "listLabels",
      tag: "Labels",
      summary: "List labels",
      description:
        "Lists the labels that a thread has and those that were created, by name. A key that is bound to one mailbox " +
        "sees the labels of that mailbox, with the counts there.",
      response: Type.Object({ data: Type.Array(Label) }, { $id: "LabelList" }),
      examples: { response: { data: [EXAMPLE] } },
      handle: ({ caller }) => ({ data: queries.list(caller).map(viewLabel) }),
    }),
    change({
      method: "POST",
      path: "/labels",
      scope: "mail:write",
      operationId: "createLabel",
      tag: "Labels",
      summary: "Create a label",
      description:
        "Creates a label that no thread has yet, or returns the existing label with this name. Labels that you add to " +
        "threads need not be created first. A mail server gets the label when a thread gets it.",
      body: LabelCreate,
      response: Label,
      errors: ["label_busy"],
      examples: {
        body: { name: EXAMPLE.name },
        response: { ...EXAMPLE, thread_count: 0, unread_count: 0, account_ids: [] },
      },
      handle: ({ body, caller }) => viewLabel(changes.create(caller, body.name)),
    }),
    change({
      method: "PATCH",
      path: "/labels/:id",
      scope: "mail:write",
      operationId: "renameLabel",
      tag: "Labels",
      summary: "Rename a label",
      description:
        `Renames a label on all threads, and in the rules that add or remove it. ${MIRRORED} A name that another label has is 409 \`label_exists\`. ${BOUND} ` +
        "If another mailbox has the label or one with the new name, the renamed label has another id than before.",
      params: { id: "label" },
      body: LabelPatch,
      response: Label,
      errors: ["label_exists", "label_busy"],
      examples: { body: { name: EXAMPLE.name }, response: EXAMPLE },
      handle: ({ params, body, caller }) => {
        const { label, from } = changes.rename(caller, params.id, body.name);
        renameInRules(caller, from, label.name);
        return viewLabel(label);
      },
    }),
    change({
      method: "DELETE",
      path: "/labels/:id",
      scope: "mail:write",
      operationId: "deleteLabel",
      tag: "Labels",
      summary: "Delete a label",
      description:
        `Removes a label from all threads. The threads are kept. You cannot undo this. ${MIRRORED} ${BOUND} Rules that ` +
        "add the label continue to add it to new mail.",
      params: { id: "label" },
      response: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { $id: "LabelDeleted" }),
      errors: ["label_busy"],
      examples: { response: { id: EXAMPLE.id, deleted: true } },
      handle: ({ params, caller }) => {
        changes.remove(caller, params.id);
        return { id: params.id, deleted: true as const };
      },
    }),
  ];
}

const EXAMPLE: Label = {
  id: "lbl_01kk8f2v0c5s9w3n7r1m4q6t8x",
  name: "Invoices",
  thread_count: 212,
  unread_count: 3,
  account_ids: ["acc_01kk8f2v0c5s9w3n7r1m4q6t8x"],
  changing: false,
};
