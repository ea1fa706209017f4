import { useState } from "preact/hooks";
import type { ReauthenticationMethods } from "../../api/auth.ts";
import { app, link } from "../../api/client.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { getPasskey, type PasskeyRequest, passkeysAvailable } from "./webauthn.ts";

interface ReAuthenticationProps {
  done(confirmed: boolean): void;
}

/** Appears when the server requires re-authentication. The original request continues afterwards. */
export function ReAuthenticationDialog({ done }: ReAuthenticationProps) {
  const methods = useLoad("re-authentication", () => app<ReauthenticationMethods>("GET", "/proof"));
  return (
    <Dialog title="Confirm your identity" onClose={() => done(false)}>
      <div class="stack">
        <p>This action grants lasting access or cannot be undone. You signed in a while ago, so authenticate again.</p>
        <Await of={methods} lines={2}>
          {(known) => <Methods methods={known} done={done} />}
        </Await>
      </div>
    </Dialog>
  );
}

function Methods({
  methods: { password, passkey, oidc, proxy },
  done,
}: ReAuthenticationProps & { methods: ReauthenticationMethods }) {
  const [fault, setFault] = useState<unknown>(null);
  const [signInOpened, setSignInOpened] = useState(false);
  const run = (work: Promise<void>) => void work.then(() => done(true), setFault);
  return (
    <>
      {password && <PasswordForm done={done} />}
      {password && ((passkey && passkeysAvailable()) || oidc) && <p class="or">or</p>}
      <FaultNotice error={fault} />
      {passkey && passkeysAvailable() && (
        <Button icon="key" onClick={() => run(withPasskey())}>
          Use passkey
        </Button>
      )}
      {oidc &&
        (signInOpened ? (
          <Button kind="primary" onClick={() => done(true)}>
            I signed in again
          </Button>
        ) : (
          <ButtonLink
            href={link("app/oidc/start?again=1")}
            icon="external"
            outside
            onClick={() => setSignInOpened(true)}
          >
            Sign in again with {oidc.name}
          </ButtonLink>
        ))}
      {proxy && (
        <Button kind="primary" onClick={() => run(app("POST", "/proof", { body: {} }))}>
          Continue with the proxy's sign-in
        </Button>
      )}
    </>
  );
}

function PasswordForm({ done }: ReAuthenticationProps) {
  const form = useForm(
    { password: "" },
    {
      check: ({ password }) => (password ? {} : { password: "Enter your password." }),
      async send({ password }) {
        await app("POST", "/proof", { body: { password } });
        done(true);
      },
    },
  );
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <TextField
        label="Password"
        type="password"
        autocomplete="current-password"
        autofocus
        value={form.values.password}
        fault={form.faults.password}
        onInput={(value) => form.set("password", value)}
      />
      <FaultNotice error={form.fault} />
      <div class="actions end">
        <Button onClick={() => done(false)}>Cancel</Button>
        <Button type="submit" kind="primary" busy={form.busy}>
          Continue
        </Button>
      </div>
    </form>
  );
}

async function withPasskey(): Promise<void> {
  const options = await app<PasskeyRequest>("POST", "/sign-in/passkey/options", { body: {} });
  await app("POST", "/proof/passkey", { body: await getPasskey(options) });
}
