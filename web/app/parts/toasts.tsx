import { dismissToast, toasts } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";

/** Shows toasts. The live region must exist before the first one, or screen readers miss it. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, tone }) => (
        <p key={id} class={`toast ${tone}`}>
          <Icon name={tone === "good" ? "check" : "warning"} size={16} />
          <span>{text}</span>
          <button type="button" class="toast-close" aria-label="Dismiss" onClick={() => dismissToast(id)}>
            <Icon name="cross" size={14} />
          </button>
        </p>
      ))}
    </div>
  );
}
