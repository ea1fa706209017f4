import type { Static } from "@sinclair/typebox";
import { useState } from "preact/hooks";
import type { RuleItem, RuleProgress } from "../../../../src/features/rules/model.ts";
import { app, v1 } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ProgressBar } from "../../parts/chart.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import type { Option } from "../../parts/field.tsx";
import { Await, Card, Empty, FaultNotice, Page } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";
import { ruleText } from "./labels.ts";

type Progress = Static<typeof RuleProgress>;

/** Returns the mailboxes as options, for conditions on the mailbox. */
export function useMailboxOptions(): readonly Option[] {
  const mailboxes = useLoad("mailbox-options", async () => (await app<{ data: Mailbox[] }>("GET", "/mailboxes")).data);
  return (mailboxes.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
}

/** Loads the rules of a kind, sorted by priority. */
export function useRules(kind: RuleItem["kind"]) {
  return useLoad(`rules ${kind}`, async () => {
    const { data } = await v1<{ data: RuleItem[] }>("GET", "/rules");
    return data.filter((rule) => rule.kind === kind).sort((a, b) => a.priority - b.priority);
  });
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
                  Your rules appear here. A rule can label, categorize, archive or star mail, and you can preview its
                  effect before you save it.
                </p>
                <ButtonLink kind="primary" href="#/rules/new">
                  Create first rule
                </ButtonLink>
              </Empty>
            ) : (
              <ol class="rows">
                {list.map((rule) => (
                  <RuleLine key={rule.id} rule={rule} mailboxes={mailboxes} reload={rules.reload} />
                ))}
              </ol>
            )
          }
        </Await>
      </Card>
    </Page>
  );
}

interface RuleLineProps {
  rule: RuleItem;
  mailboxes: readonly Option[];
  reload(): Promise<void>;
}

const ACTIVE_POLL_MS = 1_000;

function RuleLine({ rule, mailboxes, reload }: RuleLineProps) {
  const { when, does } = ruleText(rule, mailboxes);
  const path = `/rules/${encodeURIComponent(rule.id)}`;
  const [applying, setApplying] = useState(false);
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">{when}</p>
        <p class="hint">then {does}</p>
        {applying && <Applying path={path} />}
      </div>
      <div class="row-actions">
        <ConfirmButton
          small
          label={`Apply to existing mail: ${when}`}
          title="Apply this rule to existing mail?"
          text={
            <p>
              The rule runs on all mail, newest first: {does}. Changes apply to the mail server too. Nothing is
              permanently deleted, and nothing is sent. The audit log records each change.
            </p>
          }
          action="Apply rule"
          act={async () => {
            await v1("POST", `${path}/apply`, { body: {} });
            setApplying(true);
          }}
        >
          Apply to existing mail
        </ConfirmButton>
        <DeleteRule rule={rule} name={when} reload={reload} />
      </div>
    </li>
  );
}

export function DeleteRule({ rule, name, reload }: { rule: RuleItem; name: string; reload(): Promise<void> }) {
  return (
    <ConfirmButton
      small
      kind="danger"
      label={`Delete rule: ${name}`}
      title="Delete this rule?"
      text={<p>The rule no longer applies to new mail. Changes that it has already made are kept.</p>}
      action="Delete rule"
      act={async () => {
        await v1("DELETE", `/rules/${encodeURIComponent(rule.id)}`);
        await reload();
        showToast("Rule deleted.");
      }}
    >
      {" "}
      Delete rule{" "}
    </ConfirmButton>
  );
}

function Applying({ path }: { path: string }) {
  const progress = useLoad(
    `apply ${path}`,
    () => v1<Progress>("GET", `${path}/apply`),
    ({ state }) => (state === "running" ? ACTIVE_POLL_MS : 0),
  );
  if (!progress.data) return <FaultNotice error={progress.error} />;
  const { state, done, total, changed } = progress.data;
  return (
    <div role="status">
      {state === "running" && <ProgressBar label="Applying rule" done={done} total={total} />}
      <p class="hint">
        {state === "running" ? `${count(done)} of ${counted(total, "message")}` : "Done"}: {count(changed)} changed
      </p>
    </div>
  );
}
