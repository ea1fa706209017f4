import { createHash, timingSafeEqual } from "node:crypto";
import { MIGRATION_NAMES } from "../platform/db/migrate.ts";
import type { Metric, MetricSource } from "../platform/measures.ts";
import type { Platform } from "../platform/platform.ts";
import { isLoopback } from "./address.ts";
import { Hosts } from "./hosts.ts";
import { type HttpMetrics, metricText } from "./metrics.ts";
import type { Page, PageRequest } from "./page.ts";

export interface HealthOptions {
  platform: Platform;
  http: HttpMetrics;
  /** Measurements of other rooms. */
  sources: readonly MetricSource[];
  /** False while the server starts or stops. */
  accepting: () => boolean;
  version: string;
}

/** /healthz, /readyz and /metrics (decisions, "Command line"). They stand outside /v1 and need no API key. */
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

/** Requests are taken, the database answers, and it has every migration that this program knows. */
function isReady({ platform, accepting }: HealthOptions): boolean {
  if (!accepting()) return false;
  try {
    const done = platform.db.sql.query<{ n: number }, []>("SELECT count(*) AS n FROM migrations").get();
    return done?.n === MIGRATION_NAMES.length;
  } catch {
    return false;
  }
}

/** From this machine by a name of its own (a page in its browser may have turned another one to it), or with the token. */
function mayScrape({ request, address, direct }: PageRequest, { config }: Platform): boolean {
  if (direct && isLoopback(address) && new Hosts(config).knows(request)) return true;
  const token = config.get("http.metrics_token");
  const given = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  return token !== "" && given !== undefined && timingSafeEqual(digest(given), digest(token));
}

/** Equal lengths for a comparison in constant time. */
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
