import { Button } from "../../parts/button.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { partFaults, type RuleFaults } from "./faults.ts";
import { type Action, type ActionType, CATEGORIES, INBOX_ACTIONS, needOf } from "./labels.ts";

interface InboxActionsProps {
  actions: readonly Action[];
  faults: RuleFaults;
  onChange(actions: Action[]): void;
}

export function InboxActions({ actions, faults, onChange }: InboxActionsProps) {
  const put = (i: number, action: Action) => onChange(actions.map((one, k) => (k === i ? action : one)));
  return (
    <div class="stack">
      {actions.map((action, i) => {
        const { type, value } = partFaults(faults, `actions[${i}]`);
        return (
          <fieldset key={i} class="line two">
            <legend class="visually-hidden">Action {i + 1}</legend>
            <Select
              label="Action"
              value={action.type}
              options={INBOX_ACTIONS}
              fault={type}
              onChange={(next) => put(i, { type: next as ActionType, value: firstValue(next as ActionType) })}
            />
            {needOf(action.type) === "label" && (
              <TextField
                label="Label"
                autocomplete="off"
                value={action.value}
                fault={value}
                onInput={(next) => put(i, { ...action, value: next })}
              />
            )}
            {needOf(action.type) === "category" && (
              <Select
                label="Category"
                value={action.value}
                options={CATEGORIES}
                fault={value}
                onChange={(next) => put(i, { ...action, value: next })}
              />
            )}
            {actions.length > 1 && (
              <Button
                small
                kind="quiet"
                icon="cross"
                label={`Remove action ${i + 1}`}
                onClick={() => onChange(actions.filter((_, k) => k !== i))}
              >
                {""}
              </Button>
            )}
          </fieldset>
        );
      })}
      <div class="actions">
        <Button small icon="plus" onClick={() => onChange([...actions, { type: "markRead", value: "" }])}>
          Add action
        </Button>
      </div>
    </div>
  );
}

function firstValue(type: ActionType): string {
  return needOf(type) === "category" ? "updates" : "";
}
