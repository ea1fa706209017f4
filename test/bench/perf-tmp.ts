import { mkdtempSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMailbox } from "../../src/mailbox/mailbox.ts";
import { readTerms } from "../../src/mailbox/search/indexable.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { ManualClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform } from "../../src/platform/platform.ts";
import { makeQueries } from "./queries.ts";
import { syntheticSource } from "./synthetic-source.ts";

const N = Number(process.argv[2] ?? 20000);
const cpu = () => {
  const u = process.cpuUsage();
  return (u.user + u.system) / 1000;
};
const data_dir = mkdtempSync(join(tmpdir(), "perf-"));
const clock = new ManualClock("2026-11-22T10:00:00Z");
const platform = openPlatform({
  config: loadConfig({ data_dir, env: {} }),
  clock,
  log: createLog({ level: "error", format: "json", clock, write: console.error }),
  durability: "normal",
});
const mailbox = createMailbox(platform);
const person = platform.users.add({ email: "a@example.org", plan: "autopilot", role: "member", timezone: "UTC" });
const account = mailbox.accounts.add({
  user_id: person.id,
  provider: "imap",
  email: "a@example.org",
  connection: null,
});
const source = await syntheticSource(1);
const { sql } = platform.db;
sql.run("PRAGMA foreign_keys = OFF");
sql.run(
  `INSERT INTO threads SELECT 'thr_x', user_id, id FROM accounts LIMIT 0`.replace(
    "INSERT INTO threads SELECT 'thr_x', user_id, id FROM accounts LIMIT 0",
    "SELECT 1",
  ),
);
const cols = sql
  .query<{ name: string; type: string; notnull: number; dflt_value: string | null }, []>("PRAGMA table_info(messages)")
  .all();
const tcols = sql
  .query<{ name: string; type: string; notnull: number; dflt_value: string | null }, []>("PRAGMA table_info(threads)")
  .all();
const row = (cs: typeof cols, given: Record<string, unknown>) => {
  const use = cs.filter((c) => c.name in given || (c.notnull && c.dflt_value === null));
  return {
    names: use.map((c) => c.name),
    values: use.map((c) =>
      c.name in given ? given[c.name] : c.type === "BLOB" ? new Uint8Array(2) : c.type === "TEXT" ? "x" : 0,
    ),
  };
};
const t = row(tcols, { id: "thr_1", user_id: person.id, account_id: account.id, state: "inbox" });
sql.query(`INSERT INTO threads (${t.names}) VALUES (${t.names.map(() => "?")})`).run(...(t.values as any));
let read = 0,
  add = 0,
  upkeep = 0;
for (let i = 0; i < N; i += 100) {
  const batch = Array.from({ length: 100 }, (_, j) => source(i + j));
  const c1 = cpu();
  const terms = batch.map(({ contents }) => readTerms(mailbox.fullText.reader, contents));
  const c2 = cpu();
  read += c2 - c1;
  platform.db.write(() => {
    for (const [j, { at }] of batch.entries()) {
      const m = row(cols, {
        n: i + j + 1,
        id: `msg_${i + j}`,
        user_id: person.id,
        account_id: account.id,
        thread_id: "thr_1",
        internal_date: at,
        unread: (i + j) % 2,
      });
      sql.query(`INSERT INTO messages (${m.names}) VALUES (${m.names.map(() => "?")})`).run(...(m.values as any));
    }
  });
  const c3 = cpu();
  platform.db.write(() => {
    for (const [j, { at }] of batch.entries()) mailbox.fullText.add(person.id, i + j + 1, at, terms[j]!);
  });
  const c4 = cpu();
  add += c4 - c3;
  if (i % 500 === 0) {
    await mailbox.fullText.maintain(person.id, { rest: async () => {} });
    upkeep += cpu() - c4;
  }
}
const size = sql
  .query<{ s: number }, []>(
    "SELECT (SELECT sum(length(data)) FROM search_blocks) + coalesce((SELECT sum(length(data)) FROM search_pending), 0) AS s",
  )
  .get()!.s;
const streams = sql
  .query("SELECT (id / 2097152) % 4 AS stream, count(*) AS blocks FROM search_blocks GROUP BY 1")
  .all();
console.log({
  N,
  read_ms: read / N,
  add_ms: add / N,
  upkeep_ms: upkeep / N,
  total_ms: (read + add + upkeep) / N,
  bytes: size / N,
  streams,
  segments: sql.query("SELECT level, count(*) c FROM search_segments WHERE state='live' GROUP BY 1").all(),
  pending: sql.query("SELECT count(*) c FROM search_pending").get(),
});
Bun.gc(true);
console.log("rss", (process.memoryUsage.rss() / 1e6).toFixed(0));
const scope = { user_id: person.id, account_id: null };
const t0 = performance.now();
mailbox.search.find(scope, parseQuery("hello", clock.now()), 78);
console.log("first", (performance.now() - t0).toFixed(1));
const times: Record<string, number[]> = {};
for (const { kind, text } of makeQueries(350, "2008-01-01")) {
  const q = parseQuery(text, clock.now());
  const c = performance.now();
  mailbox.search.find(scope, q, 78);
  (times[kind] ??= []).push(performance.now() - c);
}
const all = Object.values(times)
  .flat()
  .sort((a, b) => a - b);
times.ALL = all;
for (const [k, v] of Object.entries(times)) {
  v.sort((a, b) => a - b);
  console.log(
    k.padEnd(16),
    "p50",
    v[v.length >> 1]!.toFixed(2),
    "p95",
    v[Math.floor(v.length * 0.95)]!.toFixed(2),
    "max",
    v.at(-1)!.toFixed(2),
  );
}
let worst = 0,
  sum = 0;
for (let i = 0; i < 200; i++) {
  const w = Array.from({ length: 3 }, () =>
    Array.from(
      { length: 4 + ((i * 7) % 9) },
      (_, j) => "qwertyuiopasdfghjklzxcvbnm"[(i * 13 + j * 7 + j * j * i) % 26],
    ).join(""),
  ).join(" ");
  const c = performance.now();
  mailbox.search.find(scope, parseQuery(w, clock.now()), 78);
  const d = performance.now() - c;
  worst = Math.max(worst, d);
  sum += d;
}
console.log("junk mean", (sum / 200).toFixed(1), "worst", worst.toFixed(1));
Bun.gc(true);
console.log("rss after", (process.memoryUsage.rss() / 1e6).toFixed(0));
platform.close();
