import type { BackupStatus } from "../api/machine.ts";
import { ProgressBar } from "../parts/chart.tsx";
import { CopyBox } from "../parts/copy-box.tsx";
import { Card, Facts, Notice } from "../parts/layout.tsx";
import { counted, duration, size } from "../parts/numbers.ts";
import { Ago, When } from "../parts/time.tsx";

/** The copies on another machine, or how to get them. */
export function Elsewhere({ elsewhere }: Pick<BackupStatus, "elsewhere">) {
  if (!elsewhere) {
    return (
      <Card
        title="Copy off this machine"
        text="Backups stay on this machine. To also send each one to an S3-compatible store, a server with SSH or a network drive, set backup.to in the configuration."
      />
    );
  }
  const { place, sending, copies, pending, lag_seconds, last, failing_since, error, warning, requests } = elsewhere;
  return (
    <Card title="Copy off this machine">
      {sending && (
        <div role="status">
          <ProgressBar label="Sending" done={sending.done} total={sending.total} />
          <p class="hint">
            {sending.total > 0 ? `${size(sending.done)} of ${size(sending.total)} sent` : "Comparing with the place"}
          </p>
        </div>
      )}
      {failing_since && (
        <Notice tone="bad" title="Backups are not sent">
          <p>
            {error} Failing since <When at={failing_since} />. Postroom tries again at least every hour.
          </p>
        </Notice>
      )}
      {warning && (
        <Notice tone="warn" title="Something was repaired">
          <p>{warning}</p>
        </Notice>
      )}
      <Facts
        rows={[
          ["Place", place],
          [
            "Last sent",
            last ? (
              <span key="last">
                <Ago at={last.sent_at} />, {size(last.bytes)}, the backup of <When at={last.made_at} />
              </span>
            ) : (
              "None"
            ),
          ],
          ["Backups there", String(copies)],
          [
            "Still to be sent",
            pending === 0 ? "None" : `${counted(pending, "backup")}, the oldest for ${duration(lag_seconds)}`,
          ],
          ...(requests.calls > 0
            ? [
                ["Last 30 days", `${counted(requests.calls, "request")}, ${size(requests.bytes_out)} sent`] as [
                  string,
                  string,
                ],
              ]
            : []),
          ...(elsewhere.kept_objects > 0
            ? [["Locked", `${counted(elsewhere.kept_objects, "old object")} cannot be deleted yet`] as [string, string]]
            : []),
        ]}
      />
      <h3>Restore on another machine</h3>
      <p class="hint">Install Postroom, {preparation(place)}, and have your recovery key ready.</p>
      <CopyBox text={commands(place).join("\n")} label="Copy the commands" />
    </Card>
  );
}

function preparation(place: string): string {
  const section = /^(s3|sftp):/.exec(place)?.[1];
  if (section === undefined) return "connect the same drive";
  return `set the same backup.${section} settings as environment variables`;
}

function commands(place: string): string[] {
  const quoted = /^[\w./:@~-]+$/.test(place) ? place : `'${place.replaceAll("'", "'\\''")}'`;
  return [
    `postroom restore ${quoted} --verify`,
    `postroom restore ${quoted} --data EMPTY-FOLDER`,
    "postroom serve --data EMPTY-FOLDER",
  ];
}
