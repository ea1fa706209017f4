import { useEffect, useState } from "preact/hooks";
import { type PendingSend, pendingSends, undoSend } from "../state/sending.ts";
import { Icon } from "./icon.tsx";

const TICK_MS = 250;

/** Shows each message that is about to be sent, with the time that is left to undo it. */
export function SendBars() {
  return (
    <>
      {pendingSends.value.map((send) => (
        <SendBar key={send.id} send={send} />
      ))}
    </>
  );
}

function SendBar({ send: { id, subject, undoUntil, phase } }: { send: PendingSend }) {
  const [left, setLeft] = useState(secondsUntil(undoUntil));
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(undoUntil)), TICK_MS);
    return () => clearInterval(timer);
  }, [undoUntil]);
  return (
    <div class="toast info">
      <Icon name="send" size={16} />
      <span>
        {phase === "sending" ? `Sending “${subject}”` : `“${subject}” is about to be sent.`}
        {/* Not announced: a screen reader would read every second. */}
        {phase !== "sending" && (
          <span class="hint numbers" aria-hidden="true">
            {" "}
            {left} s
          </span>
        )}
      </span>
      {phase !== "sending" && (
        <button type="button" class="toast-action" aria-busy={phase === "busy"} onClick={() => void undoSend(id)}>
          Undo send
        </button>
      )}
    </div>
  );
}

function secondsUntil(atMs: number): number {
  return Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}
