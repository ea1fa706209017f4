import { dismissToast, toasts } from "../state/toasts.ts";
import { Icon } from "./icon.tsx";

/** The corner where short messages come up. It is always there, or screen readers would not notice the first. */
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
