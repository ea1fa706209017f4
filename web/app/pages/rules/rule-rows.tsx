import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { RuleItem } from "../../../../src/features/rules/model.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Switch } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import type { RuleList } from "./rule-list.ts";

/** The texts and controls of one row. */
export interface RuleRow {
  /** The name, or a sentence. Also names the rule in the labels of its buttons. */
  title: string;
  badge?: ComponentChildren;
  hint?: ComponentChildren;
  /** Further buttons. */
  actions?: ComponentChildren;
  below?: ComponentChildren;
}

interface RowsProps {
  list: RuleList;
  rules: readonly RuleItem[];
  row(rule: RuleItem): RuleRow;
}

type Step = -1 | 1;

/** Rules in the order in which they run, with a switch and buttons to move, edit and delete each. */
export function RuleRows({ list, rules, row }: RowsProps) {
  const rows = useRef<HTMLOListElement>(null);
  const [moved, setMoved] = useState<{ id: string; by: Step; text: string } | null>(null);
  // A row that moves in the document loses the focus.
  useEffect(() => {
    if (moved) rows.current?.querySelector<HTMLElement>(`[data-move="${moved.id} ${moved.by}"]`)?.focus();
  }, [moved]);
  return (
    <>
      <ol class="rows" ref={rows}>
        {rules.map((rule, i) => {
          const { title, badge, hint, actions, below } = row(rule);
          const move = (by: Step) => {
            const position = list.move(rule, by);
            setMoved({ id: rule.id, by, text: `${title}: now ${position} of ${rules.length}.` });
          };
          return (
            <li key={rule.id} class={rule.enabled ? "row rule" : "row rule past"}>
              <div class="rule-order">
                <MoveButton rule={rule} by={-1} title={title} last={i === 0} onMove={move} />
                <MoveButton rule={rule} by={1} title={title} last={i === rules.length - 1} onMove={move} />
              </div>
              <div class="row-main">
                <p class="row-title">
                  {title} {badge}
                </p>
                {hint && <p class="hint">{hint}</p>}
                {below}
              </div>
              <div class="row-actions">
                <Switch
                  label={`Active: ${title}`}
                  checked={rule.enabled}
                  onChange={(enabled) => void list.setEnabled(rule, enabled)}
                >
                  {rule.enabled ? "On" : "Paused"}
                </Switch>
                <ButtonLink small label={`Edit: ${title}`} href={editorHref(rule)}>
                  Edit
                </ButtonLink>
                {actions}
                <DeleteRule rule={rule} title={title} onDelete={() => list.remove(rule)} />
              </div>
            </li>
          );
        })}
      </ol>
      <p class="visually-hidden" role="status">
        {moved?.text}
      </p>
    </>
  );
}

function editorHref({ id, kind }: RuleItem): string {
  return `#/${kind === "agent" ? "agent" : "rules"}/${encodeURIComponent(id)}`;
}

interface MoveProps {
  rule: RuleItem;
  by: Step;
  title: string;
  /** Whether the rule cannot move further. The button keeps the focus then. */
  last: boolean;
  onMove(by: Step): void;
}

function MoveButton({ rule, by, title, last, onMove }: MoveProps) {
  return (
    <button
      type="button"
      class="rule-move"
      data-move={`${rule.id} ${by}`}
      aria-label={`${by < 0 ? "Move up" : "Move down"}: ${title}`}
      aria-disabled={last || undefined}
      onClick={last ? undefined : () => onMove(by)}
    >
      <Icon name={by < 0 ? "up" : "down"} size={16} />
    </button>
  );
}

interface DeleteProps {
  rule: RuleItem;
  title: string;
  onDelete(): Promise<void>;
}

function DeleteRule({ rule, title, onDelete }: DeleteProps) {
  const agent = rule.kind === "agent";
  return (
    <ConfirmButton
      small
      kind="danger"
      label={`Delete: ${title}`}
      title={agent ? "Delete this entry?" : "Delete this rule?"}
      text={
        <>
          <p>
            <strong>{title}</strong>
          </p>
          <p>
            {agent
              ? "The agent then ignores new mail from these senders, unless another entry covers them."
              : "The rule no longer applies to new mail."}{" "}
            Changes that it has already made are kept. To stop it for a while, turn it off instead.
          </p>
        </>
      }
      action={agent ? "Delete entry" : "Delete rule"}
      act={onDelete}
    >
      Delete
    </ConfirmButton>
  );
}
