import { useState } from "preact/hooks";
import { app } from "../api/client.ts";
import type { BackupStatus } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { ProgressBar } from "../parts/chart.tsx";
import { CopyBox } from "../parts/copy-box.tsx";
import { Await, Badge, Card, Empty, Facts, FaultNotice, Notice, Page } from "../parts/layout.tsx";
import { count, counted, size } from "../parts/numbers.ts";
import { Ago, When } from "../parts/time.tsx";
import { useLoad } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";

const ACTIVE_POLL_MS = 1_000;
const IDLE_POLL_MS = 30_000;

/** One encrypted file with everything, made while Postroom goes on serving. */
export function Backup() {
  const backup = useLoad(
    "backup",
    () => app<BackupStatus>("GET", "/backup"),
    ({ running }) => (running ? ACTIVE_POLL_MS : IDLE_POLL_MS),
  );
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  async function make() {
    setBusy(true);
    try {
      await app("POST", "/backup", { body: {} });
      setFault(null);
      showToast("The backup has begun. Postroom goes on meanwhile.");
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
      lead="Everything in one encrypted file that only your recovery key opens. Postroom goes on serving meanwhile."
      actions={
        <Button kind="primary" icon="backup" busy={busy || !!backup.data?.running} onClick={make}>
          {backup.data?.running ? "Backing up…" : "Back up now"}
        </Button>
      }
    >
      <FaultNotice error={fault} />
      <Await of={backup} lines={6}>
        {({ last, running, schedule, next_at, keep, target, recovery_key, files }) => (
          <>
            <Card title="How it stands">
              {running && (
                <div role="status">
                  <ProgressBar label="Backing up" done={running.done} total={running.total} />
                  <p class="hint">
                    {running.total > 0 ? `${size(running.done)} of about ${size(running.total)}` : "Beginning"}
                  </p>
                </div>
              )}
              {last?.error && (
                <Notice tone="bad" title="The last backup failed">
                  <p>{last.error}</p>
                </Notice>
              )}
              {!last && !running && (
                <Notice tone="warn">
                  <p>
                    There is no backup yet. The mail servers have your mail; keys, rules, notes and drafts are only
                    here.
                  </p>
                </Notice>
              )}
              {!recovery_key && (
                <Notice tone="warn" title="No recovery key">
                  <p>
                    Backups open with this machine's own key only. Make a recovery key under{" "}
                    <a href="#/security">Security</a>, so that they open when the machine is gone.
                  </p>
                </Notice>
              )}
              <Facts
                rows={[
                  ["Last backup", last ? <Ago key="last" at={last.ended_at ?? last.started_at} /> : "none"],
                  ["Next", next_at ? <Ago key="next" at={next_at} /> : "none is scheduled"],
                  [
                    "Schedule",
                    schedule ? <code key="cron">{schedule}</code> : "none: set backup.schedule in the configuration",
                  ],
                  ["Kept", `the newest ${count(keep)}`],
                  ["Folder", target],
                ]}
              />
            </Card>
            <Card title="Files">
              {files.length === 0 ? (
                <Empty icon="backup" title="No file yet">
                  <p>Keep a copy of them on another machine: a backup beside the data burns with it.</p>
                </Empty>
              ) : (
                <ul class="rows">
                  {files.map((file) => (
                    <li key={file.id} class="row">
                      <div class="row-main">
                        <p class="row-title wrap">
                          {file.file.split("/").pop()}{" "}
                          <Badge>{file.kind === "full" ? "Everything" : "What changed"}</Badge>
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
              text="On any machine, into an empty folder. Verify proves every row and hash and writes nothing."
            >
              <div class="stack">
                <CopyBox text="postroom restore --verify FILE" label="Copy the command that verifies" />
                <CopyBox text="postroom restore FILE --data EMPTY-FOLDER" label="Copy the command that restores" />
              </div>
            </Card>
          </>
        )}
      </Await>
    </Page>
  );
}
