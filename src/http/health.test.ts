import { afterEach, expect, test } from "bun:test";
import { createHarness, type Harness, type HarnessOptions } from "../../test/support/http-harness.ts";
import { createSample, sampleRoutes } from "../../test/support/sample-routes.ts";

let h: Harness;
function start(options: HarnessOptions = {}): void {
  h = createHarness({ routes: sampleRoutes(createSample()), ...options });
}
afterEach(() => h.close());

const scrape = (peer: string, headers: Record<string, string> = {}) =>
  h.call("GET", "//metrics", { key: null, peer, headers });

test("health needs no key and counts against no limit", async () => {
  start();
  const up = await h.call("GET", "//healthz", { key: null });
  expect([up.status, up.text, up.headers.get("x-ratelimit-limit")]).toEqual([200, "ok\nversion 0.0.0-test\n", null]);
  expect((await h.call("HEAD", "//healthz", { key: null })).status).toBe(200);
  expect((await h.call("GET", "//readyz", { key: null })).status).toBe(200);
  h.pipeline.drain();
  expect((await h.call("GET", "//readyz", { key: null })).status).toBe(503);
});

test("readiness fails when the database lacks a migration or does not answer", async () => {
  start();
  h.platform.db.sql.run("DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)");
  expect((await h.call("GET", "//readyz", { key: null })).status).toBe(503);
  h.platform.db.sql.run("DROP TABLE migrations");
  expect((await h.call("GET", "//readyz", { key: null })).status).toBe(503);
  expect((await h.call("GET", "//healthz", { key: null })).status).toBe(200);
});

test("metrics are served to this machine only, and not through an undeclared proxy", async () => {
  start();
  expect((await scrape("127.0.0.1")).status).toBe(200);
  expect((await scrape("::1")).status).toBe(200);
  expect((await scrape("192.168.1.5")).status).toBe(404);
  expect((await scrape("127.0.0.1", { "X-Forwarded-For": "203.0.113.7" })).status).toBe(404);
  // A page in this machine's browser whose own name points to this machine.
  expect((await scrape("127.0.0.1", { Host: "evil.example" })).status).toBe(404);
});

test("metrics are served to any address with the token", async () => {
  start({ config: { "http.metrics_token": "s3cret" } });
  expect((await scrape("192.168.1.5", { Authorization: "Bearer s3cret" })).status).toBe(200);
  expect((await scrape("192.168.1.5", { Authorization: "Bearer wrong" })).status).toBe(404);
});

test("metrics are Prometheus text, labeled by pattern and never by path", async () => {
  start({
    metrics: [
      () => [
        { name: "postroom_jobs", help: "Jobs.", type: "gauge", values: [{ labels: { kind: 'a"\\b' }, value: 3 }] },
      ],
    ],
  });
  await h.call("GET", "/notes");
  await h.call("GET", "/notes?limit=0");
  await h.call("GET", "/secret-path");
  const { text, headers } = await scrape("127.0.0.1");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4");
  expect(text).toContain('postroom_http_requests_total{method="GET",route="/v1/notes",status="200"} 1');
  expect(text).toContain('postroom_http_requests_total{method="GET",route="/v1/notes",status="400"} 1');
  expect(text).toContain('route="(unknown)",status="404"} 1');
  expect(text).toContain('postroom_http_request_duration_seconds_bucket{route="/v1/notes",le="+Inf"} 2');
  expect(text).toContain('postroom_jobs{kind="a\\"\\\\b"} 3');
  expect(text).not.toContain("secret-path");
  const line = /^(#.*|[a-z_]+(\{([a-z]+="(\\.|[^"\\])*",?)+\})? [\d.e+-]+)$/;
  for (const row of text.trimEnd().split("\n")) expect(row).toMatch(line);
});
