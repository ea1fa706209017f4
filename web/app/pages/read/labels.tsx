import { useState } from "preact/hooks";
import type { Thread } from "../../../../src/features/threads/model.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, TextField } from "../../parts/field.tsx";
import { changeLabels } from "./actions.ts";
import { useLabels } from "./use-labels.ts";

const MAX_CHARS = 200;

/** Adds and removes labels of a thread. */
export function LabelsDialog({ thread, onClose }: { thread: Thread; onClose(): void }) {
  const known = useLabels(thread.labels);
  const [chosen, setChosen] = useState<readonly string[]>(thread.labels);
  const [typed, setTyped] = useState("");
  const [fault, setFault] = useState<string>();
  const options = [...new Set([...known, ...chosen])].sort((a, b) => a.localeCompare(b));
  const set = (label: string, on: boolean) =>
    setChosen(on ? [...chosen, label] : chosen.filter((other) => other !== label));
  /** @returns the labels with the typed one; null if it is not valid */
  const withTyped = (): readonly string[] | null => {
    const label = typed.trim();
    if (label === "") return chosen;
    if (label.length > MAX_CHARS) {
      setFault(`Labels can have at most ${MAX_CHARS} characters.`);
      return null;
    }
    return chosen.includes(label) ? chosen : [...chosen, label];
  };
  const save = () => {
    const labels = withTyped();
    if (!labels) return;
    const add = labels.filter((label) => !thread.labels.includes(label));
    const remove = thread.labels.filter((label) => !labels.includes(label));
    onClose();
    if (add.length + remove.length > 0) void changeLabels(thread, add, remove);
  };
  return (
    <Dialog title="Labels" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {options.length > 0 && (
          <fieldset>
            <legend class="visually-hidden">Labels of this thread</legend>
            <div class="label-options">
              {options.map((label) => (
                <Checkbox
                  key={label}
                  label={label}
                  checked={chosen.includes(label)}
                  onChange={(on) => set(label, on)}
                />
              ))}
            </div>
          </fieldset>
        )}
        <div class="with-button">
          <TextField
            label="New label"
            autocomplete="off"
            value={typed}
            onInput={(value) => {
              setTyped(value);
              setFault(undefined);
            }}
            fault={fault}
          />
          <Button
            onClick={() => {
              const labels = withTyped();
              if (!labels) return;
              setChosen(labels);
              setTyped("");
            }}
          >
            Add
          </Button>
        </div>
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary">
            Save labels
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
