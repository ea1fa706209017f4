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
import { DeleteRule, useMailboxOptions, useRules } from "./rules/rules.tsx";

interface RunReport {
  looked_at: number;
  actions: AgentAction[];
  capped: boolean;
}

/** The agent's permissions by sender, and its actions. */
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
      showToast(`Checked ${counted(report.looked_at, "message")}, ${counted(report.actions.length, "action")}.`);
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
      lead="The agent sorts mail and prepares drafts for senders you allow. It ignores all other senders and never sends mail."
      actions={
        <ButtonLink kind="primary" icon="plus" href="#/agent/new">
          {" "}
          Allow sender{" "}
        </ButtonLink>
      }
    >
      <Card title="Permissions by sender" text="The first matching entry applies.">
        <Await of={rules}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="agent" title="No allowed senders yet">
                <p>
                  Allowed senders and their permissions appear here. Start with the mode “Suggest” for one sender: the
                  agent then only suggests actions.
                </p>
                <ButtonLink kind="primary" href="#/agent/new">
                  Allow first sender
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
                        <DeleteRule rule={rule} name={when} reload={rules.reload} />
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
        title="Activity"
        text="Each action shows its reason and a quote from the message. You can undo changes."
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
          <Empty icon="agent" title="No activity yet">
            <p>
              Actions and suggestions appear here. The agent checks new mail from allowed senders every ten minutes.
            </p>
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
  const labels = only.map((value) => PERMISSIONS.find((one) => one.value === value)?.label.toLowerCase() ?? value);
  return `Allowed: ${labels.join(", ")}. All other actions are only suggested.`;
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
  const [tone, label] = STATES[action.state];
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
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {changeText(action)} <Badge tone={tone}>{label}</Badge>
        </p>
        <p>{action.reason}</p>
        {action.evidence && <blockquote>{action.evidence.quote}</blockquote>}
        <p class="hint">
          <Ago at={action.created_at} />
        </p>
        <FaultNotice error={fault} />
      </div>
      <div class="row-actions">
        <Button small kind="quiet" label={`Show message: ${changeText(action)}`} onClick={onOpen}>
          {" "}
          Show message{" "}
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
  if (action === "drafted") return "Draft reply";
  if (action === "followup") return "Draft follow-up";
  const parts = [
    changes.labels.length > 0 ? `add label ${changes.labels.map((label) => `“${label}”`).join(", ")}` : null,
    changes.category ? `set category “${changes.category.to}”` : null,
    changes.archived ? "archive" : null,
  ].filter(Boolean);
  const text = parts.join(", ") || "review";
  return text[0]!.toUpperCase() + text.slice(1);
}
