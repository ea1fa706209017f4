import type { INodeProperties } from "n8n-workflow";

/** Shows a field only for these operations of a resource. */
export function shownFor(resource: string, operations: string[]): INodeProperties["displayOptions"] {
  return { show: { resource: [resource], operation: operations } };
}

/** The fields "Return All" and "Limit" of a list. */
export function listFields(resource: string, operations: string[]): INodeProperties[] {
  return [
    {
      displayName: "Return All",
      name: "returnAll",
      type: "boolean",
      default: false,
      displayOptions: shownFor(resource, operations),
      description: "Whether to return all results or only up to a given limit",
    },
    {
      displayName: "Limit",
      name: "limit",
      type: "number",
      typeOptions: { minValue: 1 },
      default: 50,
      displayOptions: {
        show: { resource: [resource], operation: operations, returnAll: [false] },
      },
      description: "Max number of results to return",
    },
  ];
}

/** A required id. */
export function idField(
  displayName: string,
  name: string,
  resource: string,
  operations: string[],
  placeholder: string,
): INodeProperties {
  return {
    displayName,
    name,
    type: "string",
    default: "",
    required: true,
    placeholder,
    displayOptions: shownFor(resource, operations),
  };
}

export const accountField: INodeProperties = {
  displayName: "Mailbox Name or ID",
  name: "accountId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getAccounts" },
  default: "",
  description:
    'Mailbox to use. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const addresses = (displayName: string, name: string): INodeProperties => ({
  displayName,
  name,
  type: "string",
  default: "",
  placeholder: "maria@example.org, Paul &lt;paul@example.org&gt;",
  description: "Addresses, separated by commas",
});

export const toField: INodeProperties = addresses("To", "to");
export const ccField: INodeProperties = addresses("CC", "cc");
export const bccField: INodeProperties = addresses("BCC", "bcc");

export const fromField: INodeProperties = {
  displayName: "From",
  name: "from",
  type: "string",
  default: "",
  description: "Your address or alias that the message is sent from. If empty, the address of the mailbox.",
};

export const subjectField: INodeProperties = {
  displayName: "Subject",
  name: "subject",
  type: "string",
  default: "",
};

export const bodyField: INodeProperties = {
  displayName: "Body",
  name: "body",
  type: "string",
  typeOptions: { rows: 4 },
  default: "",
  description: "Text of the message",
};

export const replyField: INodeProperties = {
  displayName: "Reply to Thread ID",
  name: "replyToThreadId",
  type: "string",
  default: "",
  placeholder: "thr_...",
  description: "Thread that the message replies to. Recipients and subject can then be empty.",
};

export const idempotencyField: INodeProperties = {
  displayName: "Idempotency Key",
  name: "idempotencyKey",
  type: "string",
  default: "",
  placeholder: "e.g. ={{ $JSON.ID }}",
  description:
    "Postroom sends only once for each key within 24 hours. If empty, the key is made from the execution, the node and the item, so that a retry of the node sends once. Set a value from your data, such as an order number, so that a second execution also sends only once.",
};

export const scheduledField: INodeProperties = {
  displayName: "Send At",
  name: "scheduledAt",
  type: "dateTime",
  default: "",
  description: "When to send. If empty, the message is sent after the undo window.",
};

export const undoField: INodeProperties = {
  displayName: "Undo Window (Seconds)",
  name: "undoWindow",
  type: "number",
  typeOptions: { minValue: 0, maxValue: 30 },
  default: 10,
  description: "How long the send can be canceled, up to 30 seconds",
};
