import { dismissToast, holdToast, releaseToast, toasts } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";
import { SendBars } from "./send-bars.tsx";

/** Shows toasts. The live region must exist before the first one, or screen readers miss it. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone, action }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: these only keep the text visible while it is read
        <div
          key={id}
          class={`toast ${tone}`}
          onMouseEnter={() => holdToast(id)}
          onMouseLeave={() => releaseToast(id)}
          onFocusIn={() => holdToast(id)}
          onFocusOut={() => releaseToast(id)}
        >
          <Icon name={tone === "good" ? "check" : "warning"} size={16} />
          <span>{text}</span>
          {action && (
            <button
              type="button"
              class="toast-action"
              onClick={() => {
                dismissToast(id);
                action.act();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" class="toast-close" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <Icon name="cross" size={14} />
          </button>
        </div>
      ))}
      <SendBars />
    </div>
  );
}
