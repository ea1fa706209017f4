import type { EventName } from "../../../../src/kernel/events.ts";

/** The events that an endpoint can subscribe to. */
export const EVENTS: readonly { name: EventName; text: string }[] = [
  { name: "message.received", text: "New message received" },
  { name: "thread.updated", text: "Thread read, moved, labeled or starred" },
  { name: "send.completed", text: "Message accepted by the mail server" },
  { name: "send.failed", text: "Message could not be sent" },
  { name: "send.bounced", text: "Message bounced" },
  { name: "draft.created", text: "Draft created" },
  { name: "agent.action", text: "Agent action performed" },
  { name: "brief.ready", text: "Daily brief ready" },
];

interface EventPickerProps {
  chosen: readonly EventName[] /** Hides the legend visually where a heading says the same. */;
  legendHidden?: boolean;
  fault?: string;
  onChange(events: EventName[]): void;
}

export function EventPicker({ chosen, legendHidden, fault, onChange }: EventPickerProps) {
  return (
    <fieldset
      class="choice"
      aria-invalid={fault ? true : undefined}
      aria-describedby={fault ? "events-fault" : undefined}
    >
      <legend class={legendHidden ? "visually-hidden" : undefined}>Events</legend>
      <div class="choices two">
        {EVENTS.map(({ name, text }) => (
          <label key={name} class="option">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <span class="option-text">
              <span class="option-title">{text}</span>
              <code class="hint">{name}</code>
            </span>
          </label>
        ))}
      </div>
      {fault && (
        <p class="fault" id="events-fault" role="alert">
          {fault}
        </p>
      )}
    </fieldset>
  );
}
