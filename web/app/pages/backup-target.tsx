import { useRef, useState } from "preact/hooks";
import { app } from "../api/client.ts";
import type { BackupStatus, BackupTarget, BackupTargetTest } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox, Choice, Select, TextArea, TextField } from "../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../parts/layout.tsx";
import { counted } from "../parts/numbers.ts";
import { type Form, useForm } from "../state/form.ts";
import type { Loaded } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { Configured } from "./backup-configured.tsx";
import {
  AMAZON,
  bodyOf,
  faultsOf,
  filledBy,
  type Kind,
  keepsSecret,
  PRESETS,
  regionIn,
  type Values,
  valuesOf,
} from "./backup-target-values.ts";

interface Props {
  target: BackupTarget;
  loaded: Loaded<BackupStatus>;
}

const KINDS: { value: Kind; title: string; text: string }[] = [
  { value: "off", title: "Off", text: "Backups stay on this machine, and are lost if it burns or is stolen." },
  {
    value: "s3",
    title: "S3-compatible store",
    text: "MinIO, Garage or Ceph at home, or Backblaze B2, Cloudflare R2 or Amazon S3. The store cannot read your mail.",
  },
  { value: "folder", title: "Folder", text: "A network drive or another disk that is mounted on this machine." },
];

/** The place to which each backup is also sent. What the configuration sets is shown, but cannot be changed here. */
export function Target({ target, loaded }: Props) {
  const isSet = target.configured.includes("backup.to");
  return (
    <Card
      title="Copy to another machine"
      text="Each backup is also sent to the place that you choose here, encrypted. Only your recovery key, your passphrase or a copy of the master key opens it."
    >
      {isSet ? (
        <Configured name="Copy to" value={placeOf(target)} keyName="backup.to" />
      ) : (
        <TargetForm target={target} loaded={loaded} />
      )}
    </Card>
  );
}

/** What the submitted form is for. */
type Intent = "test" | "save" | "save untested";

function TargetForm({ target, loaded }: Props) {
  const intent = useRef<Intent>("save");
  const [report, setReport] = useState<BackupTargetTest | null>(null);
  const [testFailed, setTestFailed] = useState(false);
  const form = useForm(valuesOf(target), {
    check: (values) => faultsOf(values, target),
    async send(values) {
      const asked = intent.current;
      intent.current = "save";
      setReport(null);
      setTestFailed(false);
      const body = bodyOf(values, target);
      if (values.kind !== "off" && asked !== "save untested") {
        try {
          setReport(await app<BackupTargetTest>("POST", "/backup/target/test", { body }));
        } catch (error) {
          setTestFailed(true);
          throw error;
        }
      }
      if (asked === "test") return;
      const saved = await app<BackupStatus>("PUT", "/backup/target", { body });
      loaded.set(saved);
      form.fill({ ...valuesOf(saved.target), preset: values.preset });
      showToast(values.kind === "off" ? "Copies are off." : "Place of the copies saved.");
    },
  });
  const { values, faults } = form;
  const changed: Form<Values> = {
    ...form,
    set(name, value) {
      setReport(null);
      setTestFailed(false);
      form.set(name, value);
    },
  };
  const ask = (asked: Intent) => () => {
    intent.current = asked;
  };
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <Choice
        legend="Copy to"
        name="backup-target"
        value={values.kind}
        options={KINDS}
        fault={faults.kind}
        onChange={(kind) => changed.set("kind", kind)}
      />
      {values.kind === "folder" && (
        <TextField
          label="Path of the folder for copies"
          hint="Postroom writes a test file to it. In a container, this is the path inside the container."
          mono
          value={values.folder}
          fault={faults.folder}
          onInput={(folder) => changed.set("folder", folder)}
        />
      )}
      {values.kind === "s3" && <Bucket form={changed} target={target} />}
      {leaves(values, target) && <p class="hint">{leaves(values, target)}</p>}
      <FaultNotice error={form.fault} />
      {report && <Report report={report} kind={values.kind} />}
      <div class="actions">
        <Button type="submit" kind="primary" busy={form.busy} onClick={ask("save")}>
          {values.kind === "off" ? "Save" : "Test and save"}
        </Button>
        {values.kind !== "off" && (
          <Button type="submit" busy={form.busy} onClick={ask("test")}>
            Test
          </Button>
        )}
        {testFailed && (
          <Button type="submit" busy={form.busy} onClick={ask("save untested")}>
            Save without a test
          </Button>
        )}
      </div>
    </form>
  );
}

function Bucket({ form, target }: { form: Form<Values>; target: BackupTarget }) {
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

/** The secret is not shown again. It can be replaced, and must be if it belongs to another access key. */
function Secret({ form: { values, faults, set }, target }: { form: Form<Values>; target: BackupTarget }) {
  const [replacing, setReplacing] = useState(false);
  const kept = keepsSecret(values, target);
  if (kept && !replacing && values.secret_access_key === "" && !faults.secret_access_key) {
    return (
      <div class="field">
        <p class="field-name">Secret access key</p>
        <div class="kept">
          <span>Saved, not shown again</span>
          <Button small label="Replace the secret access key" onClick={() => setReplacing(true)}>
            Replace
          </Button>
        </div>
      </div>
    );
  }
  return (
    <TextField
      label="Secret access key"
      type="password"
      autocomplete="off"
      mono
      autofocus={replacing}
      hint={kept ? "Leave this empty to keep the saved one." : undefined}
      value={values.secret_access_key}
      fault={faults.secret_access_key}
      onInput={(secret) => set("secret_access_key", secret)}
    />
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

function Report({ report, kind }: { report: BackupTargetTest; kind: Kind }) {
  const { conditional_writes, deletes, copies } = report;
  const name = kind === "s3" ? "store" : "folder";
  return (
    <Notice tone={conditional_writes && deletes ? "good" : "warn"} title="The test passed" live>
      <p>
        Postroom wrote a small object, read it and found it in the list{deletes && ", then deleted it"}.
        {copies > 0 &&
          ` ${counted(copies, "backup")} of this installation ${copies === 1 ? "is" : "are"} already there.`}
      </p>
      <p>
        {conditional_writes
          ? `The ${name} supports conditional writes, so another machine can stand by to take over.`
          : `The ${name} does not support conditional writes. Copies work, but no other machine can stand by to take over.`}
      </p>
      {!deletes && (
        <p>
          The {name} did not delete the object, for example because of an object lock or missing rights. Postroom
          deletes old copies when the {name} permits it.
        </p>
      )}
    </Notice>
  );
}

/** What happens with the copies that are in the earlier place; null if it stays. */
function leaves(values: Values, target: BackupTarget): string | null {
  if (target.kind === "off") return null;
  const stay = `The copies in ${placeOf(target)} stay there until you delete them.`;
  if (values.kind === "off") {
    return target.kind === "s3" ? `${stay} Postroom forgets the access key.` : stay;
  }
  return values.kind === target.kind ? null : stay;
}

function placeOf({ kind, folder, bucket, prefix }: BackupTarget): string {
  if (kind === "off") return "Off";
  return kind === "folder" ? folder : `s3://${bucket}${prefix === "" ? "" : `/${prefix}`}`;
}
