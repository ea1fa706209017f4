import { type Scope, TOOL_SCOPES } from "../../kernel/scopes.ts";

/** Scopes that a person grants together, described for someone who has never read the API reference. */
export interface ScopeGroup {
  name: string;
  title: string;
  /** Describes the actions that a program with these scopes can perform. */
  description: string;
  scopes: readonly Scope[];
  /** The program acts in the person's name without asking. */
  danger: boolean;
}

/** Every scope is in exactly one group. Reading precedes changing, so that the least powerful groups are first. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  {
    name: "read_mail",
    title: "Read mail",
    description:
      "See all threads, messages, attachments and drafts, search them, and read the daily brief. Changes nothing.",
    scopes: ["mail:read", "search:read", "drafts:read", "brief:read"],
    danger: false,
  },
  {
    name: "organise_mail",
    title: "Organize mail",
    description:
      "Archive, label, snooze, star and mark as read, also on your mail servers, and create rules that do the same " +
      "to new mail. This includes moving mail to the trash, but not deleting it permanently.",
    scopes: ["mail:write"],
    danger: false,
  },
  {
    name: "write_drafts",
    title: "Write drafts",
    description: "Create, edit and delete drafts. Drafts wait for you: this permission alone sends nothing.",
    scopes: ["drafts:write"],
    danger: false,
  },
  {
    name: "send_mail",
    title: "Send mail",
    description:
      "Send messages on your behalf, to anyone, without asking you again. Each send can be canceled until its undo " +
      "window ends.",
    scopes: ["mail:send"],
    danger: true,
  },
  {
    name: "read_people",
    title: "Read contacts and notes",
    description: "See the people you write with, your notes about them, client profiles, variables and context files.",
    scopes: ["contacts:read", "context:read"],
    danger: false,
  },
  {
    name: "change_people",
    title: "Change contacts and notes",
    description: "Mark VIPs, import an address book, and edit notes, profiles, variables and context files.",
    scopes: ["contacts:write", "context:write"],
    danger: false,
  },
  {
    name: "read_calendar",
    title: "Read the calendar",
    description: "See events and invitations.",
    scopes: ["calendar:read"],
    danger: false,
  },
  {
    name: "change_calendar",
    title: "Change the calendar",
    description: "Add and remove events, also on a connected calendar server. No invitations are sent.",
    scopes: ["calendar:write"],
    danger: false,
  },
  {
    name: "ask_ai",
    title: "Ask questions and draft with AI",
    description:
      "Answer questions about your mail, summarize it, and write drafts and the brief. If a " +
      "language model on another machine is configured, the relevant mail is sent to it.",
    scopes: ["ai:invoke"],
    danger: false,
  },
  {
    name: "run_agent",
    title: "Run the agent",
    description:
      "See what the agent did, and run it on the inbox. The agent labels, archives and drafts as far as your rules " +
      "allow for each sender. It never sends mail.",
    scopes: ["agent:read", "agent:run"],
    danger: true,
  },
  {
    name: "webhooks",
    title: "Manage webhooks",
    description:
      "Notify other servers when mail arrives or is sent, including the sender and the subject. Anyone with this " +
      "permission chooses which servers.",
    scopes: ["webhooks:manage"],
    danger: false,
  },
  {
    name: "look_after",
    title: "See usage and history",
    description: "See how much programs use, and who made which change.",
    scopes: ["usage:read", "audit:read"],
    danger: false,
  },
];

/** What groups mean for an assistant where this differs from an API key. */
const FOR_ASSISTANTS: Partial<Record<string, Partial<ScopeGroup>>> = {
  send_mail: { description: "Prepare messages in your name and send them after you have confirmed them." },
  run_agent: {
    title: "See what the agent did",
    description: "See what the agent did, and why. An assistant cannot run the agent.",
    danger: false,
  },
  look_after: { title: "See usage", description: "See how much programs use." },
};

/** The groups as an assistant can get them: with only the scopes that a connection can have. */
export const ASSISTANT_SCOPE_GROUPS: readonly ScopeGroup[] = SCOPE_GROUPS.map((group) => ({
  ...group,
  ...FOR_ASSISTANTS[group.name],
  scopes: group.scopes.filter((scope) => TOOL_SCOPES.includes(scope)),
})).filter(({ scopes }) => scopes.length > 0);
