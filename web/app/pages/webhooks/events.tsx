import type { EventName } from "../../../../src/kernel/events.ts";

/** The events that an endpoint can have, in words. */
export const EVENTS: readonly { name: EventName; text: string }[] = [
  { name: "message.received", text: "New mail has arrived" },
  { name: "thread.updated", text: "A conversation was read, moved, labelled or starred" },
  { name: "send.completed", text: "A message was handed to the mail server" },
  { name: "send.failed", text: "A message could not be sent" },
  { name: "send.bounced", text: "A message came back" },
  { name: "draft.created", text: "A draft was made" },
  { name: "agent.action", text: "The agent did something" },
  { name: "brief.ready", text: "A brief is ready" },
];

interface EventPickerProps {
  chosen: readonly EventName[];
  fault?: string;
  onChange(events: EventName[]): void;
}

export function EventPicker({ chosen, fault, onChange }: EventPickerProps) {
  return (
    <fieldset
      class="choice"
      aria-invalid={fault ? true : undefined}
      aria-describedby={fault ? "events-fault" : undefined}
    >
      <legend>Events</legend>
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
