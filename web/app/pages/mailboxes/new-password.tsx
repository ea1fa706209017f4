import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import type { Change } from "./change.ts";

/** The mailbox has another password now. It is tried before it is kept. */
export function NewMailPassword({ change }: { change: Change }) {
  const form = useForm(
    { password: "" },
    {
      check: ({ password }) => (password ? {} : { password: "Type the new password." }),
      async send({ password }) {
        await change({ password }, "The password works and is stored.");
        form.fill({ password: "" });
      },
    },
  );
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <div class="with-button">
        <TextField
          label="New password of the mailbox"
          type="password"
          autocomplete="off"
          hint="It is tried at the server before it replaces the old one."
          value={form.values.password}
          fault={form.faults.password}
          onInput={(value) => form.set("password", value)}
        />
        <Button type="submit" busy={form.busy}>
          Try and store
        </Button>
      </div>
      <FaultNotice error={form.fault} />
    </form>
  );
}
