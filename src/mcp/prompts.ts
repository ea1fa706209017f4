import type { McpServer } from "@modelcontextprotocol/server";

/** A task that a person can start from the menu of their assistant. */
interface PromptTask {
  name: string;
  title: string;
  description: string;
  text: string;
}

const TASKS: readonly PromptTask[] = [
  {
    name: "triage_inbox",
    title: "Triage the inbox",
    description: "Sort unread mail: what needs an answer, what can be archived.",
    text: "Go through my unread mail with list_threads (unread: true). Group it into: needs an answer from me, to read, can be archived. Give one line for each thread with its sender. Then propose what to archive or label, and call update_threads only for what I approve.",
  },
  {
    name: "prepare_meeting",
    title: "Prepare a meeting",
    description: "Collect what I should know before my next meeting.",
    text: "Find my next meeting with list_events (from now, for two days). For each attendee, use search to find our recent threads, and get_context for what I keep about them. Summarize on half a page: purpose, open questions, promises on either side, last contact. Name the thread ids.",
  },
  {
    name: "draft_reply",
    title: "Draft a reply",
    description: "Draft a reply to the most urgent mail that waits for me.",
    text: "Use get_brief to find the mail that most urgently needs an answer from me. Read it with fetch. Ask me what I want to say if it is not obvious. Then save a reply with save_draft and show it to me. Do not send it.",
  },
  {
    name: "weekly_review",
    title: "Weekly review",
    description: "Review the week: promises, unanswered mail, waiting for others.",
    text: "Review my last seven days of mail. Use get_brief for promises and mail that waits for me, and search (in:sent after: seven days ago) for mail that I sent and that has no answer. List: what I owe, what others owe me, and what can be closed, each with its thread id.",
  },
  {
    name: "clean_newsletters",
    title: "Clean up newsletters",
    description: "Find newsletters that I do not read, and propose rules.",
    text: "List the threads of the promotions and updates tabs with list_threads, and find the senders that write most often and that I leave unread. Propose for each: keep, or archive automatically, and name those that I could unsubscribe from, which I do myself on the settings page. For those that I choose, preview a rule with change_rule and create it after I agree.",
  },
];

/** Registers the prompts. They contain no mail, so they need no scope. */
export function registerPrompts(server: McpServer): void {
  for (const { name, title, description, text } of TASKS) {
    server.registerPrompt(name, { title, description }, () => ({
      messages: [{ role: "user", content: { type: "text", text } }],
    }));
  }
}
