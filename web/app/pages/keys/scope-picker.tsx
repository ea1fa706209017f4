import { useId } from "preact/hooks";
import type { ScopeGroup } from "../../api/members.ts";
import { Badge } from "../../parts/layout.tsx";
import { isAlone } from "../../state/session.ts";

/** Descriptions of permissions for the tool server, where they differ from those for the API. */
const FOR_ASSISTANTS: Partial<Record<string, string>> = {
  send_mail: "Prepare messages on your behalf and send them after you confirm them.",
};

interface ScopePickerProps {
  groups: readonly ScopeGroup[];
  chosen: readonly string[];
  fault?: string;
  onChange(scopes: string[]): void;
  /** Whether the key works only with the tool server. */
  toolsOnly?: boolean;
}

/** Picks scopes by group, or one by one under “Individual scopes”. */
export function ScopePicker({ groups, chosen, fault, onChange, toolsOnly }: ScopePickerProps) {
  const id = useId();
  const set = (scopes: readonly string[], on: boolean) => {
    const others = chosen.filter((scope) => !scopes.includes(scope));
    onChange(on ? [...others, ...scopes] : others);
  };
  return (
    <fieldset
      class="choice"
      aria-describedby={fault ? `${id}-fault` : undefined}
      aria-invalid={fault ? true : undefined}
    >
      <legend>Permissions</legend>
      <div class="choices">
        {groups.map((group) => {
          const held = group.scopes.filter((scope) => chosen.includes(scope)).length;
          return (
            <div key={group.name} class="option-box">
              <label class="option">
                <input
                  type="checkbox"
                  checked={held === group.scopes.length}
                  disabled={!group.available}
                  ref={(input) => {
                    if (input) input.indeterminate = held > 0 && held < group.scopes.length;
                  }}
                  onChange={(event) => set(group.scopes, event.currentTarget.checked)}
                />
                <span class="option-text">
                  <span class="option-title">
                    {group.title} {group.danger && <Badge tone="warn">Acts on your behalf</Badge>}{" "}
                    {!group.available && (
                      <Badge>{isAlone() ? "Not within the standard limits" : "Not in your plan"}</Badge>
                    )}
                  </span>
                  <span class="hint">{(toolsOnly && FOR_ASSISTANTS[group.name]) || group.description}</span>
                </span>
              </label>
              {group.scopes.length > 1 && group.available && (
                <details class="single-scopes">
                  <summary>
                    Individual scopes: {held} of {group.scopes.length}
                  </summary>
                  {group.scopes.map((scope) => (
                    <label key={scope} class="scope">
                      <input
                        type="checkbox"
                        checked={chosen.includes(scope)}
                        onChange={(event) => set([scope], event.currentTarget.checked)}
                      />
                      <code>{scope}</code>
                    </label>
                  ))}
                </details>
              )}
            </div>
          );
        })}
      </div>
      {fault && (
        <p class="fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
