import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../corpus.ts";
import { freePorts } from "../dovecot.ts";
import { LIMITS } from "./limits.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, megabytes, percentile, processUsage, runCommand, seconds } from "./measure.ts";
import { OWNER, postroom, postroomCommand, type Server, serve, until } from "./postroom.ts";

const MESSAGES = 100_000;
const QUERIES = 300;
const MODES = ["keyword", "semantic", "hybrid"] as const;

/** POST /search over a large mailbox: start, latencies one after the other, memory, size of the index. */
export async function benchSearch(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const data = mkdtempSync(join(tmpdir(), "postroom-bench-search-"));
  const command = postroomCommand(options.executable);
  const script = (file: string, ...args: string[]) =>
    runCommand([process.execPath, join(import.meta.dir, file), ...args]);
  let server: Server | null = null;
  try {
    await postroom(command, data, ["user", "add", OWNER]);
    const scopes = ["--scopes", "mail:read,search:read"];
    const key = (
      await postroom(command, data, ["key", "create", "--user", OWNER, "--name", "bench", ...scopes])
    ).trim();
    const filled = await script("fill.ts", data, String(messages));
    options.say(`  ${messages} messages stored in ${seconds(filled.ms)}`);
    const embedded = await script("fill-vectors.ts", data);
    options.say(`  vectors made in ${seconds(embedded.ms)}`);
    const [port] = await freePorts(1);
    const ask = (query: string, mode: string) =>
      fetch(`http://127.0.0.1:${port}/v1/search`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ query, mode, limit: 25 }),
      });
    // The first search makes the snapshot that later starts read; it is written when the server stops.
    server = serve(command, data, port!, LIMITS);
    await until(server, () =>
      ask("meeting", "semantic").then(
        (answer) => answer.ok || null,
        () => null,
      ),
    );
    const started: Record<string, number[]> = { keyword: [], semantic: [] };
    for (let turn = 0; turn < options.repeat * 2; turn++) {
      const mode = turn % 2 === 0 ? "semantic" : "keyword";
      await server?.stop();
      const began = performance.now();
      server = serve(command, data, port!, LIMITS);
      await until(
        server,
        () =>
          ask("meeting", mode).then(
            (answer) => answer.ok || null,
            () => null,
          ),
        2,
      );
      started[mode]!.push(performance.now() - began);
    }
    await ask("meeting", "hybrid");
    const latencies: Record<string, number[]> = {};
    const queries = makeQueries();
    for (const mode of MODES) {
      for (const { kind, text } of queries) {
        const began = performance.now();
        const answer = await ask(text, mode);
        await answer.arrayBuffer();
        if (!answer.ok) throw new Error(`${text}: ${answer.status}`);
        const ms = performance.now() - began;
        for (const row of mode === "keyword" ? [mode, `keyword: ${kind}`] : [mode]) {
          latencies[row] = [...(latencies[row] ?? []), ms];
        }
      }
      options.say(`  ${mode} measured`);
    }
    const memory = processUsage(server!.pid)?.rss_bytes ?? null;
    return report(messages, started, latencies, memory, statSync(join(data, "postroom.db")).size);
  } finally {
    await server?.stop();
    rmSync(data, { recursive: true, force: true });
  }
}

/** Queries of the kinds that people type, from words of the corpus: common and rare ones as they occur. */
function makeQueries(): { kind: string; text: string }[] {
  const subjects = spamAssassin().map(
    ({ raw }) => /^Subject: (.*)$/im.exec(Buffer.from(raw).toString("latin1"))?.[1] ?? "",
  );
  const words = subjects.flatMap((subject) => subject.match(/\b[a-z]{4,12}\b/gi) ?? []);
  const pick = (n: number) => words[(n * 7_919) % words.length]!;
  const kinds: Record<string, (n: number) => string> = {
    "one word": (n) => pick(n),
    "two words": (n) => `${pick(n)} ${pick(n + 1)}`,
    phrase: (n) => `"${words[n % (words.length - 1)]} ${words[(n % (words.length - 1)) + 1]}"`,
    beginning: (n) => `${pick(n).slice(0, 4)}*`,
    alternatives: (n) => `${pick(n)} OR ${pick(n + 5)}`,
    "with a filter": (n) => `${pick(n)} is:unread after:2021-01-01`,
    question: (n) => `what about ${pick(n)} and the ${pick(n + 2)} of ${pick(n + 3)}`,
  };
  const names = Object.keys(kinds);
  return Array.from({ length: QUERIES }, (_, n) => {
    const kind = names[n % names.length]!;
    return { kind, text: kinds[kind]!(n + 11) };
  });
}

function report(
  messages: number,
  started: Record<string, number[]>,
  latencies: Record<string, number[]>,
  memory_bytes: number | null,
  db_bytes: number,
): BenchResult {
  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const rows = Object.entries(latencies).map(([name, values]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => ms(percentile(values, share))),
  ]);
  const facts = [
    `${messages} messages; database ${megabytes(db_bytes)}; memory after the queries ${megabytes(memory_bytes)}`,
    ...Object.entries(started).map(([mode, values]) => `start to first ${mode} answer ${ms(percentile(values, 0.5))}`),
  ];
  return {
    name: "search",
    text: `${facts.join("\n")}\n\n${formatTable(["query", "p50", "p95", "p99", "slowest"], rows)}`,
    data: { messages, started, latencies, memory_bytes, db_bytes },
  };
}
