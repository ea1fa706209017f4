import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox } from "../../parts/field.tsx";
import { readPreference, writePreference } from "../../state/preferences.ts";
import { actOnNewestToast } from "../../state/toasts.ts";

/** What the keys do: the key as the browser reports it, and the action. */
export type Keys = Partial<Record<string, () => void>>;

/** Keys and what they do, for the dialog. */
const LIST: readonly [keys: string[], text: string][] = [
  [["j"], "Next thread"],
  [["k"], "Previous thread"],
  [["o", "Enter"], "Open the thread"],
  [["u"], "Back to the list"],
  [["e"], "Archive"],
  [["s"], "Star, or remove the star"],
  [["#"], "Move to trash"],
  [["z"], "Undo the last change"],
  [["/"], "Search"],
  [["?"], "Show this list"],
];

/** Single letters disturb people who dictate, so they can be turned off (WCAG 2.1.4). */
const enabled = signal(readPreference("shortcuts") !== "0");
const helpOpen = signal(false);

/** Runs actions by keys, while no text is being typed and no dialog is open. Undo and the list of keys are included. */
export function useShortcuts(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event;
      if (event.defaultPrevented || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (document.querySelector("dialog[open]")) return;
      if (key !== "?" && !enabled.value) return;
      const common: Keys = { "?": openHelp, z: () => void actOnNewestToast() };
      const act = latest.current[key] ?? common[key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null;
}

function openHelp(): void {
  helpOpen.value = true;
}

/** A button for the list of keys, which `?` opens as well. */
export function ShortcutHelp() {
  return (
    <>
      <span class="keys-help">
        <Button kind="quiet" small icon="keyboard" onClick={openHelp}>
          Shortcuts
        </Button>
      </span>
      {helpOpen.value && <HelpDialog onClose={() => (helpOpen.value = false)} />}
    </>
  );
}

function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="stack">
        <dl class="shortcuts">
          {LIST.map(([keys, text]) => (
            <div key={text} class="shortcut">
              <dt>
                {keys.map((key, i) => (
                  <span key={key}>
                    {i > 0 && " or "}
                    <kbd>{key}</kbd>
                  </span>
                ))}
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
        <Checkbox
          label="Use these keys"
          hint="They never apply while you type."
          checked={enabled.value}
          onChange={(on) => {
            enabled.value = on;
            writePreference("shortcuts", on ? null : "0");
          }}
        />
      </div>
    </Dialog>
  );
}
