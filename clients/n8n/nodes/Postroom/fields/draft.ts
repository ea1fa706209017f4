import type { INodeProperties } from "n8n-workflow";
import * as common from "./common";

const { idField, listFields, shownFor } = common;
const { accountField, bccField, ccField, fromField, idempotencyField, replyField, scheduledField, undoField } = common;

export const draftFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["draft"] } },
    options: [
      { name: "Create", value: "create", action: "Create a draft" },
      { name: "Delete", value: "delete", action: "Delete a draft" },
      { name: "Generate", value: "generate", description: "Let the AI write a draft", action: "Generate a draft" },
      { name: "Get", value: "get", action: "Get a draft" },
      { name: "Get Many", value: "getAll", action: "Get many drafts" },
      { name: "Send", value: "send", action: "Send a draft" },
      { name: "Update", value: "update", action: "Update a draft" },
    ],
    default: "create",
  },
  idField("Draft ID", "draftId", "draft", ["delete", "get", "send", "update"], "drf_..."),
  {
    displayName: "Instructions",
    name: "instructions",
    type: "string",
    typeOptions: { rows: 3 },
    default: "",
    placeholder: "e.g. Accept, and suggest Tuesday at 10",
    displayOptions: shownFor("draft", ["generate"]),
    description: "What the draft should say. For a reply, the instructions can be empty.",
  },
  { ...replyField, displayOptions: shownFor("draft", ["create", "generate"]) },
  { ...common.toField, displayOptions: shownFor("draft", ["create", "generate"]) },
  { ...common.subjectField, displayOptions: shownFor("draft", ["create"]) },
  { ...common.bodyField, displayOptions: shownFor("draft", ["create"]) },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: shownFor("draft", ["create", "generate"]),
    options: [bccField, ccField, fromField, accountField],
  },
  {
    displayName: "Update Fields",
    name: "updateFields",
    type: "collection",
    placeholder: "Add Field",
    default: {},
    displayOptions: shownFor("draft", ["update"]),
    options: [bccField, common.bodyField, ccField, fromField, accountField, common.subjectField, common.toField],
  },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: shownFor("draft", ["send"]),
    options: [idempotencyField, scheduledField, undoField],
  },
  ...listFields("draft", ["getAll"]),
];
