import { useState } from "preact/hooks";
import type { RuleItem, RulePreview } from "../../../../src/features/rules/model.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Card, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { navigate } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { AgentActions, type AgentGrant, grantActions } from "./agent-actions.tsx";
import { Conditions } from "./conditions.tsx";
import { InboxActions } from "./inbox-actions.tsx";
import { type Action, type Condition, needOf } from "./labels.ts";
import { Preview } from "./preview.tsx";
import { useMailboxOptions } from "./rules.tsx";

/** Creates a rule. A preview on the mail of the last 30 days is required before saving. */
export function RuleEditor({ kind }: { kind: RuleItem["kind"] }) {
  const mailboxes = useMailboxOptions();
  const [conditions, setConditions] = useState<Condition[]>([{ field: "from", op: "contains", value: "" }]);
  const [actions, setActions] = useState<Action[]>([{ type: "addLabel", value: "" }]);
  const [grant, setGrant] = useState<AgentGrant>({ mode: "suggest", only: [] });
  const [preview, setPreview] = useState<RulePreview | null>(null);
  const [busy, setBusy] = useState<"preview" | "save" | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const agent = kind === "agent";
  const home = agent ? "#/agent" : "#/rules";
  const rule = { kind, conditions, actions: agent ? grantActions(grant) : actions };
  const missing = missingText(conditions, agent ? [] : actions);

  const run = async (what: "preview" | "save", work: () => Promise<void>) => {
    setBusy(what);
    setFault(null);
    try {
      await work();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(null);
    }
  };
  const show = () =>
    run("preview", async () =>
      setPreview(await v1<RulePreview>("POST", "/rules/preview", { body: { ...rule, days: 30 } })),
    );
  const save = () =>
    run("save", async () => {
      await v1("POST", "/rules", { body: rule });
      showToast("Rule saved. It applies to new mail.");
      navigate(home);
    });
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setPreview(null);
    };
  return (
    <Page
      title={agent ? "Allow sender" : "New rule"}
      back={{ href: home, label: agent ? "Agent" : "Rules" }}
      lead={agent ? "Choose the senders and what the agent may do with their mail." : undefined}
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && !busy) void show();
        }}
      >
        <Card title="Conditions" text="All conditions must match.">
          <Conditions conditions={conditions} mailboxes={mailboxes} onChange={changed(setConditions)} />
        </Card>
        <Card title="Actions">
          {agent ? (
            <AgentActions grant={grant} onChange={changed(setGrant)} />
          ) : (
            <InboxActions actions={actions} onChange={changed(setActions)} />
          )}
        </Card>
        <FaultNotice error={fault} />
        {preview && <Preview preview={preview} />}
        <div class="actions end sticky">
          {missing && <p class="hint">{missing}</p>}
          <Button type="submit" kind={preview ? "plain" : "primary"} busy={busy === "preview"} disabled={!!missing}>
            Preview rule
          </Button>
          <Button
            kind={preview ? "primary" : "plain"}
            busy={busy === "save"}
            disabled={!!missing || !preview}
            onClick={save}
          >
            Save rule
          </Button>
        </div>
        {agent && (
          <Notice tone="quiet">
            <p>The agent never sends mail. Its log shows the reason for every action and lets you undo changes.</p>
          </Notice>
        )}
      </form>
    </Page>
  );
}

/** Returns what the form still needs, or null. */
function missingText(conditions: readonly Condition[], actions: readonly Action[]): string | null {
  if (conditions.some(({ op, value }) => op !== "exists" && !value.trim())) return "Enter a value for each condition.";
  if (actions.some(({ type, value }) => needOf(type) && !value.trim())) return "Enter a label for each label action.";
  return null;
}
