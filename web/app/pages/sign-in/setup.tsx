import { useState } from "preact/hooks";
import type { KeyStorageKind, SetupInput, SetupReply } from "../../api/auth.ts";
import { app, Fault } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { Heading } from "../../parts/heading.tsx";
import { FaultNotice, Notice } from "../../parts/layout.tsx";
import { EMAIL, type Faults, type Form, useForm } from "../../state/form.ts";
import { currentRoute, navigate } from "../../state/route.ts";
import { refreshSession, session } from "../../state/session.ts";
import { KeyStorage } from "./key-storage.tsx";
import { PasskeyNotice } from "./passkey-notice.tsx";
import { NewPassword, passwordFault } from "./password-field.tsx";
import { RecoveryKey } from "./recovery-key.tsx";
import type { SetupValues } from "./setup-values.ts";
import { localhostUrl } from "./webauthn.ts";

const STEPS = ["Owner account", "Key storage", "Recovery key"];

/** The first run: creates the owner account and shows the recovery key. */
export function Setup() {
  const [step, setStep] = useState(0);
  const [made, setMade] = useState<SetupReply | null>(null);
  const given = session.value?.custody ?? "key_file";
  const form = useForm<SetupValues>(
    {
      token: currentRoute.value.query.get("token") ?? "",
      email: "",
      password: "",
      custody: given,
      passphrase: "",
      again: "",
      key_file: "",
    },
    {
      check: (values) => (step === 0 ? accountFaults(values) : keyStorageFaults(values, given)),
      async send(values) {
        if (step === 0) return setStep(1);
        try {
          setMade(await create(values, given));
          setStep(2);
        } catch (error) {
          if (error instanceof Fault && onFirstStep(error)) setStep(0);
          throw error;
        }
      },
    },
  );
  // Setup was completed before, possibly in another browser.
  if (!session.value?.setup_needed && made === null) {
    navigate("#/");
    return null;
  }
  return (
    <div class="sign-in-card">
      <ol class="steps" aria-label="Steps">
        {STEPS.map((title, i) => (
          <li key={title} class={i < step ? "past" : undefined} aria-current={i === step ? "step" : undefined}>
            <span class="step-number">{i + 1}</span>
            {title}
          </li>
        ))}
      </ol>
      {made !== null ? (
        <RecoveryKey recoveryKey={made.recovery_key} nextStart={made.next_start} onStored={finish} />
      ) : (
        <form class="stack" noValidate onSubmit={form.submit}>
          {step === 0 ? (
            <AccountStep form={form} />
          ) : (
            <KeyStorage form={form} given={given} onBack={() => setStep(0)} />
          )}
        </form>
      )}
    </div>
  );
}

async function create(values: SetupValues, given: KeyStorageKind): Promise<SetupReply> {
  const { token, email, password, custody, passphrase, key_file } = values;
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
  const body: SetupInput = { token: token.trim(), email: email.trim(), password, timezone, custody };
  if (custody === "passphrase" && given !== "passphrase") body.passphrase = passphrase;
  if (custody === "elsewhere" && given !== "elsewhere") body.key_file = key_file.trim();
  return await app<SetupReply>("POST", "/setup", { body });
}

async function finish(): Promise<void> {
  await refreshSession();
  navigate("#/mailboxes/connect");
}

/** Whether an error belongs to the first step, whose values are sent with the second. */
function onFirstStep({ param, code }: Fault): boolean {
  return code === "setup_token_wrong" || ["token", "email", "password"].includes(param ?? "");
}

function AccountStep({ form }: { form: Form<SetupValues> }) {
  const { values, faults, set } = form;
  const [fromLink] = useState(values.token !== "");
  return (
    <>
      <Heading>Welcome to Postroom</Heading>
      <p class="lead">
        Postroom keeps a private, searchable copy of your mail on this machine. Create the owner account to start. Setup
        takes less than a minute.
      </p>
      {(!fromLink || faults.token) && (
        <TextField
          label="Setup code"
          hint="Postroom printed this code when it started. Find it in the terminal or in the log. It proves that you control this machine."
          mono
          autocomplete="off"
          required
          value={values.token}
          fault={faults.token}
          onInput={(value) => set("token", value)}
        />
      )}
      <TextField
        label="Email address"
        hint="You sign in with this address. It does not have to be one of your mailboxes."
        type="email"
        autocomplete="username"
        required
        value={values.email}
        fault={faults.email}
        onInput={(value) => set("email", value)}
      />
      <NewPassword value={values.password} fault={faults.password} onInput={(value) => set("password", value)} />
      {localhostUrl() !== null && <PasskeyNotice />}
      <FaultNotice error={form.fault} />
      <div class="actions end">
        <Button type="submit" kind="primary" busy={form.busy}>
          Continue
        </Button>
      </div>
      <Notice tone="quiet">
        <p>Everything stays on this machine. No cloud account is involved.</p>
      </Notice>
    </>
  );
}

function accountFaults({ token, email, password }: SetupValues): Faults {
  const faults: Faults = {};
  if (token.trim() === "") faults.token = "Enter the setup code that Postroom printed when it started.";
  if (!EMAIL.test(email.trim())) faults.email = "Enter a valid email address, such as ada@example.org.";
  const wrong = passwordFault(password);
  if (wrong) faults.password = wrong;
  return faults;
}

const MIN_PASSPHRASE_CHARS = 12;

/** The storage that Postroom was started with (`given`) needs no further values. */
function keyStorageFaults({ custody, passphrase, again, key_file }: SetupValues, given: KeyStorageKind): Faults {
  if (custody === given) return {};
  if (custody === "elsewhere") {
    return key_file.trim().startsWith("/")
      ? {}
      : { key_file: "Enter an absolute path, such as /media/stick/postroom.key." };
  }
  if (custody !== "passphrase") return {};
  if (passphrase.length < MIN_PASSPHRASE_CHARS) {
    return { passphrase: `Use at least ${MIN_PASSPHRASE_CHARS} characters, such as five or six random words.` };
  }
  return passphrase === again ? {} : { again: "The passphrases do not match." };
}
