import type { Log } from "../platform/log.ts";
import type { HttpMetrics } from "./metrics.ts";
import type { RequestLogEntry } from "./request-log-entry.ts";

/** Paths that monitors request every few seconds. They are logged at level debug only. */
const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

/** Writes the line and the metrics of a finished request: the pattern, never the path, its query or an address. */
export class AccessLog {
  constructor(
    private readonly log: Log,
    private readonly metrics: HttpMetrics,
  ) {}

  /** @param method as the client sent it: HEAD, although it is routed as GET. @param ms duration */
  write({ pattern, request_id, keyHint }: RequestLogEntry, method: string, status: number, ms: number): void {
    this.metrics.observe(method, pattern, status, ms / 1000);
    this.log[PROBES.has(pattern) ? "debug" : "info"]("request", {
      method,
      route: pattern,
      status,
      ms: Math.round(ms * 10) / 10,
      request_id,
      key: keyHint ?? undefined,
    });
  }
}
