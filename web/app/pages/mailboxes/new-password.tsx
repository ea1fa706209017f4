import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import type { Change } from "./change.ts";

/** Replaces the password of a mailbox. The server tests it before saving. */
export function NewMailPassword({ change }: { change: Change }) {
  const form = useForm(
    { password: "" },
    {
      check: ({ password }) => (password ? {} : { password: "Enter the new password." }),
      async send({ password }) {
        await change({ password }, "Password saved.");
        form.fill({ password: "" });
      },
    },
  );
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <div class="with-button">
        <TextField
          label="New mailbox password"
          type="password"
          autocomplete="off"
          hint="Postroom tests it on the mail server before it replaces the old password."
          value={form.values.password}
          fault={form.faults.password}
          onInput={(value) => form.set("password", value)}
        />
        <Button type="submit" busy={form.busy}>
          Test and save
        </Button>
      </div>
      <FaultNotice error={form.fault} />
    </form>
  );
}
