import { useState } from "preact/hooks";
import type { WebhookDeliveryDetail } from "../../../../src/features/webhooks/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { AttemptNotice } from "./delivery.tsx";

type Tested = WebhookDeliveryDetail["data"];

/** Sends a test event and shows the receiver's response. */
export function TestCard({ id, onTested }: { id: string; onTested(): Promise<void> }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  async function test() {
    setBusy(true);
    setFault(null);
    try {
      const { data } = await app<{ data: Tested }>("POST", `/webhooks/${encodeURIComponent(id)}/test`, { body: {} });
      setTested(data);
      await onTested();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  const attempt = tested?.attempts.at(-1);
  return (
    <Card
      title="Test"
      text="Sends a signed webhook.test event immediately. The event is not retried and does not count as a success or failure."
      actions={
        <Button kind="primary" busy={busy} onClick={test}>
          {busy ? "Waiting for response…" : "Send test event"}
        </Button>
      }
    >
      <div aria-live="polite">
        <FaultNotice error={fault} />
        {attempt && <AttemptNotice attempt={attempt} />}
      </div>
    </Card>
  );
}
