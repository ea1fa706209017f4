import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";

/** A new recovery key, for an owner who has lost the old one or thinks that somebody saw it. */
export function NewRecoveryKey() {
  const [asking, setAsking] = useState(false);
  return (
    <Card title="Recovery key" text="It opens your backups, and your mail if the key of this machine is lost.">
      <div class="row">
        <p class="row-main">Lost it, or somebody saw it? Make a new one. Backups made before still need the old one.</p>
        <div class="row-actions">
          <Button onClick={() => setAsking(true)}>New recovery key</Button>
        </div>
      </div>
      {asking && <Asking onClose={() => setAsking(false)} />}
    </Card>
  );
}

function Asking({ onClose }: { onClose(): void }) {
  const [recovery_key, setRecoveryKey] = useState<string | null>(null);
  const form = useForm(
    { password: "" },
    {
      async send({ password }) {
        const body = password ? { password } : {};
        setRecoveryKey((await app<{ recovery_key: string }>("POST", "/recovery-key", { body })).recovery_key);
      },
    },
  );
  if (recovery_key) {
    return (
      <Dialog title="Your new recovery key" onClose={onClose}>
        <div class="stack">
          <CopyBox text={recovery_key} label="Copy the recovery key" />
          <Notice tone="warn">
            <p>Shown this once. Print it, or put it into a password manager. Keep the old one for older backups.</p>
          </Notice>
          <div class="actions end">
            <Button kind="primary" onClick={onClose}>
              I have stored it
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Make a new recovery key?" onClose={onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>From now on the old one no longer opens this machine or new backups. Nothing else changes.</p>
        <TextField
          label="Your password"
          type="password"
          autocomplete="current-password"
          value={form.values.password}
          fault={form.faults.password}
          onInput={(value) => form.set("password", value)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="danger" busy={form.busy}>
            Make a new one
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
