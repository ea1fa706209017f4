import type { BackupStatus } from "../api/machine.ts";
import { ProgressBar } from "../parts/chart.tsx";
import { CopyBox } from "../parts/copy-box.tsx";
import { Card, Facts, Notice } from "../parts/layout.tsx";
import { counted, duration, size } from "../parts/numbers.ts";
import { Ago, When } from "../parts/time.tsx";
import { ContinuousCopy } from "./backup-continuous.tsx";

/** The copies on another machine, if a place was chosen. */
export function Elsewhere({ elsewhere }: Pick<BackupStatus, "elsewhere">) {
  if (!elsewhere) return null;
  const { place, sending, copies, pending, lag_seconds, last, failing_since, error, warning, requests, restore } =
    elsewhere;
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
      {elsewhere.continuous && <ContinuousCopy copy={elsewhere.continuous} place={place} />}
      <h3>Restore on another machine</h3>
      <p class="hint">Install Postroom, and have your recovery key ready. {preparation(restore)}</p>
      <CopyBox block text={restore.join("\n")} label="Copy the commands" />
    </Card>
  );
}

/** What the commands need besides the recovery key. */
function preparation(commands: readonly string[]): string {
  const [first = ""] = commands;
  if (!first.startsWith("export ")) return "Connect the same drive first.";
  return [
    ...(first.includes("=ca.pem") ? ["Save the certificate of your own authority as ca.pem."] : []),
    ...(first.includes("=id_key") ? ["Save the private key as id_key."] : []),
    ...(first.includes("=YOUR-SECRET") ? ["Replace YOUR-SECRET."] : []),
    "To check the copies without writing, use --verify instead of --data EMPTY-FOLDER.",
  ].join(" ");
}
