import { useState } from "preact/hooks";
import type { AgentAction } from "../../../../src/features/agent/model.ts";
import { v1 } from "../../api/client.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Badge, FaultNotice, type Tone } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { showToast } from "../../state/toasts.ts";
import { actionSentence, outcomeText } from "./sentences.ts";

/** A suggestion is called so in its sentence. */
const STATES: Record<AgentAction["state"], [Tone, string] | null> = {
  suggested: null,
  done: ["good", "Done"],
  undone: ["warn", "Undone"],
};

interface ActionRowProps {
  action: AgentAction;
  onOpen(): void;
  reload(): Promise<void>;
}

/** One action of the agent: what it did with which message, why, and the undo. */
export function ActionRow({ action, onOpen, reload }: ActionRowProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const state = STATES[action.state];
  const { before, after } = actionSentence(action);
  const subject = action.subject === null ? "a deleted message" : action.subject || "(no subject)";
  // A follow-up answers the user's own message.
  const sender = action.action === "followup" ? null : action.from;
  const outcome = outcomeText(action);
  async function undo() {
    setBusy(true);
    try {
      await v1("POST", `/agent/actions/${encodeURIComponent(action.id)}/undo`);
      showToast("Action undone.");
      await reload();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  }
  return (
    <li class="row open">
      <div class="row-main">
        <p>
          {before}
          {action.subject === null ? (
            subject
          ) : (
            <>
              “
              <a class="row-title" href={`#/read/${encodeURIComponent(action.thread_id)}`}>
                <bdi>{subject}</bdi>
              </a>
              ”
            </>
          )}
          {sender && (
            <>
              {" from "}
              <bdi class="row-title">{sender.name || sender.email}</bdi>
            </>
          )}
          {after} {state && <Badge tone={state[0]}>{state[1]}</Badge>}
        </p>
        <p class="hint">Why: {action.reason}</p>
        {action.evidence && <blockquote dir="auto">{action.evidence.quote}</blockquote>}
        <p class="hint">
          <Ago at={action.created_at} />
          {outcome && ` · ${outcome}`}
        </p>
        <FaultNotice error={fault} />
      </div>
      <div class="row-actions">
        {action.subject !== null && (
          <Button small kind="quiet" label={`Show message: ${subject}`} onClick={onOpen}>
            {" "}
            Show message{" "}
          </Button>
        )}
        {action.draft_id !== null && action.state === "done" && (
          <ButtonLink
            small
            label={`Open draft: ${subject}`}
            href={`#/read/drafts/${encodeURIComponent(action.draft_id)}`}
          >
            Open draft
          </ButtonLink>
        )}
        {action.undo && (
          <Button small icon="undo" busy={busy} label={`Undo: ${before}“${subject}”`} onClick={undo}>
            Undo
          </Button>
        )}
      </div>
    </li>
  );
}
