import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./support/eventually.ts";
import { type LiveApp, startLiveApp } from "./support/live-app.ts";

setDefaultTimeout(60_000);

/** The dashboard, the alert rules and the scrape example of deploy/grafana, against the metrics of a real server. */

const FOLDER = join(import.meta.dir, "../deploy/grafana");
const read = (name: string) => readFileSync(join(FOLDER, name), "utf8");

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string; legendFormat: string; datasource: { uid: string } }[];
}
const dashboard = JSON.parse(read("postroom.json")) as {
  uid: string;
  title: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; definition?: string }[] };
  panels: Panel[];
};
const rules = (
  Bun.YAML.parse(read("alerts.yml")) as {
    groups: { rules: { alert: string; expr: string; annotations: { summary: string; description: string } }[] }[];
  }
).groups.flatMap((group) => group.rules);
const charts = dashboard.panels.filter(({ type }) => type !== "row");

/** Labels of families without samples: nothing has failed, and attempts are counted fifteen seconds later. */
const WITHOUT_SAMPLES: Record<string, string[]> = {
  postroom_failed_steps: ["step", "state"],
  postroom_job_attempts_total: ["kind", "outcome"],
};

/** Labels that Prometheus adds. */
const ADDED = ["job", "instance"];
const METRIC = /\b(?:postroom|process)_\w+\b/g;

/** Returns the metrics and labels that an expression of PromQL uses. */
function usesOf(expr: string): { metrics: string[]; labels: string[] } {
  const matchers = [...expr.matchAll(/\{([^}]*)\}/g)].flatMap(([, text]) =>
    [...text!.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*"/g)].map(([, label]) => label!),
  );
  const groups = [...expr.matchAll(/\b(?:by|without|on|ignoring) \(([^)]*)\)/g)].flatMap(([, text]) =>
    text!.split(",").map((label) => label.trim()),
  );
  return { metrics: expr.replace(/"[^"]*"/g, '""').match(METRIC) ?? [], labels: [...matchers, ...groups] };
}

describe("the dashboard and the alerts", () => {
  let live: LiveApp;
  /** Labels of each sample by its name. */
  const samples = new Map<string, Set<string>>();

  beforeAll(async () => {
    live = await startLiveApp();
    using receiver = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
    const closed = { host: "127.0.0.1", port: 1, security: "none" } as const;
    live.connect({
      email: "alice@mail.test",
      connection: { imap: closed, smtp: closed, username: "alice", password: "x" },
    });
    const { platform } = live.app;
    const now = platform.clock.now();
    platform.db.sql
      .query(
        `INSERT INTO backups (id, state, kind, file, kept, started_by, started_at, ended_at)
         VALUES ('bak_1', 'done', 'full', '/backup', 1, 'boot', ?, ?)`,
      )
      .run(now, now);
    const url = `http://127.0.0.1:${receiver.port}/`;
    await live.call("POST", "/webhooks", { body: { url, events: ["draft.created"] } });
    await live.call("POST", "/drafts", { body: { subject: "x" } });
    await live.call("POST", "/search", { body: { query: "x", mode: "keyword" } });
    const message = { to: ["bob@mail.test"], subject: "x", body: "x", undo_window_s: 0 };
    await live.call("POST", "/messages/send", { body: message, headers: { "Idempotency-Key": "1" } });
    const wanted = ["webhook_attempt", "smtp_submission", "search"].map(
      (name) => `postroom_${name}_duration_seconds_count{`,
    );
    await eventually(async () => {
      const text = await (await fetch(`http://127.0.0.1:${live.app.server.port}/metrics`)).text();
      for (const [, name, labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
        const known = samples.get(name!) ?? new Set();
        for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label!);
        samples.set(name!, known);
      }
      for (const [, name] of text.matchAll(/^# TYPE (\w+) (?:gauge|counter)$/gm)) {
        if (!samples.has(name!)) samples.set(name!, new Set(WITHOUT_SAMPLES[name!]));
      }
      return wanted.every((start) => text.includes(start));
    }, 30_000);
  });
  afterAll(() => live.close());

  const queries = [
    ...charts.flatMap(({ title, targets }) =>
      targets!.map(({ expr, legendFormat }) => ({
        place: title,
        expr,
        shown: [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!),
      })),
    ),
    ...rules.map(({ alert, expr, annotations }) => ({
      place: alert,
      expr,
      shown: [...JSON.stringify(annotations).matchAll(/\$labels\.(\w+)/g)].map(([, label]) => label!),
    })),
  ];

  test("query only metrics and labels that the server has", () => {
    const faults = queries.flatMap(({ place, expr, shown }) => {
      const { metrics, labels } = usesOf(expr);
      const unknown = metrics.filter((name) => !samples.has(name));
      const known = new Set([...ADDED, ...metrics.flatMap((name) => [...(samples.get(name) ?? [])])]);
      const odd = [...labels, ...shown].filter((label) => !known.has(label));
      return [...unknown, ...odd.map((label) => `label ${label}`)].map((what) => `${place}: ${what}`);
    });
    expect(faults).toEqual([]);
    // A typing error in the pattern above would find nothing at all.
    expect(new Set(queries.flatMap(({ expr }) => usesOf(expr).metrics)).size).toBeGreaterThan(25);
  });

  test("show every metric that the server has", () => {
    const used = new Set(queries.flatMap(({ expr }) => usesOf(expr).metrics.map(familyOf)));
    const families = new Set([...samples.keys()].map(familyOf));
    expect([...families].filter((name) => !used.has(name))).toEqual([]);
  });
});

const familyOf = (name: string) => name.replace(/_(?:bucket|sum|count)$/, "");

test("the dashboard has the fields of Grafana's schema, unique ids, and panels that do not overlap", () => {
  const { uid, title, schemaVersion, templating, panels } = dashboard;
  expect({ uid, title, schemaVersion }).toEqual({ uid: "postroom", title: "Postroom", schemaVersion: 39 });
  expect(templating.list.map(({ name, type }) => `${name} ${type}`)).toEqual(["datasource datasource", "job query"]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  for (const { title: name, targets } of charts) {
    expect(name).not.toBe("");
    expect(targets!.length).toBeGreaterThan(0);
    for (const { datasource, expr } of targets!) {
      expect(datasource.uid).toBe("$" + "{datasource}");
      expect(expr).toContain('job="$job"');
    }
  }
});

test("each alert has a severity, a summary and a description", () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  for (const rule of rules) expect(rule).toMatchObject({ labels: { severity: expect.any(String) } });
  for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(["summary", "description"]);
});

const PROMTOOL = Bun.which("promtool");
if (!PROMTOOL) console.info("skipped: promtool does not check the alert rules (prometheus is not installed)");
test.skipIf(!PROMTOOL)(
  "promtool accepts the alert rules, the scrape example and the queries of the dashboard",
  async () => {
    const run = (...args: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([PROMTOOL!, ...args], { cwd: FOLDER });
      return { exitCode, output: exitCode === 0 ? "" : stdout.toString() + stderr.toString() };
    };
    expect(run("check", "rules", "alerts.yml")).toEqual({ exitCode: 0, output: "" });
    expect(run("check", "config", "--syntax-only", "prometheus.yml")).toEqual({ exitCode: 0, output: "" });
    const recorded = charts
      .flatMap(({ targets }) => targets!.map(({ expr }) => expr))
      .map((expr, i) => ({
        record: `panel:query:${i}`,
        expr: expr.replaceAll("$job", "postroom").replaceAll("$__rate_interval", "5m"),
      }));
    const file = Bun.file(join(process.env.TMPDIR ?? "/tmp", `postroom-queries-${process.pid}.yml`));
    await file.write(JSON.stringify({ groups: [{ name: "queries", rules: recorded }] }));
    try {
      expect(run("check", "rules", file.name!)).toEqual({ exitCode: 0, output: "" });
    } finally {
      await file.delete();
    }
  },
);
