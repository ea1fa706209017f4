import { useState } from "preact/hooks";
import { save } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Checkbox } from "../../parts/field.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Notice } from "../../parts/layout.tsx";

interface RecoveryKeyProps {
  recoveryKey: string;
  /** The setting that the owner must change before the next start. */
  nextStart: string | null;
  onStored(): Promise<void>;
}

/** Shows the recovery key once. It opens backups, and the mail if the encryption key is lost. */
export function RecoveryKey({ recoveryKey, nextStart, onStored }: RecoveryKeyProps) {
  const [stored, setStored] = useState(false);
  const [busy, setBusy] = useState(false);
  const sheet = [
    "Postroom recovery key",
    "",
    recoveryKey,
    "",
    "This key opens the backups of this Postroom installation, and its mail if the passphrase or encryption key is lost.",
    "Store it separately from the machine. Anyone with this key and a backup can read all mail.",
  ].join("\n");
  return (
    <div class="stack">
      <Heading>Your recovery key</Heading>
      <p class="lead">
        The recovery key opens your backups, and your mail if this machine's encryption key is lost. Print it or save it
        in a password manager.
      </p>
      <CopyBox text={recoveryKey} label="Copy recovery key" />
      <div class="actions">
        <Button
          icon="download"
          onClick={() => save(new Blob([sheet], { type: "text/plain" }), "postroom-recovery-key.txt")}
        >
          Download
        </Button>
      </div>
      <Notice tone="warn">
        <p>The key is shown only once and is not stored on this machine. It cannot be recovered.</p>
      </Notice>
      {nextStart && (
        <Notice tone="info" title="Before the next start">
          <p>{nextStart}</p>
        </Notice>
      )}
      <Checkbox label="I saved the recovery key in a safe place" checked={stored} onChange={setStored} />
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
          Connect first mailbox
        </Button>
      </div>
    </div>
  );
}
