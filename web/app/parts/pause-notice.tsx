import { session } from "../state/session.ts";
import { Notice } from "./layout.tsx";
import { When } from "./time.tsx";

/** Says on every page why the server accepts no changes now. Renders nothing while it does. */
export function PauseNotice() {
  const paused = session.value?.paused;
  if (!paused) return null;
  return (
    <div class="pause-notice">
      <Notice
        tone="warn"
        live
        title={paused.reason === "taken_over" ? "Another machine is the primary" : "This server is paused"}
      >
        <p>
          {paused.reason === "taken_over"
            ? "This server neither syncs nor sends, and you cannot change anything here. What you see is out of date. Open Postroom on the other machine. To use this one instead, such as after a restore, turn the other one off and run postroom promote here."
            : "This server neither syncs nor sends, and you cannot change anything here, until it holds the lease that permits it to act."}{" "}
          Since <When at={paused.since} />.
        </p>
      </Notice>
    </div>
  );
}
