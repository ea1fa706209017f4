import type { INodeProperties } from "n8n-workflow";

/** Events of the catalog (docs/webhooks.md, "Event catalog"), by name of the option. */
export const EVENT_OPTIONS = [
  { name: "Agent Action", value: "agent.action", description: "The agent acted on a thread" },
  { name: "Approval Requested", value: "approval.requested", description: "An assistant asks to send a message" },
  { name: "Brief Ready", value: "brief.ready", description: "A daily brief is ready" },
  { name: "Draft Created", value: "draft.created", description: "A draft was created by the API or the agent" },
  { name: "Message Received", value: "message.received", description: "A new message has arrived" },
  { name: "Send Bounced", value: "send.bounced", description: "A sent message was returned as undeliverable" },
  { name: "Send Completed", value: "send.completed", description: "The mail server has accepted a message" },
  { name: "Send Failed", value: "send.failed", description: "A message could not be sent" },
  { name: "Thread Updated", value: "thread.updated", description: "A thread was read, moved, labeled or starred" },
];

export const eventsField: INodeProperties = {
  displayName: "Events",
  name: "events",
  type: "multiOptions",
  options: EVENT_OPTIONS,
  default: ["message.received"],
  required: true,
  description: "Events that start the workflow",
};
