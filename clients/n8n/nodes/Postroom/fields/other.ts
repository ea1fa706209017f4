import type { INodeProperties } from "n8n-workflow";
import { accountField, idField, listFields, shownFor } from "./common";

export const mailFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["mail"] } },
    options: [
      { name: "Ask", value: "ask", description: "Answer a question from your mail", action: "Ask a question" },
      { name: "Search", value: "search", action: "Search mail" },
    ],
    default: "search",
  },
  {
    displayName: "Question",
    name: "question",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. When does my flight leave?",
    displayOptions: shownFor("mail", ["ask"]),
  },
  {
    displayName: "Query",
    name: "query",
    type: "string",
    default: "",
    required: true,
    placeholder: "e.g. from:maria invoice newer_than:30d",
    displayOptions: shownFor("mail", ["search"]),
    description: "Words and operators of Postroom's search",
  },
  ...listFields("mail", ["search"]),
  {
    displayName: "Options",
    name: "options",
    type: "collection",
    placeholder: "Add Option",
    default: {},
    displayOptions: shownFor("mail", ["search"]),
    options: [
      accountField,
      {
        displayName: "Mode",
        name: "mode",
        type: "options",
        options: [
          { name: "Hybrid", value: "hybrid" },
          { name: "Keyword", value: "keyword" },
          { name: "Semantic", value: "semantic" },
        ],
        default: "hybrid",
        description: "Whether to search by words, by meaning, or both",
      },
    ],
  },
];

export const labelFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["label"] } },
    options: [
      { name: "Create", value: "create", action: "Create a label" },
      { name: "Delete", value: "delete", action: "Delete a label" },
      { name: "Get Many", value: "getAll", action: "Get many labels" },
      { name: "Rename", value: "rename", action: "Rename a label" },
    ],
    default: "getAll",
  },
  idField("Label ID", "labelId", "label", ["delete", "rename"], "lbl_..."),
  {
    displayName: "Name",
    name: "name",
    type: "string",
    default: "",
    required: true,
    displayOptions: shownFor("label", ["create", "rename"]),
  },
  ...listFields("label", ["getAll"]),
];

export const sendFields: INodeProperties[] = [
  {
    displayName: "Operation",
    name: "operation",
    type: "options",
    noDataExpression: true,
    displayOptions: { show: { resource: ["send"] } },
    options: [
      { name: "Cancel", value: "cancel", description: "Cancel a send in its undo window", action: "Cancel a send" },
      { name: "Get", value: "get", description: "Get the status of a send", action: "Get a send" },
      { name: "Get Many", value: "getAll", action: "Get many sends" },
    ],
    default: "get",
  },
  idField("Send ID", "sendId", "send", ["cancel", "get"], "snd_..."),
  ...listFields("send", ["getAll"]),
  {
    displayName: "Filters",
    name: "filters",
    type: "collection",
    placeholder: "Add Filter",
    default: {},
    displayOptions: shownFor("send", ["getAll"]),
    options: [
      {
        displayName: "Status",
        name: "status",
        type: "options",
        options: [
          { name: "Failed", value: "failed" },
          { name: "Scheduled", value: "scheduled" },
          { name: "Sending", value: "sending" },
          { name: "Sent", value: "sent" },
          { name: "Undone", value: "undone" },
        ],
        default: "scheduled",
      },
    ],
  },
];
