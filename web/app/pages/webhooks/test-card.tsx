import { useState } from "preact/hooks";
import type { WebhookDeliveryDetail } from "../../../../src/features/webhooks/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { AttemptNotice } from "./delivery.tsx";

type Tested = WebhookDeliveryDetail["data"];

/** The Test button, with what the receiver answered. */
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
      text="Sends a signed webhook.test at once. It is not repeated, and does not count as success or failure."
      actions={
        <Button kind="primary" busy={busy} onClick={test}>
          {busy ? "Waiting for the answer…" : "Send a test"}
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
