import { useState } from "preact/hooks";
import { save } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Checkbox } from "../../parts/field.tsx";
import { Notice } from "../../parts/layout.tsx";

interface RecoveryKeyProps {
  recovery_key: string;
  /** What must be set before the next start. */
  next_start: string | null;
  onStored(): Promise<void>;
}

/** Shown once: the key that opens backups, and the mail when every other way is lost. */
export function RecoveryKey({ recovery_key, next_start, onStored }: RecoveryKeyProps) {
  const [stored, setStored] = useState(false);
  const [busy, setBusy] = useState(false);
  const sheet = [
    "Postroom recovery key",
    "",
    recovery_key,
    "",
    "It opens the backups of this Postroom, and its mail when the passphrase or key is lost.",
    "Keep it away from the machine. Whoever has it and a backup can read all mail.",
  ].join("\n");
  return (
    <div class="stack">
      <h1>Your recovery key</h1>
      <p class="lead">
        It opens your backups, and your mail if the key of this machine is lost. Print it, or put it into a password
        manager.
      </p>
      <CopyBox text={recovery_key} label="Copy the recovery key" />
      <div class="actions">
        <Button
          icon="download"
          onClick={() => save(new Blob([sheet], { type: "text/plain" }), "postroom-recovery-key.txt")}
        >
          Save as a file
        </Button>
      </div>
      <Notice tone="warn">
        <p>It is shown this once and is not kept here. Nobody can make it again.</p>
      </Notice>
      {next_start && (
        <Notice tone="info" title="Before the next start">
          <p>{next_start}</p>
        </Notice>
      )}
      <Checkbox label="I have stored it in a safe place" checked={stored} onChange={setStored} />
      <div class="actions end">
        <Button
          kind="primary"
          disabled={!stored}
          busy={busy}
          onClick={() => {
            setBusy(true);
            void onStored();
          }}
        >
          Connect the first mailbox
        </Button>
      </div>
    </div>
  );
}
