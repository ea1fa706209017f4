import { useState } from "preact/hooks";
import type { WebhookDelivery, WebhookEndpoint } from "../../../../src/features/webhooks/model.ts";
import type { EventName } from "../../../../src/kernel/events.ts";
import { v1 } from "../../api/client.ts";
import { type PageOf, usePagedList } from "../../api/paging.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Await, Card, Empty, FaultNotice, More, Notice, Page, Skeleton } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { type Loaded, useLoad } from "../../state/load.ts";
import { go } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { Delivery } from "./delivery.tsx";
import { EventPicker } from "./events.tsx";
import { type Secret, SigningSecret } from "./signing-secret.tsx";
import { TestCard } from "./test-card.tsx";
import { EndpointBadge } from "./webhooks.tsx";

/** One endpoint: try it, see what became of each event, send one again. */
export function WebhookPage({ id }: { id: string }) {
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const endpoint = useLoad(`webhook ${id}`, async () => (await v1<{ data: WebhookEndpoint }>("GET", path)).data);
  const deliveries = usePagedList(`deliveries ${id}`, (cursor) =>
    v1<PageOf<WebhookDelivery>>("GET", `${path}/deliveries`, { query: { cursor } }),
  );
  return (
    <Page
      title="Webhook"
      back={{ href: "#/webhooks", label: "Webhooks" }}
      lead={<span class="clip">{endpoint.data?.url ?? ""}</span>}
    >
      <Await of={endpoint} lines={4}>
        {(one) => (
          <>
            {one.status === "disabled" && <Disabled endpoint={one} path={path} loaded={endpoint} />}
            <TestCard id={id} onTested={deliveries.reload} />
            <Card
              title="Deliveries"
              text="Each event and what became of it, newest first."
              actions={
                <Button small icon="refresh" busy={deliveries.busy} onClick={deliveries.reload}>
                  Refresh
                </Button>
              }
            >
              <FaultNotice error={deliveries.error} retry={deliveries.reload} />
              {deliveries.rows === null ? (
                !deliveries.error && <Skeleton />
              ) : deliveries.rows.length === 0 ? (
                <Empty icon="webhook" title="Nothing has been delivered yet">
                  <p>Press “Send a test” above, or wait for the first event.</p>
                </Empty>
              ) : (
                <ul class="rows">
                  {deliveries.rows.map((delivery) => (
                    <Delivery
                      key={`${delivery.id} ${delivery.attempt_count}`}
                      path={path}
                      delivery={delivery}
                      onSent={deliveries.reload}
                    />
                  ))}
                </ul>
              )}
              <More more={deliveries.more} busy={deliveries.busy} onMore={deliveries.next} />
            </Card>
            <Events endpoint={one} path={path} loaded={endpoint} />
            <SecretAndRemoval endpoint={one} path={path} />
          </>
        )}
      </Await>
    </Page>
  );
}

interface PartProps {
  endpoint: WebhookEndpoint;
  path: string;
  loaded: Loaded<WebhookEndpoint>;
}

function Disabled({ endpoint, path, loaded }: PartProps) {
  const [fault, setFault] = useState<unknown>(null);
  async function revive() {
    try {
      await v1("PATCH", path, { body: { status: "active" } });
      await loaded.reload();
      showToast("The webhook is active again.");
    } catch (error) {
      setFault(error);
    }
  }
  return (
    <Notice tone="bad" title="This webhook is disabled">
      <p>
        {endpoint.disabled_at && (
          <>
            Since <Ago at={endpoint.disabled_at} />.{" "}
          </>
        )}
        It gets nothing until it is made active. What it has missed of the last 30 days is then delivered.
      </p>
      <Button small onClick={revive}>
        Make it active
      </Button>
      <FaultNotice error={fault} />
    </Notice>
  );
}

function Events({ endpoint, path, loaded }: PartProps) {
  const [events, setEvents] = useState<EventName[]>(endpoint.events);
  const [fault, setFault] = useState<unknown>(null);
  const changed = [...events].sort().join() !== [...endpoint.events].sort().join();
  async function store() {
    try {
      await v1("PATCH", path, { body: { events } });
      await loaded.reload();
      setFault(null);
      showToast("The events are stored.");
    } catch (error) {
      setFault(error);
    }
  }
  return (
    <Card title="What it hears of" actions={<EndpointBadge endpoint={endpoint} />}>
      <EventPicker
        chosen={events}
        onChange={setEvents}
        fault={events.length === 0 ? "Choose at least one event." : undefined}
      />
      <FaultNotice error={fault} />
      {changed && events.length > 0 && (
        <div class="actions">
          <Button kind="primary" onClick={store}>
            Store
          </Button>
        </div>
      )}
    </Card>
  );
}

function SecretAndRemoval({ endpoint, path }: { endpoint: WebhookEndpoint; path: string }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      {secret && <SigningSecret made={secret} onClose={() => setSecret(null)} />}
      <Card title="Secret and removal" tone="danger">
        <ul class="rows">
          <li class="row">
            <p class="row-main">
              A new signing secret. The old one stays valid for 24 hours, so nothing is refused meanwhile.
            </p>
            <div class="row-actions">
              <ConfirmButton
                title="Make a new secret?"
                text={
                  <p>
                    The new secret is shown once. For 24 hours each request is signed with both; then the old one ends.
                  </p>
                }
                action="Make a new secret"
                act={async () => {
                  const { data } = await v1<{ data: { secret: string } }>("POST", `${path}/rotate-secret`);
                  setSecret({ id: endpoint.id, url: endpoint.url, secret: data.secret });
                }}
              >
                New secret
              </ConfirmButton>
            </div>
          </li>
          <li class="row">
            <p class="row-main">Nothing is sent to this address any more, and its history goes.</p>
            <div class="row-actions">
              <ConfirmButton
                kind="danger"
                title="Remove this webhook?"
                text={
                  <p>
                    Nothing is sent to it any more, deliveries that wait are dropped and its history goes. Your mail and
                    the event log stay.
                  </p>
                }
                action="Remove the webhook"
                act={async () => {
                  await v1("DELETE", path);
                  showToast("The webhook is removed.");
                  go("#/webhooks");
                }}
              >
                Remove
              </ConfirmButton>
            </div>
          </li>
        </ul>
      </Card>
    </>
  );
}
