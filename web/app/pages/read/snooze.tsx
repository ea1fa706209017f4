import { useState } from "preact/hooks";
import type { Thread } from "../../../../src/features/threads/model.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { whenText } from "../../parts/time.tsx";
import { snooze } from "./actions.ts";
import { localInput, snoozeTimes } from "./snooze-times.ts";

interface SnoozeProps {
  thread: Thread;
  onClose(): void;
  /** The thread is snoozed. */
  onDone(): void;
}

/** Asks until when a thread is hidden. */
export function SnoozeDialog({ thread, onClose, onDone }: SnoozeProps) {
  const [now] = useState(() => new Date());
  const times = snoozeTimes(now);
  const [picked, setPicked] = useState(localInput(times.find(({ label }) => label === "Tomorrow")!.at));
  const [fault, setFault] = useState<string>();
  const until = async (at: Date) => {
    onClose();
    if (await snooze(thread, at, whenText(at))) onDone();
  };
  return (
    <Dialog title="Snooze until" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          const at = new Date(picked);
          if (Number.isNaN(at.getTime())) setFault("Enter a date and a time.");
          else if (at.getTime() <= Date.now()) setFault("Enter a time in the future.");
          else void until(at);
        }}
      >
        <p class="hint">The thread returns to the inbox as unread at that time, or when a new message arrives.</p>
        <ul class="menu">
          {times.map(({ label, at }) => (
            <li key={label}>
              <button type="button" onClick={() => void until(at)}>
                <span>{label}</span>
                <span class="hint numbers">{whenText(at)}</span>
              </button>
            </li>
          ))}
        </ul>
        <div class="with-button">
          <TextField
            label="Date and time"
            type="datetime-local"
            value={picked}
            onInput={(value) => {
              setPicked(value);
              setFault(undefined);
            }}
            fault={fault}
          />
          <Button type="submit" kind="primary">
            Snooze
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
