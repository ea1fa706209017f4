import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { Discovery } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Page } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import { ServerForm } from "./server-form.tsx";

/** Connects a mailbox: looks up its servers, then tests both sign-ins before anything is saved. */
export function ConnectMailbox() {
  const [email, setEmail] = useState<string | null>(null);
  const [found, setFound] = useState<Discovery | null>(null);
  const form = useForm(
    { email: "" },
    {
      check: ({ email }) =>
        EMAIL.test(email.trim()) ? {} : { email: "Enter a valid email address, such as ada@example.org." },
      async send({ email }) {
        setFound(await app<Discovery>("POST", "/mailboxes/discover", { body: { email: email.trim() } }));
        setEmail(email.trim());
      },
    },
  );
  return (
    <Page
      title="Connect a mailbox"
      lead="Connecting a mailbox changes nothing on the mail server."
      back={{ href: "#/mailboxes", label: "Mailboxes" }}
    >
      {found && email ? (
        <ServerForm email={email} found={found} onBack={() => setFound(null)} />
      ) : (
        <Card>
          <form class="stack narrow" noValidate onSubmit={form.submit}>
            <TextField
              label="Email address"
              type="email"
              autocomplete="email"
              autofocus
              hint="Postroom uses the domain to look up the mail servers. The full address is sent only to that domain."
              value={form.values.email}
              fault={form.faults.email}
              onInput={(value) => form.set("email", value)}
            />
            <FaultNotice error={form.fault} />
            <div class="actions">
              <Button type="submit" kind="primary" busy={form.busy}>
                {form.busy ? "Finding servers…" : "Find servers"}
              </Button>
            </div>
          </form>
        </Card>
      )}
    </Page>
  );
}
