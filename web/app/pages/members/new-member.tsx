import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { Invite, Member } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import { PLANS } from "./plans.ts";

/** Adds a member and shows the invitation link. */
export function NewMember({ onClose, onAdded }: { onClose(): void; onAdded(): Promise<void> }) {
  const [invite, setInvite] = useState<Invite | null>(null);
  const form = useForm(
    { email: "", plan: "pro" },
    {
      check: ({ email }) => (EMAIL.test(email.trim()) ? {} : { email: "Enter a valid email address." }),
      async send({ email, plan }) {
        const member = await app<Member>("POST", "/members", { body: { email: email.trim(), plan } });
        setInvite(await app<Invite>("POST", `/members/${encodeURIComponent(member.id)}/invite`, { body: {} }));
        await onAdded();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Dialog title={invite ? "Invitation link" : "Add member"} onClose={onClose}>
      {invite ? (
        <div class="stack" role="status">
          <p>
            Send this link to {values.email}, who can then choose a password. The link works once and expires after
            seven days.
          </p>
          <CopyBox text={invite.url} label="Copy invitation link" />
          <div class="actions end">
            <Button kind="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <form class="stack" noValidate onSubmit={form.submit}>
          <TextField
            label="Email address"
            type="email"
            autocomplete="off"
            autofocus
            value={values.email}
            fault={faults.email}
            onInput={(value) => set("email", value)}
          />
          <Select
            label="Plan"
            hint="The plan limits what the member's programs can do. You can change it at any time."
            value={values.plan}
            options={PLANS}
            onChange={(value) => set("plan", value)}
          />
          <FaultNotice error={form.fault} />
          <div class="actions end">
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary" busy={form.busy}>
              Add member
            </Button>
          </div>
        </form>
      )}
    </Dialog>
  );
}
