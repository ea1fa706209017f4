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

/** The owner's own client ids, for Gmail and Outlook without an app password. */
export function OAuthClients() {
  const clients = useLoad("oauth-clients", () => app<{ data: OAuthClient[] }>("GET", "/oauth-clients"));
  const [editing, setEditing] = useState<OAuthProvider | null>(null);
  return (
    <Card
      title="Sign-in with Google and Microsoft"
      text="Not needed for mailboxes with a password or an app password. With a client id of your own, mailboxes are connected by the provider's sign-in page."
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
                    <Button small label={`Set up ${title}`} onClick={() => setEditing(provider)}>
                      {client ? "Change" : "Set up"}
                    </Button>
                    {client && (
                      <ConfirmButton
                        small
                        label={`Remove ${title}`}
                        title={`Remove the client id of ${title}?`}
                        text={
                          <p>
                            Mailboxes that were connected with it stop being fetched when their sign-in has to be
                            renewed. Their mail stays here.
                          </p>
                        }
                        action="Remove"
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
            showToast("The client id is saved.");
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
      check: ({ client_id }) => (client_id.trim() ? {} : { client_id: "Type the client id." }),
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
    <Dialog title={`Sign-in with ${title}`} onClose={props.onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>
          Make a client of the type “web application” in the {where}. It asks for a redirect address; this is yours:
        </p>
        <CopyBox text={pageUrl("oauth/callback")} label="Copy the redirect address" />
        <TextField
          label="Client id"
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
          hint="Kept encrypted, and never shown again."
          value={values.client_secret}
          fault={faults.client_secret}
          onInput={(value) => set("client_secret", value)}
        />
        {props.provider === "microsoft" && (
          <TextField
            label="Tenant (optional)"
            hint="Only for an organisation that has one; empty for all accounts."
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
