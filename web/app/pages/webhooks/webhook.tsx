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
import { navigate } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { Delivery } from "./delivery.tsx";
import { EventPicker } from "./events.tsx";
import { PlainHttpNotice } from "./plain-http.tsx";
import { type Secret, SigningSecret } from "./signing-secret.tsx";
import { TestCard } from "./test-card.tsx";
import { EndpointBadge } from "./webhooks.tsx";

/** One endpoint: test, deliveries, events and signing secret. */
export function WebhookPage({ id }: { id: string }) {
  const path = `/webhooks/${encodeURIComponent(id)}`;
  const endpoint = useLoad(`webhook ${id}`, async () => (await v1<{ data: WebhookEndpoint }>("GET", path)).data);
  const deliveries = usePagedList(`deliveries ${id}`, (cursor) =>
    v1<PageOf<WebhookDelivery>>("GET", `${path}/deliveries`, { query: { cursor } }),
  );
  return (
    <Page
      title="Webhook endpoint"
      back={{ href: "#/webhooks", label: "Webhooks" }}
      lead={<span class="clip">{endpoint.data?.url ?? ""}</span>}
    >
      <Await of={endpoint} lines={4}>
        {(one) => (
          <>
            {one.status === "disabled" && <Disabled endpoint={one} path={path} loaded={endpoint} />}
            <PlainHttpNotice url={one.url} />
            <TestCard id={id} onTested={deliveries.reload} />
            <Card
              title="Deliveries"
              text="Events sent to this endpoint, newest first."
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
                <Empty icon="webhook" title="No deliveries yet">
                  <p>
                    Deliveries and the receiver's responses appear here. Send a test event, or wait for the first event.
                  </p>
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
            <SecretAndDeletion endpoint={one} path={path} />
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
  async function enable() {
    try {
      await v1("PATCH", path, { body: { status: "active" } });
      await loaded.reload();
      showToast("Endpoint enabled.");
    } catch (error) {
      setFault(error);
    }
  }
  return (
    <Notice tone="bad" title="Endpoint disabled">
      <p>
        {endpoint.disabled_at && (
          <>
            Disabled <Ago at={endpoint.disabled_at} />.{" "}
          </>
        )}
        The endpoint receives nothing until you enable it. Events that it missed in the last 30 days are then delivered.
      </p>
      <Button small onClick={enable}>
        Enable endpoint
      </Button>
      <FaultNotice error={fault} />
    </Notice>
  );
}

function Events({ endpoint, path, loaded }: PartProps) {
  const [events, setEvents] = useState<EventName[]>(endpoint.events);
  const [fault, setFault] = useState<unknown>(null);
  const changed = [...events].sort().join() !== [...endpoint.events].sort().join();
  async function save() {
    try {
      await v1("PATCH", path, { body: { events } });
      await loaded.reload();
      setFault(null);
      showToast("Events saved.");
    } catch (error) {
      setFault(error);
    }
  }
  return (
    <Card title="Events" actions={<EndpointBadge endpoint={endpoint} />}>
      <EventPicker
        legendHidden
        chosen={events}
        onChange={setEvents}
        fault={events.length === 0 ? "Select at least one event." : undefined}
      />
      <FaultNotice error={fault} />
      {changed && events.length > 0 && (
        <div class="actions">
          <Button kind="primary" onClick={save}>
            {" "}
            Save{" "}
          </Button>
        </div>
      )}
    </Card>
  );
}

function SecretAndDeletion({ endpoint, path }: { endpoint: WebhookEndpoint; path: string }) {
  const [secret, setSecret] = useState<Secret | null>(null);
  return (
    <>
      {secret && <SigningSecret made={secret} onClose={() => setSecret(null)} />}
      <Card title="Secret and deletion" tone="danger">
        <ul class="rows">
          <li class="row">
            <p class="row-main">
              Replace the signing secret. The old secret stays valid for 24 hours, so that no request is rejected.
            </p>
            <div class="row-actions">
              <ConfirmButton
                title="Rotate the signing secret?"
                text={
                  <p>
                    The new secret is shown once. For 24 hours, each request is signed with both secrets. After that,
                    only the new secret is valid.
                  </p>
                }
                action="Rotate secret"
                act={async () => {
                  const { data } = await v1<{ data: { secret: string } }>("POST", `${path}/rotate-secret`);
                  setSecret({ id: endpoint.id, url: endpoint.url, secret: data.secret });
                }}
              >
                {" "}
                Rotate secret{" "}
              </ConfirmButton>
            </div>
          </li>
          <li class="row">
            <p class="row-main">Delete this endpoint and its delivery history.</p>
            <div class="row-actions">
              <ConfirmButton
                kind="danger"
                title="Delete this endpoint?"
                text={
                  <p>
                    Postroom stops sending events to this URL. Pending deliveries and the delivery history are deleted.
                    Your mail and the event log are kept.
                  </p>
                }
                action="Delete endpoint"
                act={async () => {
                  await v1("DELETE", path);
                  showToast("Endpoint deleted.");
                  navigate("#/webhooks");
                }}
              >
                {" "}
                Delete endpoint{" "}
              </ConfirmButton>
            </div>
          </li>
        </ul>
      </Card>
    </>
  );
}
