import { createHash, timingSafeEqual } from "node:crypto";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import type { Metric, MetricSource } from "../platform/metrics.ts";
import type { Platform } from "../platform/platform.ts";
import { isLoopback } from "./guard/client-address.ts";
import { Hosts } from "./guard/hosts.ts";
import { type HttpMetrics, metricText } from "./metrics.ts";
import type { Page, PageRequest } from "./page.ts";

export interface HealthOptions {
  platform: Platform;
  http: HttpMetrics;
  /** Sources of the metrics of other modules. */
  sources: readonly MetricSource[];
  /** False while the server starts or stops. */
  accepting: () => boolean;
  version: string;
}

/**
 * Returns /healthz, /readyz and /metrics (docs/operations.md, "Health and metrics"). They are outside /v1 and need no
 * API key.
 */
export function healthPages(options: HealthOptions): Page[] {
  const plain = (status: number, text: string) => new Response(`${text}\n`, { status, headers: PLAIN });
  return [
    { method: "GET", path: "/healthz", handle: () => plain(200, `ok\nversion ${options.version}`) },
    {
      method: "GET",
      path: "/readyz",
      handle: () => (isReady(options) ? plain(200, "ready") : plain(503, "not ready")),
    },
    {
      method: "GET",
      path: "/metrics",
      handle: (page) => {
        if (!mayScrape(page, options.platform)) return plain(404, "not found");
        return new Response(metricsText(options), { headers: { "Content-Type": "text/plain; version=0.0.4" } });
      },
    },
  ];
}

const PLAIN = { "Content-Type": "text/plain; charset=utf-8" };

/** Returns whether requests are accepted, including those that change something, the database answers, and it has every migration of this program. */
function isReady({ platform, accepting }: HealthOptions): boolean {
  if (!accepting() || platform.acting.pause) return false;
  try {
    const done = platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM migrations").get();
    return done?.n === MIGRATION_NAMES.length;
  } catch {
    return false;
  }
}

/**
 * Returns whether the request may read metrics: it is from this machine and uses a recognized name (a page in its
 * browser may have pointed another name here), or has the token.
 */
function mayScrape({ request, address, direct }: PageRequest, { config }: Platform): boolean {
  if (direct && isLoopback(address) && new Hosts(config).isAllowed(request)) return true;
  const token = config.get("http.metrics_token");
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return token !== "" && given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** Hashes a text, so that both sides of a constant-time comparison have equal lengths. */
function digest(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

function metricsText({ http, sources, version }: HealthOptions): string {
  const { rss, heapUsed } = process.memoryUsage();
  const cpu = process.cpuUsage();
  const gauge = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    type: "gauge",
    values: [{ value }],
  });
  const own: Metric[] = [
    { ...gauge("postroom_build_info", "Version of Postroom.", 1), values: [{ labels: { version }, value: 1 }] },
    gauge("process_resident_memory_bytes", "Resident memory.", rss),
    gauge("postroom_heap_used_bytes", "JavaScript heap in use.", heapUsed),
    gauge("process_uptime_seconds", "Time since the start.", process.uptime()),
    {
      ...gauge("process_cpu_seconds_total", "Processor time used.", (cpu.user + cpu.system) / 1e6),
      type: "counter",
    },
  ];
  return [...own, ...sources.flatMap((source) => source()), ...http.metrics()].map(metricText).join("");
}
