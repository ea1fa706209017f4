import { useRef, useState } from "preact/hooks";
import type { RuleItem } from "../../../../src/features/rules/model.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { type Option, TextField } from "../../parts/field.tsx";
import { Await, Card, Empty, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { useLoad } from "../../state/load.ts";
import { navigate } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { AgentActions, type AgentGrant, grantActions, grantOf } from "./agent-actions.tsx";
import { Conditions, MAX_CONDITIONS } from "./conditions.tsx";
import { missingValues, type RuleFaults, splitFault } from "./faults.ts";
import { InboxActions } from "./inbox-actions.tsx";
import type { Action, Condition } from "./labels.ts";
import { Preview } from "./preview.tsx";
import { useMailboxOptions } from "./rules.tsx";
import { usePreview } from "./use-preview.ts";

type Kind = RuleItem["kind"];

const TEXTS: Record<Kind, { home: string; back: string; create: string; edit: string; lead?: string }> = {
  inbox: { home: "#/rules", back: "Rules", create: "New rule", edit: "Edit rule" },
  agent: {
    home: "#/agent",
    back: "Agent",
    create: "Allow sender",
    edit: "Edit permissions",
    lead: "Choose the senders and what the agent may do with their mail.",
  },
};

/** Creates a rule, or edits the one with this id. */
export function RuleEditor({ kind, id }: { kind: Kind; id?: string }) {
  const { home, back, create, edit, lead } = TEXTS[kind];
  return (
    <Page title={id ? edit : create} back={{ href: home, label: back }} lead={lead}>
      {id ? <StoredRule kind={kind} id={id} /> : <RuleForm kind={kind} rule={null} />}
    </Page>
  );
}

function StoredRule({ kind, id }: { kind: Kind; id: string }) {
  const rules = useLoad("rules", async () => (await v1<{ data: RuleItem[] }>("GET", "/rules")).data);
  return (
    <Await of={rules} lines={6}>
      {(list) => {
        const rule = list.find((one) => one.id === id && one.kind === kind);
        if (rule) return <RuleForm kind={kind} rule={rule} />;
        return (
          <Empty icon={kind === "agent" ? "agent" : "rules"} title="This rule does not exist">
            <a href={TEXTS[kind].home}>Go to the list</a>
          </Empty>
        );
      }}
    </Await>
  );
}

interface Draft {
  name: string;
  conditions: Condition[];
  actions: Action[];
  grant: AgentGrant;
}

function draftOf(rule: RuleItem | null): Draft {
  return {
    name: rule?.name ?? "",
    conditions: rule?.conditions ?? [{ field: "from", op: "contains", value: "" }],
    actions: rule?.actions ?? [{ type: "addLabel", value: "" }],
    grant: rule ? grantOf(rule.actions) : { mode: "suggest", only: [] },
  };
}

const NO_FAULTS: { faults: RuleFaults; rest: unknown } = { faults: {}, rest: null };

/** @param rule the rule to edit; null for a new one */
function RuleForm({ kind, rule }: { kind: Kind; rule: RuleItem | null }) {
  const mailboxes = useMailboxOptions();
  const agent = kind === "agent";
  const [draft, setDraft] = useState(() => draftOf(rule));
  const [saved, setSaved] = useState<{ busy: boolean; error: unknown }>({ busy: false, error: null });
  /** Missing values are errors only after the first attempt to save. */
  const [tried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);

  const { conditions } = draft;
  const actions = agent ? grantActions(draft.grant) : draft.actions;
  const missing = missingValues(conditions, agent ? [] : actions);
  const incomplete = Object.keys(missing).length > 0;
  const previewed = incomplete
    ? null
    : { kind, conditions: [...conditions, ...boundTo(rule)].slice(0, MAX_CONDITIONS), actions, days: 30, examples: 5 };
  const preview = usePreview(previewed);
  const previewFault = preview.error ? splitFault(preview.error) : NO_FAULTS;
  const saveFault = saved.error ? splitFault(saved.error) : NO_FAULTS;
  const faults = { ...(tried ? missing : {}), ...previewFault.faults, ...saveFault.faults };

  function change(part: Partial<Draft>) {
    setDraft((before) => ({ ...before, ...part }));
    setSaved({ busy: false, error: null });
  }
  async function save() {
    if (saved.busy) return;
    setTried(true);
    if (incomplete) return focusFirstFault(form.current);
    setSaved({ busy: true, error: null });
    try {
      const name = draft.name.trim() || null;
      if (rule)
        await v1("PATCH", `/rules/${encodeURIComponent(rule.id)}`, { body: changesOf(rule, draft, name, actions) });
      else await v1("POST", "/rules", { body: { kind, name, conditions, actions } });
      showToast(rule && !rule.enabled ? "Saved. It is still paused." : "Saved. It applies to new mail.");
      navigate(TEXTS[kind].home);
    } catch (error) {
      setSaved({ busy: false, error });
      focusFirstFault(form.current);
    }
  }

  return (
    <form
      ref={form}
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <BoundNotice rule={rule} mailboxes={mailboxes} />
      <Card>
        <TextField
          label="Name"
          hint={
            agent
              ? "Optional. The list shows it above the senders."
              : "Optional. The list shows it above the conditions."
          }
          autocomplete="off"
          value={draft.name}
          fault={faults.name}
          onInput={(name) => change({ name })}
        />
      </Card>
      <Card title={agent ? "Senders" : "Conditions"} text="All conditions must match.">
        <Conditions
          conditions={conditions}
          mailboxes={mailboxes}
          faults={faults}
          onChange={(next) => change({ conditions: next })}
        />
      </Card>
      <Card title={agent ? "Permissions" : "Actions"}>
        {agent ? (
          <AgentActions grant={draft.grant} onChange={(grant) => change({ grant })} />
        ) : (
          <InboxActions actions={draft.actions} faults={faults} onChange={(next) => change({ actions: next })} />
        )}
      </Card>
      <Preview kind={kind} state={preview} error={previewFault.rest} incomplete={incomplete} />
      <FaultNotice error={saveFault.rest} />
      <div class="actions end">
        <Button type="submit" kind="primary" busy={saved.busy}>
          {agent ? "Save permissions" : "Save rule"}
        </Button>
      </div>
      {agent && (
        <Notice tone="quiet">
          <p>The agent never sends mail. Its log shows the reason for every action and lets you undo changes.</p>
        </Notice>
      )}
    </form>
  );
}

/** Returns the parts of a rule that the form changed. The others may have values that the form does not offer. */
function changesOf(rule: RuleItem, draft: Draft, name: string | null, actions: Action[]) {
  const before = draftOf(rule);
  const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
  return {
    ...(name === rule.name ? {} : { name }),
    ...(same(draft.conditions, before.conditions) ? {} : { conditions: draft.conditions }),
    ...(same([draft.actions, draft.grant], [before.actions, before.grant]) ? {} : { actions }),
  };
}

/** Returns the condition that limits the preview to the only mailbox of a rule. */
function boundTo(rule: RuleItem | null): Condition[] {
  return rule?.account_id ? [{ field: "account_id", op: "equals", value: rule.account_id }] : [];
}

function BoundNotice({ rule, mailboxes }: { rule: RuleItem | null; mailboxes: readonly Option[] }) {
  if (!rule?.account_id) return null;
  const email = mailboxes.find(({ value }) => value === rule.account_id)?.label ?? "one mailbox";
  return (
    <Notice tone="quiet">
      <p>
        This rule applies only to mail in <strong>{email}</strong>, because it was created with a key for that mailbox.
      </p>
    </Notice>
  );
}

/** Waits for the next frame, when the errors are rendered. */
function focusFirstFault(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
