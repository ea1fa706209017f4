import type { BackupTarget } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextArea, TextField } from "../parts/field.tsx";
import type { Form } from "../state/form.ts";
import { Configured } from "./backup-configured.tsx";
import { KEEPS, KeptSecret } from "./backup-kept-secret.tsx";
import { keepsLogin, type Values } from "./backup-target-values.ts";

interface Props {
  form: Form<Values>;
  target: BackupTarget;
}

/** The fields of a server with SSH. */
export function Server({ form, target }: Props) {
  const { values, faults, set } = form;
  return (
    <>
      <div class="columns">
        <TextField
          label="Server"
          placeholder="nas.lan"
          mono
          inputmode="url"
          autocomplete="off"
          value={values.host}
          fault={faults.host}
          onInput={(host) => set("host", host)}
        />
        <TextField
          label="Port"
          type="number"
          min={1}
          max={65535}
          value={values.port}
          fault={faults.port}
          onInput={(port) => set("port", port)}
        />
        <TextField
          label="User"
          mono
          autocomplete="off"
          value={values.user}
          fault={faults.user}
          onInput={(user) => set("user", user)}
        />
      </div>
      <TextField
        label="Path of the folder on the server"
        hint="The folder must exist: Postroom does not create it. ~/ is the home folder of the user."
        placeholder="/volume1/postroom"
        mono
        autocomplete="off"
        value={values.path}
        fault={faults.path}
        onInput={(path) => set("path", path)}
      />
      <SignIn form={form} target={target} />
      <HostKey form={form} target={target} />
    </>
  );
}

function SignIn({ form: { values, faults, set }, target }: Props) {
  const configured = ["password", "key_file"].filter((name) => target.configured.includes(`backup.sftp.${name}`));
  if (configured.length > 0) {
    return (
      <>
        {configured.map((name) => (
          <Configured
            key={name}
            name={name === "password" ? "Password" : "Private key"}
            value="Set"
            keyName={`backup.sftp.${name}`}
          />
        ))}
      </>
    );
  }
  const kept = keepsLogin(values, target);
  return (
    <>
      <Choice
        legend="Sign in with"
        name="sftp-sign-in"
        value={values.sign_in}
        inline
        options={[
          { value: "key", title: "Private key" },
          { value: "password", title: "Password" },
        ]}
        onChange={(sign_in) => set("sign_in", sign_in)}
      />
      {values.sign_in === "password" ? (
        <KeptSecret key="password" name="Password" isKept={kept && values.password === ""} fault={faults.password}>
          {(replacing) => (
            <TextField
              label="Password"
              type="password"
              autocomplete="off"
              autofocus={replacing}
              hint={kept ? KEEPS : undefined}
              value={values.password}
              fault={faults.password}
              onInput={(password) => set("password", password)}
            />
          )}
        </KeptSecret>
      ) : (
        <KeptSecret
          key="key"
          name="Private key"
          isKept={kept && values.key === ""}
          fault={faults.key ?? faults.key_passphrase}
        >
          {() => (
            <>
              <TextArea
                label="Private key"
                hint={
                  kept
                    ? KEEPS
                    : "The whole text of the file that ssh-keygen creates, such as id_ed25519. The text of id_ed25519.pub belongs in the authorized keys of the user on the server."
                }
                rows={5}
                value={values.key}
                fault={faults.key}
                onInput={(key) => set("key", key)}
              />
              <TextField
                label="Passphrase of the private key (optional)"
                type="password"
                autocomplete="off"
                value={values.key_passphrase}
                fault={faults.key_passphrase}
                onInput={(passphrase) => set("key_passphrase", passphrase)}
              />
            </>
          )}
        </KeptSecret>
      )}
    </>
  );
}

const FINGERPRINT = /SHA256:[A-Za-z0-9+/]{43}/;

/** The fingerprint of the server. A test shows the one that the server presents. */
function HostKey({ form: { values, faults, set }, target }: Props) {
  if (target.configured.includes("backup.sftp.host_key")) {
    return <Configured name="Fingerprint of the server" value={target.host_key} keyName="backup.sftp.host_key" />;
  }
  const [presented] = FINGERPRINT.exec(faults.host_key ?? "") ?? [];
  return (
    <>
      <TextField
        label="Fingerprint of the server"
        hint="Leave this empty and test: Postroom shows the fingerprint, and sends nothing until you confirm it. On the server, ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub shows it."
        placeholder="SHA256:…"
        mono
        autocomplete="off"
        value={values.host_key}
        fault={faults.host_key}
        onInput={(host_key) => set("host_key", host_key.trim())}
      />
      {presented && presented !== values.host_key && (
        <div class="actions">
          <Button small onClick={() => set("host_key", presented)}>
            Use this fingerprint
          </Button>
        </div>
      )}
    </>
  );
}
