import { useState } from "preact/hooks";
import { app, pageUrl } from "../../api/client.ts";
import type { OAuthClient, OAuthProvider } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { ConfirmButton, Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, Badge, Card, FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";

const PROVIDERS: { provider: OAuthProvider; title: string; where: string }[] = [
  { provider: "google", title: "Google", where: "Google Cloud console, “APIs & Services”, “Credentials”" },
  { provider: "microsoft", title: "Microsoft", where: "Microsoft Entra admin center, “App registrations”" },
];

/** The owner's OAuth clients, for Gmail and Outlook mailboxes without an app password. */
export function OAuthClients() {
  const clients = useLoad("oauth-clients", () => app<{ data: OAuthClient[] }>("GET", "/oauth-clients"));
  const [editing, setEditing] = useState<OAuthProvider | null>(null);
  return (
    <Card
      title="Google and Microsoft sign-in"
      text="Only needed to connect mailboxes through the provider's sign-in page instead of with a password or an app password. Requires your own OAuth client."
    >
      <Await of={clients} lines={2}>
        {({ data }) => (
          <ul class="rows">
            {PROVIDERS.map(({ provider, title }) => {
              const client = data.find((one) => one.provider === provider);
              return (
                <li key={provider} class="row">
                  <div class="row-main">
                    <p class="row-title">
                      {title} {client ? <Badge tone="good">Set up</Badge> : <Badge>Not set up</Badge>}
                    </p>
                    {client && <p class="hint mono clip">{client.client_id}</p>}
                  </div>
                  <div class="row-actions">
                    <Button
                      small
                      label={`${client ? "Change" : "Set up"} ${title}`}
                      onClick={() => setEditing(provider)}
                    >
                      {client ? "Change" : "Set up"}
                    </Button>
                    {client && (
                      <ConfirmButton
                        small
                        label={`Remove ${title}`}
                        title={`Remove the ${title} client ID?`}
                        text={
                          <p>
                            Mailboxes connected with it stop syncing when their sign-in must be renewed. Their mail
                            stays on this machine.
                          </p>
                        }
                        action="Remove client ID"
                        act={async () => {
                          await app("DELETE", `/oauth-clients/${provider}`);
                          await clients.reload();
                        }}
                      >
                        Remove
                      </ConfirmButton>
                    )}
                  </div>
                </li>
              );
            })}
          </ul>
        )}
      </Await>
      {editing && (
        <ClientDialog
          provider={editing}
          onClose={() => setEditing(null)}
          onSaved={async () => {
            await clients.reload();
            setEditing(null);
            showToast("Client ID saved.");
          }}
        />
      )}
    </Card>
  );
}

function ClientDialog(props: { provider: OAuthProvider; onClose(): void; onSaved(): Promise<void> }) {
  const { title, where } = PROVIDERS.find(({ provider }) => provider === props.provider)!;
  const form = useForm(
    { client_id: "", client_secret: "", tenant: "" },
    {
      check: ({ client_id }) => (client_id.trim() ? {} : { client_id: "Enter the client ID." }),
      async send({ client_id, client_secret, tenant }) {
        const body = {
          client_id: client_id.trim(),
          client_secret: client_secret.trim(),
          ...(tenant.trim() ? { tenant: tenant.trim() } : {}),
        };
        await app("PUT", `/oauth-clients/${props.provider}`, { body });
        await props.onSaved();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Dialog title={`${title} sign-in`} onClose={props.onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>Create an OAuth client of type “web application” in the {where}. Use this redirect URI:</p>
        <CopyBox text={pageUrl("oauth/callback")} label="Copy redirect URI" />
        <TextField
          label="Client ID"
          mono
          autocomplete="off"
          value={values.client_id}
          fault={faults.client_id}
          onInput={(value) => set("client_id", value)}
        />
        <TextField
          label="Client secret"
          type="password"
          autocomplete="off"
          hint="Stored encrypted and never shown again."
          value={values.client_secret}
          fault={faults.client_secret}
          onInput={(value) => set("client_secret", value)}
        />
        {props.provider === "microsoft" && (
          <TextField
            label="Tenant (optional)"
            hint="Only for organizations with their own tenant. Leave empty to allow all accounts."
            mono
            value={values.tenant}
            fault={faults.tenant}
            onInput={(value) => set("tenant", value)}
          />
        )}
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
