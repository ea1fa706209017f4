import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";

/** Replaces the recovery key if the owner lost it or someone else saw it. */
export function NewRecoveryKey() {
  const [open, setOpen] = useState(false);
  return (
    <Card title="Recovery key" text="Opens your backups, and your mail if this machine's encryption key is lost.">
      <div class="row">
        <p class="row-main">
          If you lost the key or someone else saw it, create a new one. Existing backups still need the old key.
        </p>
        <div class="row-actions">
          <Button onClick={() => setOpen(true)}>Create recovery key</Button>
        </div>
      </div>
      {open && <CreateDialog onClose={() => setOpen(false)} />}
    </Card>
  );
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const [recoveryKey, setRecoveryKey] = useState<string | null>(null);
  const form = useForm(
    { password: "" },
    {
      async send({ password }) {
        const body = password ? { password } : {};
        setRecoveryKey((await app<{ recovery_key: string }>("POST", "/recovery-key", { body })).recovery_key);
      },
    },
  );
  if (recoveryKey) {
    return (
      <Dialog title="Your new recovery key" onClose={onClose}>
        <div class="stack">
          <CopyBox text={recoveryKey} label="Copy recovery key" />
          <Notice tone="warn">
            <p>
              The key is shown only once. Print it or save it in a password manager. Keep the old key for older backups.
            </p>
          </Notice>
          <div class="actions end">
            <Button kind="primary" onClick={onClose}>
              I saved the key
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Create a new recovery key?" onClose={onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>The old key will no longer open the data on this machine or new backups. Nothing else changes.</p>
        <TextField
          label="Password"
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
            Create recovery key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
