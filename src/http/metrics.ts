/** A family of measurements in Prometheus' text form; other rooms hand theirs in as functions (see `MetricSource`). */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge";
  values: { labels?: Record<string, string | number>; value: number }[];
}

/** Asked at each scrape. It must be cheap and must not throw. */
export type MetricSource = () => Metric[];

/** Upper bounds of the latency buckets, seconds. */
const BUCKETS_S = [0.001, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
}

interface Latency {
  route: string;
  buckets: number[];
  sum_s: number;
  count: number;
}

/** Counts requests by route and status. Bounded: routes are patterns, never paths. */
export class HttpMetrics {
  readonly #series = new Map<string, Series>();
  readonly #latency = new Map<string, Latency>();

  observe(method: string, route: string, status: number, seconds: number): void {
    const name = `${method} ${route} ${status}`;
    const series = this.#series.get(name);
    if (series) series.count++;
    else this.#series.set(name, { method, route, status, count: 1 });
    let latency = this.#latency.get(route);
    if (!latency) {
      latency = { route, buckets: BUCKETS_S.map(() => 0), sum_s: 0, count: 0 };
      this.#latency.set(route, latency);
    }
    latency.count++;
    latency.sum_s += seconds;
    const bucket = BUCKETS_S.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) latency.buckets[bucket]!++;
  }

  text(): string {
    const requests: Metric = {
      name: "postroom_http_requests_total",
      help: "Requests answered, by route pattern and status.",
      type: "counter",
      values: [...this.#series.values()].map(({ count, ...labels }) => ({ labels, value: count })),
    };
    return metricText(requests) + this.#latencyText();
  }

  #latencyText(): string {
    const name = "postroom_http_request_duration_seconds";
    const lines = [`# HELP ${name} Time to the start of the answer.`, `# TYPE ${name} histogram`];
    for (const { route, buckets, sum_s, count } of this.#latency.values()) {
      let below = 0;
      buckets.forEach((hits, i) => {
        below += hits;
        lines.push(`${name}_bucket${labelText({ route, le: BUCKETS_S[i]! })} ${below}`);
      });
      lines.push(`${name}_bucket${labelText({ route, le: "+Inf" })} ${count}`);
      lines.push(`${name}_sum${labelText({ route })} ${sum_s}`, `${name}_count${labelText({ route })} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}

/** One family as text (Prometheus exposition format 0.0.4). */
export function metricText({ name, help, type, values }: Metric): string {
  const lines = [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
  for (const { labels, value } of values) lines.push(`${name}${labelText(labels ?? {})} ${value}`);
  return `${lines.join("\n")}\n`;
}

function labelText(labels: Record<string, string | number>): string {
  const parts = Object.entries(labels).map(([name, value]) => {
    const text = String(value).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
    return `${name}="${text}"`;
  });
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
