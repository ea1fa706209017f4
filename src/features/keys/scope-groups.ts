import type { Scope } from "../../kernel/scopes.ts";

/** Scopes that a person decides on together, in words for somebody who never read the API's description. */
export interface ScopeGroup {
  name: string;
  title: string;
  /** What a program that has it can do. */
  description: string;
  scopes: readonly Scope[];
  /** It acts in the person's name without asking them. */
  danger: boolean;
}

/** Every scope is in one of them. Reading comes before changing, so that the least is what one sees first. */
export const SCOPE_GROUPS: readonly ScopeGroup[] = [
  {
    name: "read_mail",
    title: "Read mail",
    description:
      "See all threads, messages, attachments and drafts, search them, and read the daily brief. It can change nothing.",
    scopes: ["mail:read", "search:read", "drafts:read", "brief:read"],
    danger: false,
  },
  {
    name: "organise_mail",
    title: "Organise mail",
    description:
      "Archive, label, snooze, star and mark as read, on your mail servers too, and make rules that do the same with new mail. Trashing is included, deleting for good is not.",
    scopes: ["mail:write"],
    danger: false,
  },
  {
    name: "write_drafts",
    title: "Write drafts",
    description: "Create, edit and delete drafts. They wait for you: this alone sends nothing.",
    scopes: ["drafts:write"],
    danger: false,
  },
  {
    name: "send_mail",
    title: "Send mail",
    description:
      "Send messages in your name, to anybody, without asking you again. Each can be taken back until its undo window ends; after that it is gone.",
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
    description: "Add and remove events, on a connected calendar server too. Nobody is invited by mail.",
    scopes: ["calendar:write"],
    danger: false,
  },
  {
    name: "ask_ai",
    title: "Ask questions and draft with AI",
    description:
      "Ask your mail questions, have it summarised, have drafts and the brief written. Spends AI credits. Where a language model elsewhere is set up, the mail in question is sent there.",
    scopes: ["ai:invoke"],
    danger: false,
  },
  {
    name: "run_agent",
    title: "Run the agent",
    description:
      "See what the agent did, and have it work through the inbox: label, archive and draft, as far as your rules allow it for each sender. It never sends.",
    scopes: ["agent:read", "agent:run"],
    danger: true,
  },
  {
    name: "webhooks",
    title: "Manage webhooks",
    description:
      "Have other servers told when mail arrives or leaves: who wrote, and the subject. Whoever has this decides which servers.",
    scopes: ["webhooks:manage"],
    danger: false,
  },
  {
    name: "look_after",
    title: "See usage and history",
    description: "See how much of the plan is used, and every change that was made, by whom.",
    scopes: ["usage:read", "audit:read"],
    danger: false,
  },
];
