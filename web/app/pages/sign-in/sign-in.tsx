import { useState } from "preact/hooks";
import type { SignInInput } from "../../api/auth.ts";
import { app, Fault, link } from "../../api/client.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { TextField } from "../../parts/field.tsx";
import { Heading } from "../../parts/heading.tsx";
import { FaultNotice, Notice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { refreshSession, session } from "../../state/session.ts";
import { ended } from "../../state/session-ended.ts";
import { PasskeyNotice } from "./passkey-notice.tsx";
import { getPasskey, type PasskeyRequest, passkeysAvailable } from "./webauthn.ts";

export function SignIn() {
  const { methods } = session.value!;
  const [fault, setFault] = useState<unknown>(null);
  return (
    <div class="sign-in-card stack">
      <Heading>Sign in</Heading>
      {ended.value > 0 && <Notice tone="info">Your session has ended. Sign in to continue where you left off.</Notice>}
      {methods.password && <PasswordForm />}
      {methods.password && <ForgottenPassword />}
      {((methods.passkey && passkeysAvailable()) || methods.oidc) && <p class="or">or</p>}
      <FaultNotice error={fault} />
      {methods.passkey && !passkeysAvailable() && <PasskeyNotice />}
      {methods.passkey && passkeysAvailable() && (
        <Button icon="key" onClick={() => void withPasskey().catch(setFault)}>
          Sign in with passkey
        </Button>
      )}
      {methods.oidc && (
        <ButtonLink href={link("app/oidc/start")} icon="right">
          Sign in with {methods.oidc.name}
        </ButtonLink>
      )}
      {!methods.password && !methods.passkey && !methods.oidc && (
        <Notice tone="warn" title="Sign in through the proxy">
          <p>
            A reverse proxy handles sign-in for this installation, but it did not identify you. Sign in at the proxy,
            then reload this page.
          </p>
        </Notice>
      )}
    </div>
  );
}

function PasswordForm() {
  const [second, setSecond] = useState(false);
  const form = useForm(
    { email: "", password: "", totp: "" },
    {
      check: ({ email, password, totp }) => {
        if (second) return totp.trim() ? {} : { totp: "Enter the code from your authenticator app." };
        return {
          ...(email.trim() ? {} : { email: "Enter your email address." }),
          ...(password ? {} : { password: "Enter your password." }),
        };
      },
      async send({ email, password, totp }) {
        const body: SignInInput = { email: email.trim(), password };
        if (second) body.totp = totp.replaceAll(" ", "");
        try {
          await app("POST", "/sign-in", { body });
        } catch (error) {
          if (!(error instanceof Fault) || error.code !== "totp_required" || second) throw error;
          return setSecond(true);
        }
        await refreshSession();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      {second ? (
        <TextField
          key="totp"
          label="Authenticator code"
          hint="The six digits from your authenticator app, or a backup code."
          inputmode="numeric"
          autocomplete="one-time-code"
          autofocus
          mono
          value={values.totp}
          fault={faults.totp}
          onInput={(value) => set("totp", value)}
        />
      ) : (
        <>
          <TextField
            label="Email address"
            type="email"
            autocomplete="username"
            value={values.email}
            fault={faults.email}
            onInput={(value) => set("email", value)}
          />
          <TextField
            label="Password"
            type="password"
            autocomplete="current-password"
            value={values.password}
            fault={faults.password}
            onInput={(value) => set("password", value)}
          />
        </>
      )}
      <FaultNotice error={form.fault} />
      <div class="actions">
        <Button type="submit" kind="primary" busy={form.busy}>
          Sign in
        </Button>
        {second && (
          <Button kind="quiet" onClick={() => setSecond(false)}>
            Back
          </Button>
        )}
      </div>
    </form>
  );
}

function ForgottenPassword() {
  return (
    <details>
      <summary>Forgot your password?</summary>
      <div class="stack">
        <p>If someone else runs this Postroom, ask them for a new invitation link.</p>
        <p>
          If you run it, open a terminal on its machine and enter this command, with your email address and the data
          folder. It asks for a new password and keeps all your mail.
        </p>
        <CopyBox text="postroom user passwd EMAIL --data FOLDER" label="Copy the command" />
        <p class="hint">The recovery key is for backups. It cannot replace your password.</p>
      </div>
    </details>
  );
}

async function withPasskey(): Promise<void> {
  const options = await app<PasskeyRequest>("POST", "/sign-in/passkey/options", { body: {} });
  const answer = await getPasskey(options);
  await app("POST", "/sign-in/passkey", { body: answer });
  await refreshSession();
}
