import type { WebhookEndpoint } from "../../../../src/features/webhooks/model.ts";
import type { EventName } from "../../../../src/kernel/events.ts";
import { v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { type Faults, useForm } from "../../state/form.ts";
import { EventPicker } from "./events.tsx";
import { PlainHttpNotice } from "./plain-http.tsx";
import type { Secret } from "./signing-secret.tsx";

export function NewWebhook({ onClose, onMade }: { onClose(): void; onMade(secret: Secret): void }) {
  const form = useForm<{ url: string; events: EventName[] }>(
    { url: "", events: ["message.received"] },
    {
      check: ({ url, events }) => {
        const faults: Faults = {};
        if (!/^https?:\/\/.+/.test(url.trim())) faults.url = "Enter a URL, such as https://hooks.example.org/postroom.";
        if (events.length === 0) faults.events = "Select at least one event.";
        return faults;
      },
      async send({ url, events }) {
        const body = { url: url.trim(), events };
        const { data } = await v1<{ data: WebhookEndpoint & { secret: string } }>("POST", "/webhooks", { body });
        onMade(data);
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Dialog title="Add webhook endpoint" onClose={onClose} wide>
      <form class="stack" noValidate onSubmit={form.submit}>
        <TextField
          label="URL"
          type="url"
          mono
          autofocus
          autocomplete="off"
          placeholder="https://hooks.example.org/postroom"
          hint="HTTPS, or http:// for a program on this machine. Hosts in your own network must be on the list webhooks.allow of the configuration."
          value={values.url}
          fault={faults.url}
          onInput={(value) => set("url", value)}
        />
        <PlainHttpNotice url={values.url} />
        <EventPicker chosen={values.events} fault={faults.events} onChange={(events) => set("events", events)} />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            Add endpoint
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
