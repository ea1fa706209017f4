import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { type Faults, useForm } from "../../state/form.ts";
import { showToast } from "../../state/toasts.ts";
import { NewPassword, passwordFault } from "../sign-in/password-field.tsx";

export function Password() {
  const form = useForm(
    { current: "", new: "" },
    {
      check: (values) => {
        const faults: Faults = {};
        const wrong = passwordFault(values.new);
        if (wrong) faults.new = wrong;
        return faults;
      },
      async send(values) {
        const body = { new: values.new, ...(values.current ? { current: values.current } : {}) };
        await app("POST", "/password", { body });
        form.fill({ current: "", new: "" });
        showToast("Password changed. All other devices are signed out.");
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Card title="Password" text="Changing your password signs out all other devices. API keys keep working.">
      <form class="stack" noValidate onSubmit={form.submit}>
        <div class="columns">
          <TextField
            label="Current password"
            type="password"
            autocomplete="current-password"
            hint="Leave empty if you have no password yet."
            value={values.current}
            fault={faults.current}
            onInput={(value) => set("current", value)}
          />
          <NewPassword
            label="New password"
            value={values.new}
            fault={faults.new}
            onInput={(value) => set("new", value)}
          />
        </div>
        <FaultNotice error={form.fault} />
        <div class="actions">
          <Button type="submit" busy={form.busy}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
