import { useState } from "preact/hooks";
import type { WebhookDelivery, WebhookDeliveryDetail } from "../../../../src/features/webhooks/model.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Badge, FaultNotice, Notice, Skeleton, type Tone } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { Verbatim } from "../../parts/verbatim.tsx";
import { showToast } from "../../state/toasts.ts";

type Detail = WebhookDeliveryDetail["data"];
type Attempt = Detail["attempts"][number];

const TONES: Record<WebhookDelivery["status"], [Tone, string]> = {
  delivered: ["good", "Delivered"],
  pending: ["info", "Pending"],
  failed: ["bad", "Failed"],
};

interface DeliveryProps {
  /** "/webhooks/whk_…" */
  path: string;
  delivery: WebhookDelivery;
  onSent(): Promise<void>;
}

/** One delivery. Its attempts are loaded when it is opened. */
export function Delivery({ path, delivery, onSent }: DeliveryProps) {
  const [detail, setDetail] = useState<Detail | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const [opened, setOpened] = useState(false);
  const own = `${path}/deliveries/${encodeURIComponent(delivery.id)}`;
  const [tone, label] = TONES[delivery.status];
  async function open() {
    setOpened(true);
    try {
      setDetail((await v1<{ data: Detail }>("GET", own)).data);
      setFault(null);
    } catch (error) {
      setFault(error);
    }
  }
  async function resend() {
    setBusy(true);
    try {
      await v1("POST", `${own}/redeliver`);
      showToast("Delivery queued.");
      await onSent();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <li class="row open">
      <details
        class="row-main"
        onToggle={(event) => {
          if (event.currentTarget.open && !detail) void open();
        }}
      >
        <summary>
          <span class="row-title">
            {delivery.event} <Badge tone={tone}>{label}</Badge>
          </span>
          <span class="hint">
            <Ago at={delivery.created_at} />
            {delivery.last_attempt && ` · ${responseText(delivery.last_attempt)}`}
            {delivery.attempt_count > 1 && ` · ${counted(delivery.attempt_count, "attempt")}`}
            {delivery.next_attempt_at && (
              <>
                {" · next attempt "}
                <Ago at={delivery.next_attempt_at} />
              </>
            )}
          </span>
        </summary>
        <FaultNotice error={fault} />
        {detail ? (
          <div class="stack">
            <p class="hint">
              Event <code>{detail.event_id}</code>
            </p>
            {detail.attempts.map((attempt) => (
              <AttemptNotice key={attempt.attempt} attempt={attempt} numbered />
            ))}
          </div>
        ) : (
          opened && !fault && <Skeleton lines={2} />
        )}
      </details>
      {delivery.event !== "webhook.test" && (
        <div class="row-actions">
          <Button small icon="refresh" busy={busy} label={`Resend ${delivery.event}`} onClick={resend}>
            {" "}
            Resend{" "}
          </Button>
        </div>
      )}
    </li>
  );
}

function responseText({
  response_status,
  error,
  duration_ms,
}: Pick<Attempt, "response_status" | "error" | "duration_ms">): string {
  if (response_status !== null) return `responded with ${response_status} in ${count(duration_ms)} ms`;
  return error ?? "no response";
}

function capitalized(text: string): string {
  return text[0]!.toUpperCase() + text.slice(1);
}

/** The receiver's response to one attempt, shown as text and never as HTML. */
export function AttemptNotice({ attempt, numbered }: { attempt: Attempt; numbered?: boolean }) {
  const { response_status, error, response_body, response_headers } = attempt;
  const type = response_headers["content-type"];
  return (
    <Notice
      tone={error === null ? "good" : "bad"}
      title={numbered ? `Attempt ${attempt.attempt}: ${responseText(attempt)}` : capitalized(responseText(attempt))}
    >
      {error !== null && response_status !== null && <p>{error}</p>}
      {numbered && (
        <p class="hint">
          <Ago at={attempt.at} />
        </p>
      )}
      {response_body !== "" && (
        <>
          <p class="hint">Response{type ? ` (${type})` : ""}:</p>
          <Verbatim label="Receiver response" text={response_body} />
        </>
      )}
    </Notice>
  );
}
