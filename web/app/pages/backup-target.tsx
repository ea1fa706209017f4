import { useRef, useState } from "preact/hooks";
import { app } from "../api/client.ts";
import type { BackupStatus, BackupTarget, BackupTargetTest } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { Choice, TextField } from "../parts/field.tsx";
import { Card, FaultNotice, Notice } from "../parts/layout.tsx";
import { counted } from "../parts/numbers.ts";
import { type Form, useForm } from "../state/form.ts";
import type { Loaded } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { Configured } from "./backup-configured.tsx";
import { Bucket } from "./backup-target-bucket.tsx";
import { Server } from "./backup-target-server.tsx";
import { bodyOf, faultsOf, type Kind, placeOf, type Values, valuesOf } from "./backup-target-values.ts";

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
  {
    value: "sftp",
    title: "Server with SSH (SFTP)",
    text: "A NAS, a rented storage box, or any machine with OpenSSH. It needs no other software.",
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
      {values.kind === "sftp" && <Server form={changed} target={target} />}
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

function Report({ report, kind }: { report: BackupTargetTest; kind: Kind }) {
  const { conditional_writes, deletes, copies } = report;
  const name = { off: "place", s3: "store", sftp: "server", folder: "folder" }[kind];
  return (
    <Notice tone={conditional_writes && deletes ? "good" : "warn"} title="The test passed" live>
      <p>
        Postroom wrote a small object, read it and found it in the list{deletes && ", then deleted it"}.
        {copies > 0 &&
          ` ${counted(copies, "backup")} of this installation ${copies === 1 ? "is" : "are"} already there.`}
      </p>
      <p>
        {conditional_writes
          ? `The ${name} supports conditional writes, which a standby on another machine needs.`
          : `The ${name} does not support conditional writes. Copies work, but a standby on another machine does not.`}
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
    return target.kind === "folder" ? stay : `${stay} Postroom forgets the credentials.`;
  }
  return values.kind === target.kind ? null : stay;
}
