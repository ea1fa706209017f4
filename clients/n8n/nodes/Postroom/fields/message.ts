import type { INodeProperties } from "n8n-workflow";
import * as common from "./common";

const { idField, listFields, shownFor } = common;
const { accountField, bccField, ccField, fromField, idempotencyField, replyField, scheduledField, undoField } = common;

export const messageFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["message"] } },
    options: [
      { name: "Get", value: "get", action: "Get a message" },
      { name: "Get Many", value: "getAll", description: "Get the messages of a thread", action: "Get many messages" },
      { name: "Send", value: "send", action: "Send a message" },
    ],
    default: "get",
  },
  idField("Message ID", "messageId", "message", ["get"], "msg_..."),
  idField("Thread ID", "threadId", "message", ["getAll"], "thr_..."),
  ...listFields("message", ["getAll"]),
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: shownFor("message", ["getAll"]),
    options: [
      {
        displayName: "Include Quoted Text",
        name: "includeQuoted",
        type: "boolean",
        default: true,
        description: "Whether the text includes the quoted messages before it",
      },
    ],
  },
  { ...common.toField, displayOptions: shownFor("message", ["send"]) },
  { ...common.subjectField, displayOptions: shownFor("message", ["send"]) },
  { ...common.bodyField, displayOptions: shownFor("message", ["send"]) },
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: shownFor("message", ["send"]),
    options: [bccField, ccField, fromField, idempotencyField, accountField, replyField, scheduledField, undoField],
  },
];
