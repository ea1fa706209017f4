import { EVENT_NAMES, EVENTS, type EventName } from "../../../../src/kernel/events.ts";

interface EventPickerProps {
  chosen: readonly EventName[];
  /** Hides the legend visually where a heading says the same. */
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
        {EVENT_NAMES.map((name) => (
          <label key={name} class="option">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) =>
                onChange(event.currentTarget.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
              }
            />
            <span class="option-text">
              <span class="option-title">{EVENTS[name].label}</span>
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
