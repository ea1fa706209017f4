import { Button } from "../../parts/button.tsx";
import { type Option, Select, TextField } from "../../parts/field.tsx";
import { type Condition, choicesOf, FIELD_OPTIONS, type Field, type Op, opsOf } from "./labels.ts";

interface ConditionsProps {
  conditions: readonly Condition[];
  mailboxes: readonly Option[];
  onChange(conditions: Condition[]): void;
}

const MAX_CONDITIONS = 20;

export function Conditions({ conditions, mailboxes, onChange }: ConditionsProps) {
  const put = (i: number, condition: Condition) => onChange(conditions.map((one, k) => (k === i ? condition : one)));
  return (
    <div class="stack">
      {conditions.map((condition, i) => (
        <fieldset key={i} class="line">
          <legend class="visually-hidden">Condition {i + 1}</legend>
          <ConditionFields condition={condition} mailboxes={mailboxes} onChange={(next) => put(i, next)} />
          {conditions.length > 1 && (
            <Button
              small
              kind="quiet"
              icon="cross"
              label={`Remove condition ${i + 1}`}
              onClick={() => onChange(conditions.filter((_, k) => k !== i))}
            >
              {""}
            </Button>
          )}
        </fieldset>
      ))}
      {conditions.length < MAX_CONDITIONS && (
        <div class="actions">
          <Button
            small
            icon="plus"
            onClick={() => onChange([...conditions, { field: "subject", op: "contains", value: "" }])}
          >
            Add condition
          </Button>
        </div>
      )}
    </div>
  );
}

interface FieldsProps {
  condition: Condition;
  mailboxes: readonly Option[];
  onChange(condition: Condition): void;
}

function ConditionFields({ condition, mailboxes, onChange }: FieldsProps) {
  const { field, op, value } = condition;
  const ops = opsOf(field);
  const choices = choicesOf(field, mailboxes);
  function changeField(next: Field) {
    const allowed = opsOf(next);
    const kept = allowed.some((one) => one.value === op) ? op : (allowed[0]!.value as Op);
    onChange({ field: next, op: kept, value: choicesOf(next, mailboxes)?.[0]?.value ?? (choices ? "" : value) });
  }
  return (
    <>
      <Select label="Field" value={field} options={FIELD_OPTIONS} onChange={(next) => changeField(next as Field)} />
      <Select
        label="Operator"
        value={op}
        options={ops}
        onChange={(next) => onChange({ ...condition, op: next as Op })}
      />
      {op === "exists" ? (
        <Select
          label="Value"
          value={value === "false" ? "false" : "true"}
          options={[
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      ) : choices ? (
        <Select
          label="Value"
          value={value}
          options={choices}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      ) : (
        <TextField
          label="Value"
          autocomplete="off"
          value={value}
          onInput={(next) => onChange({ ...condition, value: next })}
        />
      )}
    </>
  );
}
