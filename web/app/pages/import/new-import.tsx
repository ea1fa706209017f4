import { beginImport, type MailImports } from "../../api/imports.ts";
import { Button } from "../../parts/button.tsx";
import { Select, TextField } from "../../parts/field.tsx";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { size } from "../../parts/numbers.ts";
import { useForm } from "../../state/form.ts";
import { upload } from "../../state/uploading.ts";

const ACCEPT = ".mbox,.mbx,.zip,.tgz,.gz,.tar,.eml";
const NEW = "";

interface NewImportProps extends Pick<MailImports, "mailboxes"> {
  partBytes: number;
  reload(): Promise<void>;
}

/** The form that starts an import. */
export function NewImport({ mailboxes, partBytes, reload }: NewImportProps) {
  const form = useForm<{ file: File | null; account_id: string; mailbox: string }>(
    { file: null, account_id: NEW, mailbox: "" },
    {
      check: ({ file, account_id, mailbox }) => ({
        ...(file
          ? file.size === 0
            ? { file: "This file is empty. Choose another one." }
            : {}
          : { file: "Choose a file." }),
        ...(account_id === NEW && mailbox.trim() === "" ? { mailbox: "Enter a name for the mailbox." } : {}),
      }),
      async send({ file, account_id, mailbox }) {
        const target = account_id === NEW ? { mailbox: mailbox.trim() } : { account_id };
        const started = await beginImport(file!, target);
        void upload(file!, started, partBytes).then(reload);
        await reload();
      },
    },
  );
  const { file, account_id, mailbox } = form.values;
  return (
    <Card title="New import">
      <form class="stack" noValidate onSubmit={form.submit}>
        <FileDrop
          label="Mail file"
          hint="An mbox file, a Google Takeout archive (.zip or .tgz), or a zip of a Maildir or of .eml files."
          file={file}
          accept={ACCEPT}
          fault={form.faults.file}
          onFile={(chosen) => form.set("file", chosen)}
        />
        {file && <p class="hint">{size(file.size)}</p>}
        <div class="stack narrow">
          {mailboxes.length > 0 && (
            <Select
              label="Mailbox"
              value={account_id}
              fault={form.faults.account_id}
              options={[
                { value: NEW, label: "New mailbox" },
                ...mailboxes.map(({ id, email }) => ({ value: id, label: email })),
              ]}
              onChange={(value) => form.set("account_id", value)}
            />
          )}
          {account_id === NEW && (
            <TextField
              label={mailboxes.length > 0 ? "Name of the new mailbox" : "Name of the mailbox"}
              hint="For example old-mail, or the address that the mail was sent to."
              value={mailbox}
              fault={form.faults.mailbox}
              onInput={(value) => form.set("mailbox", value)}
            />
          )}
        </div>
        <FaultNotice error={form.fault} />
        <div class="actions">
          <Button type="submit" kind="primary" icon="upload" busy={form.busy}>
            Start import
          </Button>
        </div>
        <p class="hint">
          Messages that the mailbox already has are skipped. The uploaded file is stored encrypted, and is deleted after
          the import.
        </p>
      </form>
    </Card>
  );
}
