/**
 * Metrics of the running process, for /metrics. In memory: a restart resets them, as Prometheus expects of counters.
 */

/** A family of measurements; `suffix` is what a histogram's lines have behind the family's name. */
export interface Metric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  values: { labels?: Record<string, string | number>; value: number; suffix?: "_bucket" | "_sum" | "_count" }[];
}

/** Asked at each scrape. It must be cheap and must not throw. */
export type MetricSource = () => Metric[];

interface Described {
  name: string;
  help: string;
  /** Name of the one label that distinguishes its series. It must have few values: a pattern, a kind, an outcome. */
  label: string;
}

/** How often something happened, for each value of a label. */
export class Counter {
  readonly #counts = new Map<string, number>();

  constructor(private readonly described: Described) {}

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

/** Upper bounds of the buckets, seconds: of what a person waits for, and of what waits for another server. */
export const QUICK_S: readonly number[] = [0.001, 0.003, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
export const PATIENT_S: readonly number[] = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900];

/** How long something took, for each value of a label. */
export class Histogram {
  readonly #series = new Map<string, Series>();

  constructor(
    private readonly described: Described,
    private readonly boundsS: readonly number[],
  ) {}

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

  /** Observes how long `work` takes. @param label returns the label of an outcome; an error has a separate label */
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
