import { useState } from "preact/hooks";
import type { ProofMethods } from "../../api/auth.ts";
import { app, link } from "../../api/client.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { getPasskey, type PasskeyRequest, passkeysAvailable } from "./webauthn.ts";

interface ProofProps {
  done(proved: boolean): void;
}

/** Comes up when the server wants to know once more who sits there; what was asked for goes on after it. */
export function ReAuthenticationDialog({ done }: ProofProps) {
  const methods = useLoad("proof", () => app<ProofMethods>("GET", "/proof"));
  return (
    <Dialog title="Is it you?" onClose={() => done(false)}>
      <div class="stack">
        <p>
          This hands out access that lasts, or cannot be undone. You signed in a while ago, so prove once more that it
          is you and not somebody who found this browser open.
        </p>
        <Await of={methods} lines={2}>
          {(known) => <Ways methods={known} done={done} />}
        </Await>
      </div>
    </Dialog>
  );
}

function Ways({ methods: { password, passkey, oidc, proxy }, done }: ProofProps & { methods: ProofMethods }) {
  const [fault, setFault] = useState<unknown>(null);
  const [away, setAway] = useState(false);
  const run = (work: Promise<void>) => void work.then(() => done(true), setFault);
  return (
    <>
      {password && <PasswordForm done={done} />}
      {password && ((passkey && passkeysAvailable()) || oidc) && <p class="or">or</p>}
      <FaultNotice error={fault} />
      {passkey && passkeysAvailable() && (
        <Button icon="key" onClick={() => run(byPasskey())}>
          Use a passkey
        </Button>
      )}
      {oidc &&
        (away ? (
          <Button kind="primary" onClick={() => done(true)}>
            I have signed in there
          </Button>
        ) : (
          <ButtonLink href={link("app/oidc/start?again=1")} icon="external" outside onClick={() => setAway(true)}>
            Sign in anew with {oidc.name}
          </ButtonLink>
        ))}
      {proxy && (
        <Button kind="primary" onClick={() => run(app("POST", "/proof", { body: {} }))}>
          Go on as the proxy's sign-in says
        </Button>
      )}
    </>
  );
}

function PasswordForm({ done }: ProofProps) {
  const form = useForm(
    { password: "" },
    {
      check: ({ password }) => (password ? {} : { password: "Type your password." }),
      async send({ password }) {
        await app("POST", "/proof", { body: { password } });
        done(true);
      },
    },
  );
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <TextField
        label="Your password"
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
          Go on
        </Button>
      </div>
    </form>
  );
}

async function byPasskey(): Promise<void> {
  const options = await app<PasskeyRequest>("POST", "/sign-in/passkey/options", { body: {} });
  await app("POST", "/proof/passkey", { body: await getPasskey(options) });
}
