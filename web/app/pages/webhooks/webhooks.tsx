import { useState } from "preact/hooks";
import type { WebhookEndpoint } from "../../../../src/features/webhooks/model.ts";
import { v1 } from "../../api/client.ts";
import { type PageOf, usePagedList } from "../../api/paging.ts";
import { Button } from "../../parts/button.tsx";
import { Badge, Card, Empty, FaultNotice, More, Page, Skeleton } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { NewWebhook } from "./new-webhook.tsx";
import { type Secret, SigningSecret } from "./signing-secret.tsx";

export function Webhooks() {
  const list = usePagedList("webhooks", (cursor) =>
    v1<PageOf<WebhookEndpoint>>("GET", "/webhooks", { query: { cursor } }),
  );
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<Secret | null>(null);
  return (
    <Page
      title="Webhooks"
      lead="Postroom sends signed requests to your endpoints when something happens in your mailboxes."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
          Add endpoint
        </Button>
      }
    >
      {made && <SigningSecret made={made} onClose={() => setMade(null)} />}
      {making && (
        <NewWebhook
          onClose={() => setMaking(false)}
          onMade={(secret) => {
            setMaking(false);
            setMade(secret);
            void list.reload();
          }}
        />
      )}
      <Card>
        <FaultNotice error={list.error} retry={list.reload} />
        {list.rows === null ? (
          !list.error && <Skeleton />
        ) : list.rows.length === 0 ? (
          <Empty icon="webhook" title="No webhook endpoints yet">
            <p>
              Your endpoints and their status appear here. Add an HTTPS URL that accepts POST requests, and select its
              events.
            </p>
            <Button kind="primary" onClick={() => setMaking(true)}>
              Add first endpoint
            </Button>
          </Empty>
        ) : (
          <ul class="rows">
            {list.rows.map((endpoint) => (
              <EndpointLine key={endpoint.id} endpoint={endpoint} />
            ))}
          </ul>
        )}
        <More more={list.more} busy={list.busy} onMore={list.next} />
      </Card>
    </Page>
  );
}

export function EndpointBadge({ endpoint: { status, failure_count } }: { endpoint: WebhookEndpoint }) {
  if (status === "disabled") return <Badge tone="bad">Disabled</Badge>;
  if (failure_count > 0) return <Badge tone="warn">{counted(failure_count, "failure")}</Badge>;
  return <Badge tone="good">Active</Badge>;
}

function EndpointLine({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          <a class="clip" href={`#/webhooks/${encodeURIComponent(endpoint.id)}`}>
            {endpoint.url}
          </a>{" "}
          <EndpointBadge endpoint={endpoint} />
        </p>
        <p class="hint">
          {endpoint.events.join(", ")}
          {endpoint.disabled_at && (
            <>
              {" · disabled "}
              <Ago at={endpoint.disabled_at} />
            </>
          )}
        </p>
      </div>
    </li>
  );
}
