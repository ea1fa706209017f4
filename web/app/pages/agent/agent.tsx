import { useState } from "preact/hooks";
import type { AgentAction, AgentRun } from "../../../../src/features/agent/model.ts";
import type { RuleItem } from "../../../../src/features/rules/model.ts";
import { v1 } from "../../api/client.ts";
import { type PageOf, usePagedList } from "../../api/paging.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import type { Option } from "../../parts/field.tsx";
import { Await, Badge, Card, Empty, FaultNotice, More, Notice, Page, Skeleton } from "../../parts/layout.tsx";
import { MessageDialog } from "../message-dialog.tsx";
import { capitalized, conditionsText, joined, MODES, PERMISSIONS } from "../rules/labels.ts";
import { useRules } from "../rules/rule-list.ts";
import { type RuleRow, RuleRows } from "../rules/rule-rows.tsx";
import { MailboxBadge, useMailboxOptions } from "../rules/rules.tsx";
import { ActionRow } from "./action-row.tsx";
import { runText } from "./sentences.ts";

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
  const [report, setReport] = useState<AgentRun | null>(null);
  async function run() {
    setBusy(true);
    setFault(null);
    try {
      setReport(await v1<AgentRun>("POST", "/agent/run", { body: {} }));
      await actions.reload();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  const working = rules.data?.some(isWorking) ?? false;
  const isNew = rules.data?.length === 0 && actions.rows?.length === 0;
  const runNow = (
    <Button small icon="refresh" busy={busy} onClick={run}>
      Run now
    </Button>
  );
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
      {isNew ? (
        <FirstSteps />
      ) : (
        <>
          <Card title="Permissions by sender" text="The first matching entry applies.">
            <Await of={rules}>
              {(list) =>
                list.length === 0 ? (
                  <Empty icon="agent" title="No allowed senders yet">
                    <p>
                      Allowed senders and their permissions appear here. Start with the mode “Suggest” for one sender:
                      the agent then only suggests actions.
                    </p>
                    <ButtonLink kind="primary" href="#/agent/new">
                      Allow first sender
                    </ButtonLink>
                  </Empty>
                ) : (
                  <>
                    {!working && (
                      <Notice tone="warn">
                        <p>
                          Every entry is paused or off, so the agent ignores all mail. Turn on an entry to use the
                          agent.
                        </p>
                      </Notice>
                    )}
                    <RuleRows list={rules} rules={list} row={(rule) => rowOf(rule, mailboxes)} />
                  </>
                )
              }
            </Await>
          </Card>
          <Card
            title="Activity"
            text="Each action shows its reason and a quote from the message. You can undo changes."
            actions={working && runNow}
          >
            <FaultNotice error={fault ?? actions.error} />
            {report && (
              <Notice tone={report.actions.length > 0 ? "good" : "info"} live>
                <p>{runText(report)}</p>
              </Notice>
            )}
            {actions.rows === null ? (
              !actions.error && <Skeleton />
            ) : actions.rows.length === 0 ? (
              <NoActivity allowed={(rules.data?.length ?? 0) > 0} working={working} ran={report !== null} />
            ) : (
              <ul class="rows">
                {actions.rows.map((action) => (
                  <ActionRow
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
        </>
      )}
      {opened && <MessageDialog id={opened.message_id} onClose={() => setOpened(null)} />}
    </Page>
  );
}

/** Says how to begin while no sender is allowed and nothing has happened. */
function FirstSteps() {
  return (
    <Card>
      <Empty icon="agent" title="No allowed senders yet">
        <p>The agent does nothing until you allow a sender.</p>
        <ol class="numbered steps-text">
          <li>Allow one sender in the mode “Suggest”. The agent then only suggests actions.</li>
          <li>Look at its suggestions on this page. Each one has a reason and a quote from the message.</li>
          <li>If you like them, allow the agent to label, archive or draft. You can undo each action.</li>
        </ol>
        <ButtonLink kind="primary" icon="plus" href="#/agent/new">
          Allow first sender
        </ButtonLink>
      </Empty>
    </Card>
  );
}

interface NoActivityProps {
  /** Whether any sender is allowed. */
  allowed: boolean;
  /** Whether an entry is on. */
  working: boolean;
  /** Whether the agent has just run. */
  ran: boolean;
}

/** Says what to do next while the agent has done nothing. */
function NoActivity({ allowed, working, ran }: NoActivityProps) {
  if (!allowed) {
    return (
      <Empty icon="agent" title="No activity yet">
        <p>Allow a sender first. Actions and suggestions for their mail then appear here.</p>
      </Empty>
    );
  }
  if (!working) {
    return (
      <Empty icon="agent" title="The agent is paused">
        <p>Turn on an entry above. Actions and suggestions then appear here.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="agent" title={ran ? "Nothing found" : "No activity yet"}>
      <p>
        {ran
          ? "The agent acts on questions, promises and newsletters. If you expected an action, check that an entry covers the sender and that the message is in the inbox. Each message is checked once."
          : "The agent checks new mail from allowed senders every ten minutes, for the first time up to seven days back. To check now, select Run now."}
      </p>
    </Empty>
  );
}

function rowOf(rule: RuleItem, mailboxes: readonly Option[]): RuleRow {
  const senders = capitalized(conditionsText(rule, mailboxes));
  const mode = modeOf(rule);
  return {
    title: rule.name ?? senders,
    badge: (
      <>
        <Badge tone={mode === "off" ? "quiet" : "info"}>{modeLabel(mode)}</Badge>{" "}
        <MailboxBadge rule={rule} mailboxes={mailboxes} />
      </>
    ),
    hint: rule.name ? `${senders}. ${grantText(rule)}` : grantText(rule),
  };
}

function modeOf(rule: RuleItem): string {
  return rule.actions.find(({ type }) => type === "setMode")?.value ?? "off";
}

function isWorking(rule: RuleItem): boolean {
  return rule.enabled && modeOf(rule) !== "off";
}

function modeLabel(mode: string): string {
  return MODES.find(({ value }) => value === mode)?.label ?? mode;
}

function grantText(rule: RuleItem): string {
  const only = rule.actions.filter(({ type }) => type === "allow").map(({ value }) => value);
  if (only.length === 0) return MODES.find(({ value }) => value === modeOf(rule))?.text ?? "";
  const labels = only.map((value) => PERMISSIONS.find((one) => one.value === value)?.label.toLowerCase() ?? value);
  return `Allowed: ${joined(labels)}. All other actions are only suggested.`;
}
