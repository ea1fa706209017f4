import { useState } from "preact/hooks";
import type { TotpStart, TotpState } from "../../api/auth.ts";
import { app, save } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, Badge, Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";

/** The authenticator app as a second factor. */
export function Authenticator() {
  const totp = useLoad("totp", () => app<TotpState>("GET", "/totp"));
  const [started, setStarted] = useState<TotpStart | null>(null);
  const [ending, setEnding] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const start = () => {
    app<TotpStart>("POST", "/totp", { body: {} }).then((next) => {
      setStarted(next);
      setFault(null);
    }, setFault);
  };
  return (
    <Card
      title="Authenticator app"
      text="Asks for a six-digit code in addition to your password, so that a stolen password is not enough to sign in."
    >
      <Await of={totp} lines={1}>
        {({ on, backup_codes_left }) => (
          <div class="row">
            <p class="row-main">
              <Badge tone={on ? "good" : "quiet"}>{on ? "On" : "Off"}</Badge>
              {on && <span class="hint"> {counted(backup_codes_left, "backup code")} left</span>}
            </p>
            <div class="row-actions">
              {on ? (
                <Button onClick={() => setEnding(true)}>Turn off</Button>
              ) : (
                <Button onClick={start}>Turn on</Button>
              )}
            </div>
          </div>
        )}
      </Await>
      <FaultNotice error={fault} />
      {started && <TurnOn started={started} onClose={() => setStarted(null)} onDone={totp.reload} />}
      {ending && <TurnOff onClose={() => setEnding(false)} onDone={totp.reload} />}
    </Card>
  );
}

interface TurnOnProps {
  started: TotpStart;
  onClose(): void;
  onDone(): Promise<void>;
}

function TurnOn({ started, onClose, onDone }: TurnOnProps) {
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = useForm(
    { code: "" },
    {
      check: ({ code }) =>
        /^\d{6}$/.test(code.replaceAll(" ", "")) ? {} : { code: "Enter the six digits from the app." },
      async send({ code }) {
        const body = { code: code.replaceAll(" ", "") };
        setCodes((await app<{ backup_codes: string[] }>("POST", "/totp/confirm", { body })).backup_codes);
        await onDone();
      },
    },
  );
  if (codes) {
    return (
      <Dialog title="Your backup codes" onClose={onClose}>
        <div class="stack">
          <p>Each code signs you in once if you lose your phone.</p>
          <ul class="codes mono">
            {codes.map((code) => (
              <li key={code}>{code}</li>
            ))}
          </ul>
          <Notice tone="warn">
            <p>These codes are shown only once. Save them now.</p>
          </Notice>
          <div class="actions between">
            <Button
              icon="download"
              onClick={() =>
                save(new Blob([`${codes.join("\n")}\n`], { type: "text/plain" }), "postroom-backup-codes.txt")
              }
            >
              Download
            </Button>
            <Button kind="primary" onClick={onClose}>
              I saved the codes
            </Button>
          </div>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title="Turn on authenticator app" onClose={onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>Scan this QR code with your authenticator app, then enter the code that the app shows.</p>
        {started.qr_svg && (
          <img
            class="qr"
            alt="QR code for the authenticator app"
            src={`data:image/svg+xml,${encodeURIComponent(started.qr_svg)}`}
          />
        )}
        <details>
          <summary>Enter the secret manually</summary>
          <CopyBox text={started.secret} label="Copy secret" />
        </details>
        <TextField
          label="Authenticator code"
          inputmode="numeric"
          autocomplete="one-time-code"
          mono
          value={form.values.code}
          fault={form.faults.code}
          onInput={(value) => form.set("code", value)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            Turn on
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function TurnOff({ onClose, onDone }: { onClose(): void; onDone(): Promise<void> }) {
  const form = useForm(
    { password: "" },
    {
      check: ({ password }) => (password ? {} : { password: "Enter your password." }),
      async send({ password }) {
        await app("DELETE", "/totp", { body: { password } });
        await onDone();
        onClose();
        showToast("Authenticator app turned off.");
      },
    },
  );
  return (
    <Dialog title="Turn off authenticator app?" onClose={onClose}>
      <form class="stack" noValidate onSubmit={form.submit}>
        <p>You will then sign in with your password alone. Your backup codes stop working too.</p>
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
            Turn off
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
