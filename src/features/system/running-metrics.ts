import type { CancelTimer, Clock } from "../../kernel/clock.ts";
import { Counter, FAST_BUCKETS_S, Histogram, type MetricSource, SLOW_BUCKETS_S } from "../../platform/metrics.ts";

/** Interval at which the lag of the event loop is measured. */
const LOOP_EVERY_MS = 500;

/**
 * Metrics recorded as events happen. One instance for the process; the application passes it to the modules that record
 * them.
 */
export class RunningMetrics {
  /** One attempt to hand a message to a mail server, by its outcome (`accepted`, `refused`, `not_sent`, `unknown`). */
  readonly submissions = new Histogram(
    {
      name: "postroom_smtp_submission_duration_seconds",
      help: "Attempts to submit a message to its mail server, by outcome.",
      label: "outcome",
    },
    SLOW_BUCKETS_S,
  );
  /** One webhook request, by its answer (`2xx` … `5xx`, `error`). */
  readonly webhooks = new Histogram(
    {
      name: "postroom_webhook_attempt_duration_seconds",
      help: "Webhook requests, by status class of the response; error if there was no response.",
      label: "answer",
    },
    SLOW_BUCKETS_S,
  );
  readonly searches = new Histogram(
    { name: "postroom_search_duration_seconds", help: "Searches, by mode.", label: "mode" },
    FAST_BUCKETS_S,
  );
  readonly restarts = new Counter({
    name: "postroom_worker_restarts_total",
    help: "Workers that ended unexpectedly and were restarted.",
    label: "worker",
  });
  readonly #loop = new Histogram(
    { name: "postroom_event_loop_lag_seconds", help: "Delay of timers, by thread.", label: "thread" },
    FAST_BUCKETS_S,
  );

  constructor() {
    // Present from the first scrape, so that the first restart is an increase. "words" is the full-text worker
    // (docs/operations.md).
    for (const worker of ["mail", "semantic", "words", "brief"]) this.restarts.add(worker, 0);
  }

  readonly source: MetricSource = () =>
    [this.submissions, this.webhooks, this.searches, this.#loop, this.restarts].map((one) => one.metric());

  /** Starts to measure the lag of the main thread's event loop. @returns a function that stops it */
  watchLoop(clock: Clock): () => void {
    let cancel: CancelTimer = () => {};
    const wait = () => {
      const due = performance.now() + LOOP_EVERY_MS;
      cancel = clock.after(LOOP_EVERY_MS, () => {
        this.#loop.observe("main", Math.max(0, performance.now() - due) / 1000);
        wait();
      });
    };
    wait();
    return () => cancel();
  }
}
