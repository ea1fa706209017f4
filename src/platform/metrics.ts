/**
 * Metrics of the running process, for /metrics. In memory: a restart resets them, as Prometheus expects of counters.
 */

/** A metric family. `suffix` is appended to the family's name for the lines of a histogram. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  values: { labels?: Record<string, string | number>; value: number; suffix?: "_bucket" | "_sum" | "_count" }[];
}

/** Called at each scrape. It must be cheap and must not throw. */
export type MetricSource = () => Metric[];

interface Described {
  name: string;
  help: string;
  /** Name of the only label. It must have few values, such as a pattern, a kind or an outcome. */
  label: string;
}

/** Counts events for each value of a label. */
export class Counter {
  readonly #counts = new Map<string, number>();

  constructor(private readonly described: Described) {}

  /** Adds to the count of a label. */
  add(label: string, count = 1): void {
    this.#counts.set(label, (this.#counts.get(label) ?? 0) + count);
  }

  metric(): Metric {
    const { name, help, label } = this.described;
    const values = [...this.#counts].map(([key, value]) => ({ labels: { [label]: key }, value }));
    return { name, help, type: "counter", values };
  }
}

interface Series {
  buckets: number[];
  sumS: number;
  count: number;
}

/** Upper bounds of the buckets, seconds: for work that a person waits for, and for work that waits for a server. */
export const FAST_BUCKETS_S: readonly number[] = [0.001, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
export const SLOW_BUCKETS_S: readonly number[] = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** Records durations for each value of a label. */
export class Histogram {
  readonly #series = new Map<string, Series>();

  constructor(
    private readonly described: Described,
    private readonly boundsS: readonly number[],
  ) {}

  /** Records one duration. */
  observe(label: string, seconds: number): void {
    let series = this.#series.get(label);
    if (!series) {
      series = { buckets: this.boundsS.map(() => 0), sumS: 0, count: 0 };
      this.#series.set(label, series);
    }
    series.count++;
    series.sumS += seconds;
    const bucket = this.boundsS.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) series.buckets[bucket]!++;
  }

  /** Measures `work`. @param label returns the label of a result; the label of an error is "error" */
  async time<T>(label: (result: T) => string, work: () => Promise<T>): Promise<T> {
    const started = performance.now();
    let name = "error";
    try {
      const result = await work();
      name = label(result);
      return result;
    } finally {
      this.observe(name, (performance.now() - started) / 1000);
    }
  }

  metric(): Metric {
    const { name, help, label } = this.described;
    const values: Metric["values"] = [];
    for (const [key, { buckets, sumS, count }] of this.#series) {
      let below = 0;
      const labels = { [label]: key };
      buckets.forEach((hits, i) => {
        below += hits;
        values.push({ suffix: "_bucket", labels: { ...labels, le: this.boundsS[i]! }, value: below });
      });
      values.push({ suffix: "_bucket", labels: { ...labels, le: "+Inf" }, value: count });
      values.push({ suffix: "_sum", labels, value: sumS }, { suffix: "_count", labels, value: count });
    }
    return { name, help, type: "histogram", values };
  }
}
