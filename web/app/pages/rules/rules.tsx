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

/** The mailboxes as choices, for conditions about one. */
export function useMailboxOptions(): readonly Option[] {
  const mailboxes = useLoad("mailbox-options", async () => (await app<{ data: Mailbox[] }>("GET", "/mailboxes")).data);
  return (mailboxes.data ?? []).map(({ id, email }) => ({ value: id, label: email }));
}

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
      lead="Rules sort new mail as it comes, from the first to the last, and the mail server follows. No rule sends mail."
      actions={
        <ButtonLink kind="primary" icon="plus" href="#/rules/new">
          New rule
        </ButtonLink>
      }
    >
      <Card>
        <Await of={rules} lines={4}>
          {(list) =>
            list.length === 0 ? (
              <Empty icon="rules" title="There is no rule yet">
                <p>A rule can label, sort, archive or star. You see what it would do before it does anything.</p>
                <ButtonLink kind="primary" href="#/rules/new">
                  Make the first rule
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
          label={`Apply the rule “${when}” to old mail`}
          title="Apply the rule to the mail that is here?"
          text={
            <p>
              It goes through all mail, newest first, and does what it says: {does}. The mail server follows. Nothing is
              deleted for good and nothing is sent; each change is in the audit log.
            </p>
          }
          action="Apply it"
          act={async () => {
            await v1("POST", `${path}/apply`, { body: {} });
            setApplying(true);
          }}
        >
          Apply to old mail
        </ConfirmButton>
        <RemoveRule rule={rule} words={when} reload={reload} />
      </div>
    </li>
  );
}

export function RemoveRule({ rule, words, reload }: { rule: RuleItem; words: string; reload(): Promise<void> }) {
  return (
    <ConfirmButton
      small
      kind="danger"
      label={`Delete the rule “${words}”`}
      title="Delete this rule?"
      text={<p>New mail is no longer treated by it. What it has done so far stays as it is.</p>}
      action="Delete the rule"
      act={async () => {
        await v1("DELETE", `/rules/${encodeURIComponent(rule.id)}`);
        await reload();
        showToast("The rule is deleted.");
      }}
    >
      Delete
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
      {state === "running" && <ProgressBar label="Applying the rule" done={done} total={total} />}
      <p class="hint">
        {state === "running" ? `${count(done)} of ${counted(total, "message")}` : "Done"}: {count(changed)} changed
      </p>
    </div>
  );
}
