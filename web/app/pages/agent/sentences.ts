import type { AgentAction, AgentRun } from "../../../../src/features/agent/model.ts";
import { counted } from "../../parts/numbers.ts";
import { CATEGORIES, capitalized, joined } from "../rules/labels.ts";

/** A sentence about a message: the message is named between the two parts. */
export interface ActionSentence {
  before: string;
  after: string;
}

/** Describes what the agent did, or what it suggests, as a sentence around the message. */
export function actionSentence(action: AgentAction): ActionSentence {
  const [first, ...more] = clauses(action, action.state !== "suggested");
  const [start, end] = first!.named;
  const before = action.state === "suggested" ? `Suggestion: ${start}` : capitalized(start);
  const rest = more.map(({ pronoun }) => pronoun);
  return { before, after: `${end}${rest.length > 0 ? ` and ${joined(rest)}` : ""}.` };
}

/** One thing that an action does: with the message between two parts, and with a pronoun for it. */
interface Clause {
  named: readonly [start: string, end: string];
  pronoun: string;
}

function clauses({ action, changes }: AgentAction, past: boolean): Clause[] {
  if (action !== "triaged") {
    const wrote = past ? "wrote" : "write";
    const object = action === "drafted" ? "a draft reply to" : "a draft that follows up on";
    return [{ named: [`${wrote} ${object} `, ""], pronoun: "" }];
  }
  const { labels, category, archived } = changes;
  const found: Clause[] = [];
  if (labels.length > 0) {
    const added = `${past ? "added" : "add"} the label ${joined(labels.map((label) => `“${label}”`))} to `;
    found.push({ named: [added, ""], pronoun: `${added}it` });
  }
  if (category) {
    const to = ` to “${CATEGORIES.find(({ value }) => value === category.to)?.label ?? category.to}”`;
    found.push({ named: ["set the category of ", to], pronoun: `set its category${to}` });
  }
  if (archived) {
    const verb = past ? "archived" : "archive";
    found.push({ named: [`${verb} `, ""], pronoun: `${verb} it` });
  }
  return found.length > 0 ? found : [{ named: [past ? "reviewed " : "review ", ""], pronoun: "" }];
}

/** Says what became of an action, if there is more to know than its state. */
export function outcomeText({ action, state, mode, draft_id }: AgentAction): string | null {
  if (state === "suggested") {
    return mode === "suggest" ? null : "Nothing was changed: the permissions or the AI credits did not suffice.";
  }
  if (action === "triaged") {
    return state === "undone" ? "The message is as it was before." : "Undo puts the message back as it was.";
  }
  if (draft_id === null) return null;
  return state === "undone" ? "The draft was deleted." : "Review the draft, then send it yourself.";
}

/** Describes the result of a run. */
export function runText({ looked_at, actions, capped }: AgentRun): string {
  const limit = capped
    ? " The limit of the run or of the day was reached. The remaining mail waits for the next run."
    : "";
  if (actions.length > 0) {
    const shown = actions.length === 1 ? "It is the first in the list." : "They are the first in the list.";
    const done = counted(actions.length, "action or suggestion", "actions or suggestions");
    return `Checked ${counted(looked_at, "new message")}: ${done}. ${shown}${limit}`;
  }
  if (looked_at === 0) return `No new mail since the last run.${limit}`;
  return `Checked ${counted(looked_at, "new message")}. No entry covers the senders, or there was nothing to do.${limit}`;
}
