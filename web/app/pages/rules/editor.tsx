import { useState } from "preact/hooks";
import type { RuleItem, RulePreview } from "../../../../src/features/rules/model.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Card, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { go } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { AgentActions, type AgentGrant, grantActions } from "./agent-actions.tsx";
import { Conditions } from "./conditions.tsx";
import { InboxActions } from "./inbox-actions.tsx";
import { type Action, type Condition, needOf } from "./labels.ts";
import { Preview } from "./preview.tsx";
import { useMailboxOptions } from "./rules.tsx";

/** A new rule: when, then, and what that means for the mail of the last weeks, before anything is stored. */
export function RuleEditor({ kind }: { kind: RuleItem["kind"] }) {
  const mailboxes = useMailboxOptions();
  const [conditions, setConditions] = useState<Condition[]>([{ field: "from", op: "contains", value: "" }]);
  const [actions, setActions] = useState<Action[]>([{ type: "addLabel", value: "" }]);
  const [grant, setGrant] = useState<AgentGrant>({ mode: "suggest", only: [] });
  const [preview, setPreview] = useState<RulePreview | null>(null);
  const [busy, setBusy] = useState<"preview" | "store" | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const agent = kind === "agent";
  const home = agent ? "#/agent" : "#/rules";
  const rule = { kind, conditions, actions: agent ? grantActions(grant) : actions };
  const missing = missingText(conditions, agent ? [] : actions);

  const run = async (what: "preview" | "store", work: () => Promise<void>) => {
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
  const store = () =>
    run("store", async () => {
      await v1("POST", "/rules", { body: rule });
      showToast("The rule is stored. It works on mail that comes from now on.");
      go(home);
    });
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setPreview(null);
    };
  return (
    <Page
      title={agent ? "Allow the agent" : "New rule"}
      back={{ href: home, label: agent ? "Agent" : "Rules" }}
      lead={agent ? "Choose the senders, and what the agent may do with their mail." : undefined}
    >
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!missing && !busy) void show();
        }}
      >
        <Card title="When" text="All of these must hold.">
          <Conditions conditions={conditions} mailboxes={mailboxes} onChange={changed(setConditions)} />
        </Card>
        <Card title="Then">
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
            Show what it would do
          </Button>
          <Button
            kind={preview ? "primary" : "plain"}
            busy={busy === "store"}
            disabled={!!missing || !preview}
            onClick={store}
          >
            Store the rule
          </Button>
        </div>
        {agent && (
          <Notice tone="quiet">
            <p>The agent never sends mail. Every action is in its log with the reason, and can be undone there.</p>
          </Notice>
        )}
      </form>
    </Page>
  );
}

/** What still has to be filled in. */
function missingText(conditions: readonly Condition[], actions: readonly Action[]): string | null {
  if (conditions.some(({ op, value }) => op !== "exists" && !value.trim())) return "A condition has no value yet.";
  if (actions.some(({ type, value }) => needOf(type) && !value.trim())) return "An action has no label yet.";
  return null;
}
