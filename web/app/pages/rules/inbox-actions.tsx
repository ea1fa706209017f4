import { Button } from "../../parts/button.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { type Action, type ActionType, CATEGORIES, INBOX_ACTIONS, needOf } from "./labels.ts";

interface InboxActionsProps {
  actions: readonly Action[];
  onChange(actions: Action[]): void;
}

export function InboxActions({ actions, onChange }: InboxActionsProps) {
  const put = (i: number, action: Action) => onChange(actions.map((one, k) => (k === i ? action : one)));
  return (
    <div class="stack">
      {actions.map((action, i) => (
        <fieldset key={i} class="line two">
          <legend class="visually-hidden">Action {i + 1}</legend>
          <Select
            label="Action"
            value={action.type}
            options={INBOX_ACTIONS}
            onChange={(type) => put(i, { type: type as ActionType, value: firstValue(type as ActionType) })}
          />
          {needOf(action.type) === "label" && (
            <TextField
              label="Label"
              autocomplete="off"
              value={action.value}
              onInput={(value) => put(i, { ...action, value })}
            />
          )}
          {needOf(action.type) === "category" && (
            <Select
              label="Category"
              value={action.value}
              options={CATEGORIES}
              onChange={(value) => put(i, { ...action, value })}
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
      ))}
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
