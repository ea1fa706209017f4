import { useState } from "preact/hooks";
import type { PasskeyRow } from "../../api/auth.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, Card, FaultNotice } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";
import { PasskeyNotice } from "../sign-in/passkey-notice.tsx";
import { createPasskey, type PasskeyCreation, passkeysAvailable } from "../sign-in/webauthn.ts";

export function Passkeys() {
  const passkeys = useLoad("passkeys", async () => (await app<{ data: PasskeyRow[] }>("GET", "/passkeys")).data);
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  async function add() {
    setBusy(true);
    try {
      const options = await app<PasskeyCreation>("POST", "/passkeys/options", { body: {} });
      const credential = await createPasskey(options);
      await app("POST", "/passkeys", { body: { name: name.trim() || "Passkey", credential } });
      setName("");
      setFault(null);
      await passkeys.reload();
      showToast("Passkey added.");
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Card
      title="Passkeys"
      text="Sign in with your fingerprint, face or device PIN. A passkey cannot be guessed or phished."
    >
      <Await of={passkeys} lines={2}>
        {(rows) =>
          rows.length === 0 ? (
            <p class="hint">No passkeys yet. Add one to sign in without a password.</p>
          ) : (
            <ul class="rows">
              {rows.map((row) => (
                <li key={row.id} class="row">
                  <div class="row-main">
                    <p class="row-title">{row.name}</p>
                    <p class="hint">
                      Added <Ago at={row.created_at} />
                      {row.last_used_at && (
                        <>
                          {" · last used "}
                          <Ago at={row.last_used_at} />
                        </>
                      )}
                    </p>
                  </div>
                  <ConfirmButton
                    small
                    label={`Remove passkey ${row.name}`}
                    title={`Remove “${row.name}”?`}
                    text={
                      <p>
                        You will no longer be able to sign in with this passkey. Your password and other passkeys keep
                        working.
                      </p>
                    }
                    action="Remove passkey"
                    act={async () => {
                      await app("DELETE", `/passkeys/${encodeURIComponent(row.id)}`);
                      await passkeys.reload();
                    }}
                  >
                    {" "}
                    Remove passkey{" "}
                  </ConfirmButton>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      {passkeysAvailable() ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) void add();
          }}
        >
          <div class="with-button">
            <TextField label="Device name" placeholder="My phone" autocomplete="off" value={name} onInput={setName} />
            <Button type="submit" busy={busy} icon="plus">
              Add passkey
            </Button>
          </div>
          <FaultNotice error={fault} />
        </form>
      ) : (
        <PasskeyNotice />
      )}
    </Card>
  );
}
