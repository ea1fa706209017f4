import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { Discovery } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Page } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import { ServerForm } from "./server-form.tsx";

/** Connecting a mailbox: an address, what was found for it, and the two sign-ins tried before anything is kept. */
export function ConnectMailbox() {
  const [email, setEmail] = useState<string | null>(null);
  const [found, setFound] = useState<Discovery | null>(null);
  const form = useForm(
    { email: "" },
    {
      check: ({ email }) =>
        EMAIL.test(email.trim()) ? {} : { email: "That is not an e-mail address, such as ada@example.org." },
      async send({ email }) {
        setFound(await app<Discovery>("POST", "/mailboxes/discover", { body: { email: email.trim() } }));
        setEmail(email.trim());
      },
    },
  );
  return (
    <Page
      title="Connect a mailbox"
      lead="Nothing is changed on the mail server by connecting it."
      back={{ href: "#/mailboxes", label: "Mailboxes" }}
    >
      {found && email ? (
        <ServerForm email={email} found={found} onBack={() => setFound(null)} />
      ) : (
        <Card>
          <form class="stack narrow" noValidate onSubmit={form.submit}>
            <TextField
              label="E-mail address"
              type="email"
              autocomplete="email"
              autofocus
              hint="The servers are looked up by its domain. The address itself is not sent anywhere but to that domain."
              value={form.values.email}
              fault={form.faults.email}
              onInput={(value) => form.set("email", value)}
            />
            <FaultNotice error={form.fault} />
            <div class="actions">
              <Button type="submit" kind="primary" busy={form.busy}>
                {form.busy ? "Looking…" : "Find the servers"}
              </Button>
            </div>
          </form>
        </Card>
      )}
    </Page>
  );
}
