import { useState } from "preact/hooks";
import type { RuleItem, RuleProgress } from "../../../../src/features/rules/model.ts";
import { app, v1 } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ProgressBar } from "../../parts/chart.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import type { Option } from "../../parts/field.tsx";
import { Await, Badge, Card, Empty, FaultNotice, Page } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { useLoad } from "../../state/load.ts";
import { actionsText, ruleSentence } from "./labels.ts";
import { useRules } from "./rule-list.ts";
import { type RuleRow, RuleRows } from "./rule-rows.tsx";

/** Returns the mailboxes as options, for conditions on the mailbox. */
export function useMailboxOptions(): readonly Option[] {
  const mailboxes = useLoad("mailbox-options", async () => (await app<{ data: Mailbox[] }>("GET", "/mailboxes")).data);
  return (mailboxes.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
}

export function Rules() {
  const rules = useRules("inbox");
  const mailboxes = useMailboxOptions();
  return (
    <Page
      title="Rules"
      lead="Rules sort new mail as it arrives. They run from top to bottom and also change the mail on the server. No rule sends mail."
      actions={
        <ButtonLink kind="primary" icon="plus" href="#/rules/new">
          {" "}
          Create rule{" "}
        </ButtonLink>
      }
    >
      <Card>
        <Await of={rules} lines={4}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="rules" title="No rules yet">
                <p>
                  Your rules appear here. A rule can label, categorize, archive or star mail, and a preview shows its
                  effect while you write it.
                </p>
                <ButtonLink kind="primary" href="#/rules/new">
                  Create first rule
                </ButtonLink>
              </Empty>
            ) : (
              <RuleRows list={rules} rules={list} row={(rule) => rowOf(rule, mailboxes)} />
            )
          }
        </Await>
      </Card>
    </Page>
  );
}

function rowOf(rule: RuleItem, mailboxes: readonly Option[]): RuleRow {
  const sentence = ruleSentence(rule, mailboxes);
  const title = rule.name ?? sentence;
  return {
    title,
    badge: <MailboxBadge rule={rule} mailboxes={mailboxes} />,
    hint: rule.name && sentence,
    below: <ApplyRule key={rule.id} rule={rule} title={title} />,
  };
}

/** Shows the only mailbox that a rule applies to. */
export function MailboxBadge({ rule, mailboxes }: { rule: RuleItem; mailboxes: readonly Option[] }) {
  if (rule.account_id === null) return null;
  const email = mailboxes.find(({ value }) => value === rule.account_id)?.label;
  return <Badge>{email ? `Only ${email}` : "One mailbox only"}</Badge>;
}

const ACTIVE_POLL_MS = 1_000;

function ApplyRule({ rule, title }: { rule: RuleItem; title: string }) {
  const path = `/rules/${encodeURIComponent(rule.id)}`;
  // A run that began before the page was opened is shown, too.
  const [applying, setApplying] = useState(rule.applying ? 1 : 0);
  return (
    <>
      {rule.enabled && (
        <div class="rule-more">
          <ConfirmButton
            small
            kind="quiet"
            label={`Apply to existing mail: ${title}`}
            title="Apply this rule to existing mail?"
            text={
              <p>
                The rule runs on all mail, newest first, and does this with each message that matches:{" "}
                {actionsText(rule)}. Changes apply to the mail server too. Nothing is permanently deleted, and nothing
                is sent. The audit log records each change.
              </p>
            }
            action="Apply rule"
            act={async () => {
              await v1("POST", `${path}/apply`, { body: {} });
              setApplying(applying + 1);
            }}
          >
            Apply to existing mail
          </ConfirmButton>
        </div>
      )}
      {applying > 0 && <Applying key={applying} path={path} />}
    </>
  );
}

function Applying({ path }: { path: string }) {
  const progress = useLoad(
    `apply ${path}`,
    () => v1<RuleProgress>("GET", `${path}/apply`),
    ({ state }) => (state === "running" ? ACTIVE_POLL_MS : 0),
  );
  if (!progress.data) return <FaultNotice error={progress.error} />;
  const { state, done, total } = progress.data;
  return (
    <div role="status">
      {state === "running" && <ProgressBar label="Applying rule" done={done} total={total} />}
      <p class="hint">{progressText(progress.data)}</p>
    </div>
  );
}

function progressText({ state, done, total, matched, changed }: RuleProgress): string {
  const result = `${counted(matched, "message matches", "messages match")}, ${count(changed)} changed`;
  if (state === "running") return `Checked ${count(done)} of ${counted(total, "message")}: ${result}.`;
  if (state === "stopped") return `Stopped after ${counted(done, "message")}, because the rule was paused: ${result}.`;
  return `Checked ${counted(total, "message")}: ${result}.`;
}
