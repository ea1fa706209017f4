import type { Mailbox } from "../../api/connect.ts";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Badge, Card, Facts } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { Aliases } from "./aliases.tsx";
import type { Change } from "./change.ts";
import { ExportButtons, MailExport } from "./export.tsx";
import { providerName, roleLabel, statusOf } from "./labels.ts";
import { ReadMail } from "./read-mail.tsx";
import { removeMailbox } from "./remove.ts";
import { TextIndexing } from "./text-indexing.tsx";

/** A mailbox that was imported from files. It has no server, and this is the only copy of its mail. */
export function ImportedMailbox({ box, change }: { box: Mailbox; change: Change }) {
  const { tone, label, sentence } = statusOf(box);
  const messages = box.folders.reduce((sum, { done }) => sum + done, 0);
  return (
    <>
      <Card
        title={
          <>
            <Badge tone={tone}>{label}</Badge> {sentence}
          </>
        }
        actions={<ReadMail box={box} />}
      >
        <TextIndexing search={box.search} />
        <Facts
          rows={[
            ["Type", providerName(box.provider)],
            ["Messages", count(messages)],
            ["Last import", box.last_sync_at ? <Ago at={box.last_sync_at} /> : "Not completed"],
            [
              "Semantic index",
              box.search.total > 0
                ? `${count(box.search.done)} of ${count(box.search.total)} messages`
                : "No messages yet",
            ],
          ]}
        />
      </Card>
      <LocalFolders box={box} />
      <Card title="Settings">
        <Aliases box={box} change={change} />
      </Card>
      <MailExport box={box} />
      <Removal box={box} />
    </>
  );
}

/** The folders of a mailbox without a server. */
export function LocalFolders({ box: { folders } }: { box: Mailbox }) {
  if (folders.length === 0) return null;
  return (
    <Card title="Folders">
      <ul class="rows">
        {folders.map(({ path, role, done }) => (
          <li key={path} class="row">
            <p class="row-main row-title">
              {path} {roleLabel(role) && roleLabel(role) !== path && <Badge>{roleLabel(role)}</Badge>}
            </p>
            <p class="row-side numbers">{counted(done, "message")}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Removal({ box }: { box: Mailbox }) {
  return (
    <Card title="Delete" tone="danger">
      <div class="row">
        <p class="row-main">
          No mail server has this mail, so this is the only copy. Export it before you delete the mailbox.
        </p>
        <div class="row-actions">
          <ConfirmButton
            kind="danger"
            title={`Delete the only copy of ${box.email}?`}
            text={
              <>
                <p>
                  <strong>This mailbox was imported from files, and this is the only copy of its mail.</strong> Deleting
                  the mailbox deletes its mail, attachments, labels and search index. You cannot undo this.
                </p>
                <p>API keys bound to this mailbox stop working.</p>
                <p>Export the mail first:</p>
                <ExportButtons box={box} />
              </>
            }
            action="Delete the only copy"
            typed={box.email}
            act={() => removeMailbox(box)}
          >
            Delete mailbox
          </ConfirmButton>
        </div>
      </div>
    </Card>
  );
}
