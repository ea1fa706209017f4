import { useEffect, useRef, useState } from "preact/hooks";
import type { Send } from "../../../../src/features/sends/model.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Await, FaultNotice, Notice, type Tone } from "../../parts/layout.tsx";
import { When } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";

const POLL_MS = 1_000;
const SLOW_POLL_MS = 15_000;
const POLL_NEVER = 0;
const SOON_MS = 60_000;

interface SendStatusProps {
  id: string;
  inSandbox: boolean;
  /** The title while the message waits to be sent. */
  title?: string;
  /** Called when the message was sent or its send has failed or was undone. */
  onEnd?(send: Send): void;
}

/** Shows what became of a send, with an undo while it can still be cancelled. */
export function SendStatus({ id, inSandbox, title: waiting = "Approved", onEnd }: SendStatusProps) {
  const path = `/sends/${encodeURIComponent(id)}`;
  const send = useLoad(
    `send ${id}`,
    () => v1<Send>("GET", path, { inSandbox }),
    ({ status, undo_until }) => {
      if (status !== "scheduled" && status !== "sending") return POLL_NEVER;
      return Date.parse(undo_until) - Date.now() > SOON_MS ? SLOW_POLL_MS : POLL_MS;
    },
  );
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const bar = useRef<HTMLDivElement>(null);
  // The button that was pressed is gone. The focus moves to what replaces it.
  useEffect(() => {
    if (document.activeElement === document.body) bar.current?.focus();
  }, []);
  useEffect(() => {
    const now = send.data;
    if (now && now.status !== "scheduled" && now.status !== "sending") onEnd?.(now);
  }, [send.data?.status]);
  async function undo() {
    setBusy(true);
    setFault(null);
    try {
      await v1("POST", `${path}/cancel`, { inSandbox });
    } catch (error) {
      setFault(error);
    }
    await send.reload();
    setBusy(false);
  }
  return (
    <div class="stack" tabIndex={-1} ref={bar}>
      <Await of={send} lines={1}>
        {(shown) => {
          const [tone, title] = shown.status === "scheduled" ? (["good", waiting] as const) : STATUSES[shown.status];
          return (
            <Notice tone={tone} title={title} live>
              {shown.status === "scheduled" && (
                <>
                  <p>
                    {shown.scheduled_at ? (
                      <>
                        The message is sent at <When at={shown.scheduled_at} />.
                      </>
                    ) : (
                      "The message will be sent in a few seconds."
                    )}{" "}
                    You can undo until then.
                  </p>
                  <Button small icon="undo" busy={busy} onClick={undo}>
                    Undo send
                  </Button>
                </>
              )}
              {shown.detail && <p>{shown.detail}</p>}
            </Notice>
          );
        }}
      </Await>
      <FaultNotice error={fault} />
    </div>
  );
}

const STATUSES: Record<Exclude<Send["status"], "scheduled">, [Tone, string]> = {
  sending: ["info", "Sending the message"],
  sent: ["good", "Message sent"],
  failed: ["bad", "The message could not be sent"],
  undone: ["quiet", "Send undone. The draft is kept."],
};
