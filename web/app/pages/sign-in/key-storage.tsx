import type { KeyStorageKind } from "../../api/auth.ts";
import { Button } from "../../parts/button.tsx";
import { Choice, TextField } from "../../parts/field.tsx";
import { Heading } from "../../parts/heading.tsx";
import { Icon } from "../../parts/icon.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import type { Form } from "../../state/form.ts";
import { session } from "../../state/session.ts";
import type { SetupValues } from "./setup-values.ts";

/** The second step: where to keep the encryption key, and what each choice protects against. */
export function KeyStorage({
  form,
  given,
  onBack,
}: {
  form: Form<SetupValues>;
  given: KeyStorageKind;
  onBack(): void;
}) {
  const { values, faults, set } = form;
  // If Postroom was started with a key or a passphrase, that is the only choice.
  const offered = session.value!.custody_choices.filter(({ custody }) => given === "key_file" || custody === given);
  return (
    <>
      <Heading>Choose where to keep your encryption key</Heading>
      <p class="lead">
        Postroom encrypts messages, addresses and files on the disk. Anyone with the encryption key can read them, so
        choose who can get at the key. Sizes and times are not encrypted: use disk encryption as well.
        {offered.length > 1 && " If you are not sure, keep the first choice. You can change it later."}
      </p>
      <Choice
        legend="Key storage"
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
            hint="Use five or six random words, different from your sign-in password."
            type="password"
            autocomplete="new-password"
            required
            value={values.passphrase}
            fault={faults.passphrase}
            onInput={(value) => set("passphrase", value)}
          />
          <TextField
            label="Confirm passphrase"
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
          label="Path to the key file"
          hint="An absolute path on this machine, outside the data folder, such as on a USB drive or another disk. Postroom moves the key there immediately."
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
          Create account
        </Button>
      </div>
    </>
  );
}
