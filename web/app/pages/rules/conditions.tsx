import { Button } from "../../parts/button.tsx";
import { type Option, Select, TextField } from "../../parts/field.tsx";
import { partFaults, type RuleFaults } from "./faults.ts";
import { type Condition, choicesOf, FIELD_OPTIONS, type Field, type Op, opsOf } from "./labels.ts";

interface ConditionsProps {
  conditions: readonly Condition[];
  mailboxes: readonly Option[];
  faults: RuleFaults;
  onChange(conditions: Condition[]): void;
}

export const MAX_CONDITIONS = 20;

export function Conditions({ conditions, mailboxes, faults, onChange }: ConditionsProps) {
  const put = (i: number, condition: Condition) => onChange(conditions.map((one, k) => (k === i ? condition : one)));
  return (
    <div class="stack">
      {conditions.map((condition, i) => (
        <fieldset key={i} class="line">
          <legend class="visually-hidden">Condition {i + 1}</legend>
          <ConditionFields
            condition={condition}
            mailboxes={mailboxes}
            faults={partFaults(faults, `conditions[${i}]`)}
            onChange={(next) => put(i, next)}
          />
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
  /** By the name of the field: "value". */
  faults: RuleFaults;
  onChange(condition: Condition): void;
}

function ConditionFields({ condition, mailboxes, faults, onChange }: FieldsProps) {
  const { field, op, value } = condition;
  const ops = opsOf(field);
  const choices = withValue(choicesOf(field, mailboxes), value);
  function changeField(next: Field) {
    const allowed = opsOf(next);
    const kept = allowed.some((one) => one.value === op) ? op : (allowed[0]!.value as Op);
    const text = choices ? "" : valueFor(kept, condition);
    onChange({ field: next, op: kept, value: choicesOf(next, mailboxes)?.[0]?.value ?? text });
  }
  return (
    <>
      <Select
        label="Field"
        value={field}
        options={FIELD_OPTIONS}
        fault={faults.field}
        onChange={(next) => changeField(next as Field)}
      />
      <Select
        label="Operator"
        value={op}
        options={ops}
        fault={faults.op}
        onChange={(next) => onChange({ ...condition, op: next as Op, value: valueFor(next as Op, condition) })}
      />
      {op === "exists" ? (
        <Select
          label="Value"
          value={value === "false" ? "false" : "true"}
          options={[
            { value: "true", label: "Yes" },
            { value: "false", label: "No" },
          ]}
          fault={faults.value}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      ) : choices ? (
        <Select
          label="Value"
          value={value}
          options={choices}
          fault={faults.value}
          onChange={(next) => onChange({ ...condition, value: next })}
        />
      ) : (
        <TextField
          label="Value"
          autocomplete="off"
          value={value}
          fault={faults.value}
          onInput={(next) => onChange({ ...condition, value: next })}
        />
      )}
    </>
  );
}

/** Keeps a value that is not offered any more, such as a mailbox that was removed. */
function withValue(choices: readonly Option[] | null, value: string): readonly Option[] | null {
  if (!choices || value === "" || choices.some((choice) => choice.value === value)) return choices;
  return [...choices, { value, label: "Unknown mailbox" }];
}

/** `exists` takes "true" or "false" instead of a text. */
function valueFor(op: Op, { op: before, value }: Condition): string {
  if (op === "exists") return before === "exists" ? value : "true";
  return before === "exists" ? "" : value;
}
