import type { BackupStatus } from "../api/machine.ts";
import { ProgressBar } from "../parts/chart.tsx";
import { Facts, Notice } from "../parts/layout.tsx";
import { duration, size } from "../parts/numbers.ts";
import { Ago, When } from "../parts/time.tsx";

type Copy = NonNullable<NonNullable<BackupStatus["elsewhere"]>["continuous"]>;
type Row = Parameters<typeof Facts>[0]["rows"][number];

/** 252 → "4 min 12 s". */
function precise(seconds: number): string {
  const whole = Math.ceil(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}

/** Longer delays do not repair themselves. */
const BEHIND_S = 15 * 60;

/** The continuous copy: how far it is behind, the lease, and the last test restore. */
export function ContinuousCopy({ copy, place }: { copy: Copy; place: string }) {
  const { base_progress, lag_seconds, failing_since, error, drill } = copy;
  const isBehind = lag_seconds >= BEHIND_S && (failing_since !== null || base_progress === null);
  return (
    <>
      <h3>Continuous copy</h3>
      {base_progress && (
        <div role="status">
          <ProgressBar label="Sending a complete copy" done={base_progress.done} total={base_progress.total} />
          {base_progress.total > 0 && (
            <p class="hint">{`${size(base_progress.done)} of ${size(base_progress.total)} sent`}</p>
          )}
        </div>
      )}
      <LeaseNotice copy={copy} place={place} />
      {isBehind && (
        <Notice tone="bad" title="The newest changes are not copied">
          <p>
            {error} The oldest change that is not there is {duration(lag_seconds)} old.
          </p>
        </Notice>
      )}
      {drill && !drill.ok && (
        <Notice tone="bad" title="The last test restore failed">
          <p>{drill.error}</p>
        </Notice>
      )}
      <Facts rows={rows(copy)} />
    </>
  );
}

function LeaseNotice({ copy: { lease, holder, lease_error }, place }: { copy: Copy; place: string }) {
  if (lease === "taken_over") {
    return (
      <Notice tone="bad" title="This server does not act">
        <p>
          {holder ? (
            <>
              {holder.name} became the primary <Ago at={holder.since} />.
            </>
          ) : (
            "Another machine is the primary."
          )}{" "}
          To use this machine instead, such as after a restore, turn the other one off and run{" "}
          <code>postroom promote</code> here. To make this machine a standby, move its data folder away and run{" "}
          <code>{`postroom standby --from ${place}`}</code>.
        </p>
      </Notice>
    );
  }
  if (lease !== "waiting") return null;
  return (
    <Notice tone="bad" title="This server does not act">
      <p>It does not hold the lease. {lease_error}</p>
    </Notice>
  );
}

function rows(copy: Copy): Row[] {
  const { last, since, lag_seconds, base, drill, next_drill_at, standby, lease } = copy;
  const waits = copy.failing_since === null ? null : `Nothing has been sent yet. ${copy.error}`;
  const state = last ? (
    <span key="last">
      {lag_seconds === 0 ? "All changes are there" : `${precise(lag_seconds)} behind`}, last sent <Ago at={last} />
    </span>
  ) : (
    (waits ?? (lease === "taken_over" ? "This server sends nothing" : "The first complete copy is being sent"))
  );
  return [
    ["State", state],
    [
      "Last complete copy",
      base ? (
        <span key="base">
          <Ago at={base.at} />, {size(base.bytes)}
        </span>
      ) : (
        "None"
      ),
    ],
    ...(since ? [["Can be restored since", <When key="since" at={since} />] satisfies Row] : []),
    [
      "Last test restore",
      drill ? (
        <span key="drill">
          <Ago at={drill.at} />, {drill.ok ? `passed in ${precise(drill.seconds)}` : "failed"}
        </span>
      ) : (
        "None yet"
      ),
    ],
    ...(next_drill_at ? [["Next test restore", <When key="next" at={next_drill_at} />] satisfies Row] : []),
    [
      "Standby",
      standby ? (lease === "held" ? "Permitted; this server holds the lease" : "Permitted") : "Not permitted",
    ],
  ];
}
