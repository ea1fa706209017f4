import type { Custody } from "../../api/auth.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, TextField } from "../../parts/field.tsx";
import { Icon } from "../../parts/icon.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import type { Form } from "../../state/form.ts";
import { session } from "../../state/session.ts";
import type { SetupValues } from "./setup-values.ts";

/** The second step: where the key lies that opens the mail, and what each place protects against. */
export function KeyStorage({ form, given, onBack }: { form: Form<SetupValues>; given: Custody; onBack(): void }) {
  const { values, faults, set } = form;
  // A key or passphrase that was given at the start is the only choice.
  const offered = session.value!.custody_choices.filter(({ custody }) => given === "key_file" || custody === given);
  return (
    <>
      <h1>Where shall the key to your mail lie?</h1>
      <p class="lead">
        Messages, addresses and files are encrypted on the disk. Anyone with the key can read them. Without the key,
        sizes and times are visible: use disk encryption as well.
      </p>
      <Choice
        legend="Key to the mail"
        name="custody"
        value={values.custody}
        options={offered.map(({ custody, title, protects, not, start }) => ({
          value: custody,
          title,
          text: (
            <span class="key-storage">
              <span class="good">
                <Icon name="check" size={15} />
                <span>{protects}</span>
              </span>
              <span class="warn">
                <Icon name="warning" size={15} />
                <span>{not}</span>
              </span>
              <span>
                <Icon name="refresh" size={15} />
                <span>{start}</span>
              </span>
            </span>
          ),
        }))}
        onChange={(value) => set("custody", value)}
        fault={faults.custody}
      />
      {values.custody === "passphrase" && given !== "passphrase" && (
        <>
          <TextField
            label="Passphrase"
            hint="Five or six random words. It is not your password for signing in."
            type="password"
            autocomplete="new-password"
            required
            value={values.passphrase}
            fault={faults.passphrase}
            onInput={(value) => set("passphrase", value)}
          />
          <TextField
            label="Passphrase, once more"
            type="password"
            autocomplete="new-password"
            required
            value={values.again}
            fault={faults.again}
            onInput={(value) => set("again", value)}
          />
        </>
      )}
      {values.custody === "elsewhere" && given !== "elsewhere" && (
        <TextField
          label="Where the key shall lie"
          hint="A path on this machine, outside the data folder, such as a USB stick or another disk. The key is moved there now."
          mono
          autocomplete="off"
          placeholder="/media/stick/postroom.key"
          value={values.key_file}
          fault={faults.key_file}
          onInput={(value) => set("key_file", value)}
        />
      )}
      <FaultNotice error={form.fault} />
      <div class="actions between">
        <Button onClick={onBack}>Back</Button>
        <Button type="submit" kind="primary" busy={form.busy}>
          Create the account
        </Button>
      </div>
    </>
  );
}
