import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, freePorts, startDovecot } from "../support/dovecot.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, type Run, runCommand, seconds } from "./measure.ts";
import { type ImapPlace, PEERS } from "./peers.ts";
import { firstSync, postroomCommand, prepareAccount } from "./postroom.ts";
import { missed } from "./target.ts";

const OURS = "postroom";
const MU = "mbsync + mu index";
const FLOOR = "imapflow, fetch only";
/** The difference is the cost of semantic search in a first sync. */
const WITHOUT_MODEL = "postroom, nothing embedded";

/** A first sync of a real mailbox compared with the programs that people use for it, in turns on the same Dovecot. */
export async function benchSync(options: BenchOptions): Promise<BenchResult> {
  if (!DOVECOT) return { name: "sync", skipped: "Dovecot is not installed" };
  const dovecot = await startDovecot();
  const base = mkdtempSync(join(tmpdir(), "postroom-bench-sync-"));
  const runs = new Map<string, Run[]>();
  const note = (name: string, run: Run) => {
    options.say(`  ${name}: ${seconds(run.ms)}`);
    runs.set(name, [...(runs.get(name) ?? []), run]);
  };
  try {
    const corpus = spamAssassin(options.messages ?? undefined);
    dovecot.loadMaildir("alice", "INBOX", corpus);
    const from: ImapPlace = { port: dovecot.imapPort, ...dovecot.logins.alice };
    const fetchOnly = () =>
      runCommand([
        process.execPath,
        join(import.meta.dir, "fetch-only.ts"),
        String(from.port),
        from.username,
        from.password,
      ]);
    const peers = PEERS.filter(({ name, needs }) => {
      const missing = needs.filter((program) => !Bun.which(program));
      if (missing.length > 0) options.say(`  skipped: ${name} (${missing.join(" and ")} not installed)`);
      return missing.length === 0;
    });
    // Dovecot reads and indexes the folder at the first request; this time does not count.
    await fetchOnly();
    for (let turn = 0; turn < options.repeat; turn++) {
      const folder = join(base, String(turn));
      note(FLOOR, await fetchOnly());
      note(OURS, await ourSync(options, join(folder, "ours"), from, corpus.length));
      const noModel = { POSTROOM_EMBEDDING_MODEL: "none" };
      note(WITHOUT_MODEL, await ourSync(options, join(folder, "plain"), from, corpus.length, noModel));
      for (const [i, peer] of peers.entries()) {
        mkdirSync(join(folder, String(i)), { recursive: true });
        note(peer.name, await peer.run(join(folder, String(i)), from));
      }
      rmSync(folder, { recursive: true, force: true });
    }
    return report(
      corpus.length,
      corpus.reduce((sum, { raw }) => sum + raw.length, 0),
      runs,
    );
  } finally {
    await dovecot.stop();
    rmSync(base, { recursive: true, force: true });
  }
}

async function ourSync(
  options: BenchOptions,
  data: string,
  from: ImapPlace,
  expected: number,
  env: Record<string, string> = {},
): Promise<Run> {
  const command = postroomCommand(options.executable);
  await prepareAccount(command, data, from.port, from);
  const [port] = await freePorts(1);
  const { messages, ...run } = await firstSync(command, data, port!, env);
  if (messages !== expected) throw new Error(`the first sync took ${messages} of ${expected} messages`);
  return run;
}

function report(messages: number, bytes: number, runs: Map<string, Run[]>): BenchResult {
  const ours = median(runs.get(OURS)!.map((run) => run.ms));
  const peak = (list: Run[]) => Math.max(...list.map((run) => run.peak_bytes ?? 0)) || null;
  const rows = [...runs].map(([name, list]) => {
    const times = list.map((run) => run.ms);
    const rate = Math.round(messages / (median(times) / 1000));
    const cpu = list.every((run) => run.cpu_ms !== null) ? seconds(median(list.map((run) => run.cpu_ms!))) : "?";
    const ratio = name === OURS ? "1" : (median(times) / ours).toFixed(2);
    return [name, ratio, seconds(median(times)), seconds(Math.min(...times)), cpu, String(rate), megabytes(peak(list))];
  });
  const head = ["first sync", "× ours", "median", "best", "cpu", "messages/s", "peak memory"];
  return {
    name: "sync",
    text: `${messages} messages, ${megabytes(bytes)}, ${runs.get(OURS)!.length} turns\n\n${formatTable(head, rows)}`,
    data: { messages, bytes, runs: Object.fromEntries(runs) },
    misses: missed([
      ...(runs.has(MU)
        ? [{ what: MU, measured: median(runs.get(MU)!.map((run) => run.ms)) / ours, atLeast: 2, unit: "times ours" }]
        : []),
      { what: "peak memory", measured: (peak(runs.get(OURS)!) ?? 0) / 1e6, atMost: 350, unit: "MB" },
    ]),
  };
}
