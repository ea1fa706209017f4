import { useId } from "preact/hooks";
import { count } from "./numbers.ts";

export interface Day {
  /** "2026-11-21". */
  day: string;
  value: number;
}

const HEIGHT = 72;
const GAP = 3;
const STEP = 14;

const dayFormat = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** A small bar chart of days. Screen readers get the same numbers as a table. */
export function DayBars({ title, days }: { title: string; days: readonly Day[] }) {
  const id = useId();
  const top = Math.max(1, ...days.map(({ value }) => value));
  const width = days.length * STEP;
  const label = (day: string) => dayFormat.format(new Date(`${day}T00:00:00Z`));
  const sum = days.reduce((total, { value }) => total + value, 0);
  return (
    <figure class="chart" aria-labelledby={id}>
      <figcaption id={id}>
        <span class="chart-title">{title}</span>
        <span class="hint">
          {count(sum)} in {days.length} days, at most {count(Math.max(0, ...days.map(({ value }) => value)))} per day
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {days.map(({ day, value }, i) => {
          const height = value === 0 ? 1 : Math.max(3, (value / top) * (HEIGHT - 2));
          return (
            <rect
              key={day}
              class={value === 0 ? "bar none" : "bar"}
              x={i * STEP + GAP / 2}
              y={HEIGHT - height}
              width={STEP - GAP}
              height={height}
            >
              <title>{`${label(day)}: ${count(value)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p class="chart-axis" aria-hidden="true">
        <span>{days[0] && label(days[0].day)}</span>
        <span>Today</span>
      </p>
      <div class="visually-hidden">
        <table>
          <caption>{title}</caption>
          <tbody>
            {days.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{label(day)}</th>
                <td>{count(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** What the API states as the limit where there is none. */
export const NO_LIMIT = 1_000_000_000;

interface MeterProps {
  label: string;
  used: number;
  limit: number;
  hint?: string;
}

/** Shows how much of a limit is used, or only what is used if there is no limit. */
export function UsageMeter({ label, used, limit, hint }: MeterProps) {
  const id = useId();
  const isLimited = limit < NO_LIMIT;
  const full = limit > 0 && used / limit >= 0.9;
  return (
    <div class="meter">
      <p class="meter-label">
        <span id={id}>{label}</span>
        <span class="numbers">
          <strong>{count(used)}</strong>
          {isLimited && limit > 0 ? ` of ${count(limit)}` : ""}
        </span>
      </p>
      {isLimited && (
        <progress
          class={full ? "full" : undefined}
          aria-labelledby={id}
          value={Math.min(used, limit)}
          max={Math.max(1, limit)}
        />
      )}
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}

/** Shows progress; indeterminate if the total is unknown. */
export function ProgressBar({ label, done, total }: { label: string; done: number; total: number }) {
  const known = total > 0;
  return <progress aria-label={label} value={known ? Math.min(done, total) : undefined} max={known ? total : 1} />;
}
