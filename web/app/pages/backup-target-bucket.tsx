import { useState } from "preact/hooks";
import type { BackupTarget } from "../api/machine.ts";
import { Checkbox, Select, TextArea, TextField } from "../parts/field.tsx";
import type { Form } from "../state/form.ts";
import { Configured } from "./backup-configured.tsx";
import { KEEPS, KeptSecret } from "./backup-kept-secret.tsx";
import { AMAZON, filledBy, keepsSecret, PRESETS, regionIn, type Values } from "./backup-target-values.ts";

/** The fields of a bucket. */
export function Bucket({ form, target }: { form: Form<Values>; target: BackupTarget }) {
  const { values, faults, set } = form;
  const isSet = (name: string) => target.configured.includes(`backup.s3.${name}`);
  const preset = PRESETS.find(({ value }) => value === values.preset)!;
  return (
    <>
      {isSet("endpoint") ? (
        <Configured name="Endpoint" value={target.endpoint || "Amazon S3"} keyName="backup.s3.endpoint" />
      ) : (
        <>
          <Select
            label="Store"
            value={values.preset}
            options={PRESETS}
            onChange={(value) => {
              const filled = filledBy(PRESETS.find((each) => each.value === value)!);
              for (const name of Object.keys(filled) as (keyof typeof filled)[]) set(name, filled[name]);
            }}
          />
          {values.preset !== AMAZON && (
            <TextField
              label="Endpoint"
              hint={preset.hint}
              mono
              inputmode="url"
              autocomplete="off"
              value={values.endpoint}
              fault={faults.endpoint}
              onInput={(endpoint) => {
                set("endpoint", endpoint);
                const region = regionIn(endpoint);
                if (region && !isSet("region")) set("region", region);
              }}
            />
          )}
        </>
      )}
      <div class="columns">
        <TextField
          label="Bucket"
          mono
          autocomplete="off"
          value={values.bucket}
          fault={faults.bucket}
          onInput={(bucket) => set("bucket", bucket)}
        />
        <TextField
          label="Prefix (optional)"
          placeholder="postroom"
          mono
          autocomplete="off"
          value={values.prefix}
          fault={faults.prefix}
          onInput={(prefix) => set("prefix", prefix)}
        />
        {isSet("region") ? (
          <Configured name="Region" value={target.region} keyName="backup.s3.region" />
        ) : (
          <TextField
            label="Region"
            mono
            autocomplete="off"
            value={values.region}
            fault={faults.region}
            onInput={(region) => set("region", region)}
          />
        )}
      </div>
      <div class="columns">
        {isSet("access_key_id") ? (
          <Configured name="Access key ID" value="Set" keyName="backup.s3.access_key_id" />
        ) : (
          <TextField
            label="Access key ID"
            mono
            autocomplete="off"
            value={values.access_key_id}
            fault={faults.access_key_id}
            onInput={(id) => set("access_key_id", id)}
          />
        )}
        {isSet("secret_access_key") ? (
          <Configured name="Secret access key" value="Set" keyName="backup.s3.secret_access_key" />
        ) : (
          <Secret form={form} target={target} />
        )}
      </div>
      <More form={form} target={target} />
    </>
  );
}

/** The secret must be replaced if it belongs to another access key. */
function Secret({ form: { values, faults, set }, target }: { form: Form<Values>; target: BackupTarget }) {
  const name = "Secret access key";
  return (
    <KeptSecret
      name={name}
      isKept={keepsSecret(values, target) && values.secret_access_key === ""}
      fault={faults.secret_access_key}
    >
      {(replacing) => (
        <TextField
          label={name}
          type="password"
          autocomplete="off"
          mono
          autofocus={replacing}
          hint={keepsSecret(values, target) ? KEEPS : undefined}
          value={values.secret_access_key}
          fault={faults.secret_access_key}
          onInput={(secret) => set("secret_access_key", secret)}
        />
      )}
    </KeptSecret>
  );
}

function More({ form: { values, faults, set }, target }: { form: Form<Values>; target: BackupTarget }) {
  const isSet = (name: string) => target.configured.includes(`backup.s3.${name}`);
  const [open, setOpen] = useState(values.ca !== "");
  const faulty = faults.ca !== undefined || faults.path_style !== undefined;
  return (
    <details open={open || faulty} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>More settings</summary>
      <div class="stack">
        {isSet("path_style") ? (
          <Configured name="Path style" value={target.path_style ? "On" : "Off"} keyName="backup.s3.path_style" />
        ) : (
          <Checkbox
            label="Path style"
            hint="Requests name the bucket in the path: ENDPOINT/BUCKET. Without this, it is part of the host name: BUCKET.ENDPOINT."
            checked={values.path_style}
            onChange={(path_style) => set("path_style", path_style)}
          />
        )}
        {isSet("ca_file") ? (
          <Configured name="Certificate of your own authority" value="Set" keyName="backup.s3.ca_file" />
        ) : (
          <TextArea
            label="Certificate of your own authority (optional)"
            hint="PEM text, if the store has a certificate that no public authority issued."
            rows={4}
            value={values.ca}
            fault={faults.ca}
            onInput={(ca) => set("ca", ca)}
          />
        )}
      </div>
    </details>
  );
}
