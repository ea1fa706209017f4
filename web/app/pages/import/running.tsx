import { useState } from "preact/hooks";
import { cancelImport, isSameFile, type MailImport } from "../../api/imports.ts";
import { Button } from "../../parts/button.tsx";
import { ProgressBar } from "../../parts/chart.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { FileDrop } from "../../parts/file-drop.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { size } from "../../parts/numbers.ts";
import { stopUploading, upload, uploading } from "../../state/uploading.ts";
import { countsOf } from "./import.tsx";

interface RunningProps {
  import: MailImport;
  partBytes: number;
  reload(): Promise<void>;
}

/** An import that is being uploaded, or that runs. Other tabs and a reloaded page show it, too. */
export function RunningImport({ import: one, partBytes, reload }: RunningProps) {
  const { state, bytes, done_bytes, total_bytes, file_name } = one;
  const mine = uploading.value?.id === one.id ? uploading.value : null;
  const isUploading = state === "uploading";
  const sent = Math.max(one.received_bytes, mine?.sentBytes ?? 0);
  return (
    <Card
      title={`Importing ${file_name}`}
      text={`Into ${one.mailbox}`}
      actions={
        <ConfirmButton
          kind="plain"
          title={`Cancel the import of ${file_name}?`}
          text={<p>The uploaded file is deleted. Messages that are already imported are kept.</p>}
          action="Cancel import"
          act={async () => {
            stopUploading();
            await cancelImport(one.id);
            await reload();
          }}
        >
          Cancel
        </ConfirmButton>
      }
    >
      <p class="visually-hidden" role="status">
        {announced(one, sent)}
      </p>
      <div class="import-steps">
        <div class="import-step">
          <p class="import-step-head">
            <strong>{isUploading ? "Uploading" : "Uploaded"}</strong>
            <span class="numbers">
              {isUploading ? `${size(sent)} of ${size(bytes)} (${percent(sent, bytes)})` : size(bytes)}
            </span>
          </p>
          {isUploading && <ProgressBar label="Upload" done={sent} total={bytes} />}
          {mine?.waiting && (
            <Notice tone="warn" live>
              <p>{mine.waiting} The upload continues automatically.</p>
            </Notice>
          )}
          {!!mine?.fault && <FaultNotice error={mine.fault} />}
          {isUploading && (!mine || !!mine.fault) && <Continue import={one} partBytes={partBytes} reload={reload} />}
          {isUploading && mine && !mine.fault && (
            <p class="hint">
              Keep this tab open until the upload ends. You can use the other pages of Postroom during the upload.
            </p>
          )}
        </div>
        <div class={isUploading ? "import-step later" : "import-step"}>
          <p class="import-step-head">
            <strong>{state === "importing" ? "Importing messages" : "Import messages"}</strong>
            {state === "importing" && total_bytes > 0 && (
              <span class="numbers">
                {size(done_bytes)} of {size(total_bytes)} ({percent(done_bytes, total_bytes)})
              </span>
            )}
          </p>
          {!isUploading && <ProgressBar label="Import" done={done_bytes} total={total_bytes} />}
          {!isUploading && (
            <p class="hint">
              {state === "waiting" ? "Waiting for its turn." : `${countsOf(one)}.`} You can close this page.
            </p>
          )}
        </div>
      </div>
    </Card>
  );
}

/** Continues an upload after this page was reloaded, in another tab or on another computer. */
function Continue({ import: one, partBytes, reload }: RunningProps) {
  const [file, setFile] = useState<File | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  return (
    <div class="stack">
      <Notice tone="info">
        <p>
          This tab is not uploading the file. If no other tab is, choose {one.file_name} again, and the upload continues
          where it stopped.
        </p>
      </Notice>
      <FileDrop
        label={`Choose ${one.file_name} again`}
        file={file}
        fault={fault}
        onFile={(chosen) => {
          setFile(chosen);
          setFault(
            isSameFile(chosen, one) ? undefined : "This is another file, or it was changed since the upload began.",
          );
        }}
      />
      <div class="actions">
        <Button
          kind="primary"
          icon="upload"
          disabled={!file || fault !== undefined}
          onClick={() => void upload(file!, one, partBytes).then(reload)}
        >
          Continue upload
        </Button>
      </div>
    </div>
  );
}

function percent(done: number, total: number): string {
  return `${total > 0 ? Math.floor((100 * Math.min(done, total)) / total) : 0} %`;
}

/** What screen readers announce: each step, and each quarter of it. */
function announced({ state, bytes, done_bytes, total_bytes, file_name }: MailImport, sent: number): string {
  const quarter = (done: number, total: number) =>
    total > 0 ? 25 * Math.floor((4 * Math.min(done, total)) / total) : 0;
  if (state === "uploading") return `Uploading ${file_name}: ${quarter(sent, bytes)} percent.`;
  if (state === "waiting") return "The upload is complete. The import waits for its turn.";
  return `Importing messages: ${quarter(done_bytes, total_bytes)} percent.`;
}
