import { useState } from "preact/hooks";
import type { AgentAction } from "../../../src/features/agent/model.ts";
import type { RuleItem } from "../../../src/features/rules/model.ts";
import { v1 } from "../api/client.ts";
import { type PageOf, usePagedList } from "../api/paging.ts";
import { Button, ButtonLink } from "../parts/button.tsx";
import { Await, Badge, Card, Empty, FaultNotice, More, Page, Skeleton, type Tone } from "../parts/layout.tsx";
import { counted } from "../parts/numbers.ts";
import { Ago } from "../parts/time.tsx";
import { showToast } from "../state/toasts.ts";
import { MessageDialog } from "./message-dialog.tsx";
import { MODES, PERMISSIONS, ruleText } from "./rules/labels.ts";
import { RemoveRule, useMailboxOptions, useRules } from "./rules/rules.tsx";

interface RunReport {
  looked_at: number;
  actions: AgentAction[];
  capped: boolean;
}

/** What the agent may do with whose mail, and what it did. */
export function Agent() {
  const [opened, setOpened] = useState<AgentAction | null>(null);
  const rules = useRules("agent");
  const mailboxes = useMailboxOptions();
  const actions = usePagedList("agent-actions", (cursor) =>
    v1<PageOf<AgentAction>>("GET", "/agent/actions", { query: { cursor, limit: 20 } }),
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  async function run() {
    setBusy(true);
    try {
      const report = await v1<RunReport>("POST", "/agent/run", { body: {} });
      showToast(
        `It looked at ${counted(report.looked_at, "message")} and did ${counted(report.actions.length, "thing")}.`,
      );
      setFault(null);
      await actions.reload();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Page
      title="Agent"
      lead="It sorts and prepares mail from the senders that you allow. For all others it does nothing, and it never sends."
      actions={
        <ButtonLink kind="primary" icon="plus" href="#/agent/new">
          Allow a sender
        </ButtonLink>
      }
    >
      <Card title="What it may do, by sender" text="The first line that fits decides.">
        <Await of={rules}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="agent" title="No sender is allowed yet">
                <p>Begin with “Suggest” for one sender: you see what it would do, and nothing changes.</p>
                <ButtonLink kind="primary" href="#/agent/new">
                  Choose a sender
                </ButtonLink>
              </Empty>
            ) : (
              <ol class="rows">
                {list.map((rule) => {
                  const { when } = ruleText(rule, mailboxes);
                  return (
                    <li key={rule.id} class="row">
                      <div class="row-main">
                        <p class="row-title">
                          {when} <Badge tone={modeOf(rule) === "off" ? "quiet" : "info"}>{modeLabel(rule)}</Badge>
                        </p>
                        <p class="hint">{grantText(rule)}</p>
                      </div>
                      <div class="row-actions">
                        <RemoveRule rule={rule} words={when} reload={rules.reload} />
                      </div>
                    </li>
                  );
                })}
              </ol>
            )
          }
        </Await>
      </Card>
      <Card
        title="What it did"
        text="With the reason, the words that it goes by, and a way back."
        actions={
          <Button small icon="refresh" busy={busy} onClick={run}>
            Run now
          </Button>
        }
      >
        <FaultNotice error={fault ?? actions.error} />
        {actions.rows === null ? (
          !actions.error && <Skeleton />
        ) : actions.rows.length === 0 ? (
          <Empty icon="agent" title="Nothing yet">
            <p>It looks every ten minutes at new mail of the senders above.</p>
          </Empty>
        ) : (
          <ul class="rows">
            {actions.rows.map((action) => (
              <ActionLine
                key={`${action.id} ${action.state}`}
                action={action}
                onOpen={() => setOpened(action)}
                reload={actions.reload}
              />
            ))}
          </ul>
        )}
        <More more={actions.more} busy={actions.busy} onMore={actions.next} />
      </Card>
      {opened && <MessageDialog id={opened.message_id} onClose={() => setOpened(null)} />}
    </Page>
  );
}

function modeOf(rule: RuleItem): string {
  return rule.actions.find(({ type }) => type === "setMode")?.value ?? "off";
}

function modeLabel(rule: RuleItem): string {
  return MODES.find(({ value }) => value === modeOf(rule))?.label ?? modeOf(rule);
}

function grantText(rule: RuleItem): string {
  const only = rule.actions.filter(({ type }) => type === "allow").map(({ value }) => value);
  if (only.length === 0) return MODES.find(({ value }) => value === modeOf(rule))?.text ?? "";
  const words = only.map((value) => PERMISSIONS.find((one) => one.value === value)?.label.toLowerCase() ?? value);
  return `Only: ${words.join(", ")}. The rest is suggested.`;
}

const STATES: Record<AgentAction["state"], [Tone, string]> = {
  suggested: ["quiet", "Suggested"],
  done: ["good", "Done"],
  undone: ["warn", "Undone"],
};

interface ActionLineProps {
  action: AgentAction;
  onOpen(): void;
  reload(): Promise<void>;
}

function ActionLine({ action, onOpen, reload }: ActionLineProps) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [tone, word] = STATES[action.state];
  async function undo() {
    setBusy(true);
    try {
      await v1("POST", `/agent/actions/${encodeURIComponent(action.id)}/undo`);
      showToast("It is taken back.");
      await reload();
    } catch (error) {
      setFault(error);
      setBusy(false);
    }
  }
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {changeText(action)} <Badge tone={tone}>{word}</Badge>
        </p>
        <p>{action.reason}</p>
        {action.evidence && <blockquote>{action.evidence.quote}</blockquote>}
        <p class="hint">
          <Ago at={action.created_at} />
        </p>
        <FaultNotice error={fault} />
      </div>
      <div class="row-actions">
        <Button small kind="quiet" label={`Show the mail of: ${changeText(action)}`} onClick={onOpen}>
          Show the mail
        </Button>
        {action.undo && (
          <Button small icon="undo" busy={busy} label={`Undo: ${changeText(action)}`} onClick={undo}>
            Undo
          </Button>
        )}
      </div>
    </li>
  );
}

function changeText({ action, changes }: AgentAction): string {
  if (action === "drafted") return "Draft of an answer";
  if (action === "followup") return "Draft of a reminder";
  const words = [
    changes.labels.length > 0 ? `label ${changes.labels.join(", ")}` : null,
    changes.category ? `category ${changes.category.to}` : null,
    changes.archived ? "archive" : null,
  ].filter(Boolean);
  const text = words.join(", ") || "look at it";
  return text[0]!.toUpperCase() + text.slice(1);
}
