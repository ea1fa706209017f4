import { Checkbox, Choice } from "../../parts/field.tsx";
import { type Action, MODES, PERMISSIONS } from "./labels.ts";

/** Permissions of the agent for mail from some senders. An empty `only` allows everything that the mode includes. */
export interface AgentGrant {
  mode: string;
  only: string[];
}

/** Returns the actions of a rule that give an agent this mode and these permissions. */
export function grantActions({ mode, only }: AgentGrant): Action[] {
  const narrowed = mode === "autopilot" || mode === "draft" ? only : [];
  return [{ type: "setMode", value: mode }, ...narrowed.map((value): Action => ({ type: "allow", value }))];
}

/** Returns the mode and the permissions of a rule. */
export function grantOf(actions: readonly Action[]): AgentGrant {
  return {
    mode: actions.find(({ type }) => type === "setMode")?.value ?? "off",
    only: actions.filter(({ type }) => type === "allow").map(({ value }) => value),
  };
}

export function AgentActions({ grant, onChange }: { grant: AgentGrant; onChange(grant: AgentGrant): void }) {
  const options = MODES.map(({ value, label, text }) => ({ value, title: label, text }));
  const offered = grant.mode === "autopilot" ? PERMISSIONS : [];
  return (
    <div class="stack">
      <Choice
        legend="Agent mode"
        name="agent-mode"
        value={grant.mode}
        options={options}
        onChange={(mode) => onChange({ mode, only: [] })}
      />
      {offered.length > 0 && (
        <fieldset class="group">
          <legend>Limit to</legend>
          <p class="hint">
            Select the allowed actions. The agent only suggests the others. If you select none, all actions are allowed.
          </p>
          <div class="columns">
            {offered.map(({ value, label }) => (
              <Checkbox
                key={value}
                label={label}
                checked={grant.only.includes(value)}
                onChange={(on) =>
                  onChange({ ...grant, only: on ? [...grant.only, value] : grant.only.filter((one) => one !== value) })
                }
              />
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}
