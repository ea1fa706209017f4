import { useRef, useState } from "preact/hooks";
import { app, download, v1 } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { isOwner, refreshSession, session } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";

/** Export of the user's data, import of contacts, and deletion of the account. */
export function YourData() {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const file = useRef<HTMLInputElement>(null);
  const email = session.value!.user!.email;
  const run = (work: Promise<void>) => {
    setBusy(true);
    work.then(() => setFault(null), setFault).finally(() => setBusy(false));
  };
  async function importContacts(chosen: File) {
    const body = new FormData();
    body.append("file", chosen);
    const { imported, skipped } = await v1<{ imported: number; skipped: number }>("POST", "/contacts/import", { body });
    showToast(`${counted(imported, "contact")} imported, ${skipped} skipped.`);
  }
  return (
    <Card title="Your data">
      <ul class="rows">
        <li class="row">
          <p class="row-main">Export all your data in one file: mail as .eml, everything else as JSON.</p>
          <div class="row-actions">
            <Button
              icon="download"
              busy={busy}
              onClick={() => run(download("GET", "/me/export", {}, "postroom-export.zip"))}
            >
              {" "}
              Export data{" "}
            </Button>
          </div>
        </li>
        <li class="row">
          <p class="row-main">Import contacts from a vCard file (.vcf). New details are added to existing contacts.</p>
          <div class="row-actions">
            <input
              ref={file}
              class="visually-hidden"
              type="file"
              tabIndex={-1}
              aria-label="vCard file"
              accept=".vcf,text/vcard"
              onChange={(event) => {
                const chosen = event.currentTarget.files?.[0];
                if (chosen) run(importContacts(chosen));
                event.currentTarget.value = "";
              }}
            />
            <Button busy={busy} onClick={() => file.current?.click()}>
              Import contacts
            </Button>
          </div>
        </li>
        {!isOwner() && (
          <li class="row">
            <p class="row-main">Delete your account and all your data on this machine.</p>
            <div class="row-actions">
              <ConfirmButton
                kind="danger"
                title="Delete your account?"
                text={
                  <>
                    <p>
                      This deletes the copies of your mail on this machine, and your drafts, API keys, rules, contacts,
                      notes and settings. You cannot undo this.
                    </p>
                    <p>
                      <strong>Your mail servers keep your mail.</strong> The owner's backups still contain your data
                      until they are deleted.
                    </p>
                  </>
                }
                action="Delete account"
                typed={email}
                act={async () => {
                  await app("DELETE", "/me", { body: { confirm_email: email } });
                  await refreshSession();
                }}
              >
                Delete account
              </ConfirmButton>
            </div>
          </li>
        )}
      </ul>
      <FaultNotice error={fault} />
    </Card>
  );
}
