import { FAST_BUCKETS_S, Histogram, type Metric } from "../platform/metrics.ts";

interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
}

/** Counts requests by route and status. The number of series is bounded: labels are route patterns, never paths. */
export class HttpMetrics {
  readonly #series = new Map<string, Series>();
  readonly #latency = new Histogram(
    { name: "postroom_http_request_duration_seconds", help: "Time to the start of the response.", label: "route" },
    FAST_BUCKETS_S,
  );

  observe(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${route} ${status}`;
    const series = this.#series.get(name);
    if (series) series.count++;
    else this.#series.set(name, { method, route, status, count: 1 });
    this.#latency.observe(route, seconds);
  }

  metrics(): Metric[] {
    return [
      {
        name: "postroom_http_requests_total",
        help: "Requests answered, by route pattern and status.",
        type: "counter",
        values: [...this.#series.values()].map(({ count, ...labels }) => ({ labels, value: count })),
      },
      this.#latency.metric(),
    ];
  }
}

/** Formats one metric family as text (Prometheus exposition format 0.0.4). */
export function metricText({ name, help, type, values }: Metric): string {
  const words = help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  const lines = [`# HELP ${name} ${words}`, `# TYPE ${name} ${type}`];
  for (const { labels, value, suffix } of values)
    lines.push(`${name}${suffix ?? ""}${labelText(labels ?? {})} ${value}`);
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Record<string, string | number>): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const text = String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
    return `${name}="${text}"`;
  });
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
