import { useState } from "preact/hooks";
import { app } from "../api/client.ts";
import type { BackupStatus } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { ProgressBar } from "../parts/chart.tsx";
import { CopyBox } from "../parts/copy-box.tsx";
import { Await, Badge, Card, Empty, Facts, FaultNotice, Notice, Page } from "../parts/layout.tsx";
import { counted, duration, size } from "../parts/numbers.ts";
import { Ago, When } from "../parts/time.tsx";
import { useLoad } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { Elsewhere } from "./backup-elsewhere.tsx";
import { BackupSettings } from "./backup-settings.tsx";
import { Target } from "./backup-target.tsx";

const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 30_000;

/** Backups: one encrypted file each, written while Postroom keeps running. */
export function Backup() {
  const backup = useLoad(
    "backup",
    () => app<BackupStatus>("GET", "/backup"),
    // A new backup is sent right after it is made. While sending fails, there is nothing to watch.
    ({ running, elsewhere }) =>
      running || (elsewhere && elsewhere.pending > 0 && !elsewhere.failing_since) ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  );
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function make() {
    setBusy(true);
    try {
      await app("POST", "/backup", { body: {} });
      setFault(null);
      showToast("Backup started. Postroom keeps running.");
      await backup.reload();
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Page
      title="Backup"
      lead="A backup stores all data in one encrypted file, which you open with your recovery key. Postroom keeps running during a backup."
      actions={
        <Button kind="primary" icon="backup" busy={busy || !!backup.data?.running} onClick={make}>
          {backup.data?.running ? "Backing up…" : "Back up now"}
        </Button>
      }
    >
      <FaultNotice error={fault} />
      <Await of={backup} lines={6}>
        {({ last, running, next_at, settings, free_bytes, folder_fault, recovery_key, ...more }) => (
          <>
            <Card title="Status">
              {running && (
                <div role="status">
                  <ProgressBar label="Backing up" done={running.done} total={running.total} />
                  <p class="hint">
                    {running.total > 0 ? `${size(running.done)} of about ${size(running.total)}` : "Starting"}
                  </p>
                </div>
              )}
              {last?.error && (
                <Notice tone="bad" title="The last backup failed">
                  <p>{last.error}</p>
                </Notice>
              )}
              {folder_fault && (
                <Notice tone="bad" title="The next backup would fail">
                  <p>{folder_fault}</p>
                </Notice>
              )}
              {more.files.length === 0 && !running && (
                <Notice tone="warn">
                  <p>
                    There is no backup. {more.elsewhere?.continuous?.base ? COPIED : onlyHere(more.imported_mailboxes)}
                  </p>
                </Notice>
              )}
              {!recovery_key && (
                <Notice tone="warn" title="No recovery key">
                  <p>
                    Backups open only with this machine's own key. Create a recovery key under{" "}
                    <a href="#/security">Security</a>, so that you can restore backups if this machine is lost.
                  </p>
                </Notice>
              )}
              <Facts
                rows={[
                  ["Last backup", last ? <LastBackup key="last" last={last} /> : "None"],
                  [
                    "Next backup",
                    next_at ? (
                      <span key="next">
                        <Ago at={next_at} /> (<When at={next_at} />)
                      </span>
                    ) : (
                      "Not scheduled"
                    ),
                  ],
                  ["Folder", settings.folder],
                  ["Free space", free_bytes === null ? "Unknown" : size(free_bytes)],
                ]}
              />
            </Card>
            <Elsewhere elsewhere={more.elsewhere} />
            <Target target={more.target} loaded={backup} />
            <BackupSettings status={{ settings, ...more }} loaded={backup} />
            <Card title="Backup files">
              {more.files.length === 0 ? (
                <Empty icon="backup" title="No backups yet">
                  <p>
                    Backup files appear here. Copy them to another machine so that you do not lose them together with
                    the data.
                  </p>
                </Empty>
              ) : (
                <ul class="rows">
                  {more.files.map((file) => (
                    <li key={file.id} class="row">
                      <div class="row-main">
                        <p class="row-title wrap">
                          {file.file.split("/").pop()} <Badge>{file.kind === "full" ? "Full" : "Incremental"}</Badge>
                        </p>
                        <p class="hint">
                          <When at={file.started_at} /> · {counted(file.rows, "row")}, {counted(file.files, "file")}
                        </p>
                      </div>
                      <p class="row-side numbers">{size(file.bytes)}</p>
                    </li>
                  ))}
                </ul>
              )}
            </Card>
            <Card
              title="Restore"
              text="If this machine is lost, run these commands in a terminal on another one, with Postroom and a copy of a backup file there. They ask for your recovery key. Verifying checks the file and writes nothing. Restoring requires an empty folder."
            >
              <div class="stack">
                <CopyBox text="postroom restore --verify FILE" label="Copy the verify command" />
                <CopyBox text="postroom restore FILE --data EMPTY-FOLDER" label="Copy the restore command" />
              </div>
            </Card>
          </>
        )}
      </Await>
    </Page>
  );
}

function LastBackup({ last: { state, started_at, ended_at, bytes } }: { last: NonNullable<BackupStatus["last"]> }) {
  const seconds = ended_at === null ? 0 : (Date.parse(ended_at) - Date.parse(started_at)) / 1000;
  const took = seconds < 60 ? counted(Math.max(1, Math.round(seconds)), "second") : duration(seconds);
  return (
    <>
      <Ago at={ended_at ?? started_at} />
      {state === "done" && `, ${size(bytes)}, took ${took}`}
      {state === "failed" && ", failed"}
    </>
  );
}

const COPIED = "The continuous copy has all data. Schedule backups as well: they do not depend on it.";

/** Says what would be lost with this machine. */
function onlyHere(imported: number): string {
  const own = "API keys, rules, notes and drafts";
  if (imported === 0) return `Synced mail is also on its servers, but ${own} exist only on this machine.`;
  const boxes = counted(imported, "imported mailbox", "imported mailboxes");
  return `The mail of ${boxes} exists only on this machine, and so do ${own}.`;
}
