import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { spamAssassin } from "../support/corpus.ts";
import { DOVECOT, type Dovecot, freePorts, startDovecot } from "../support/dovecot.ts";
import { judged, type Measured } from "./figures.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, megabytes, type Run, runCommand, seconds } from "./measure.ts";
import { type ImapPlace, PEERS } from "./peers.ts";
import { firstSync, postroomCommand, prepareAccount } from "./postroom.ts";
import { serveMaildir, storeMaildirs } from "./stored-maildir.ts";

const OURS = "postroom";
const MU = "mbsync + mu index";
const FLOOR = "imapflow, fetch only";
/** The difference is the cost of semantic search in a first sync. */
const WITHOUT_MODEL = "postroom, nothing embedded";

/** Size of the large mailbox; its messages are copies of the corpus. */
const LARGE = 50_000;
const LARGE_GIVES_UP_MS = 1_800_000;

/** A mailbox, and the runs of each program on it. */
interface Compared {
  messages: number;
  bytes: number;
  runs: Map<string, Run[]>;
}

/**
 * Compares first syncs with the programs that people use for it, in turns on the same Dovecot: several times of the
 * corpus, and once of a large mailbox.
 */
export async function benchSync(options: BenchOptions): Promise<BenchResult> {
  if (!DOVECOT) return { name: "sync", skipped: "Dovecot is not installed" };
  const base = mkdtempSync(join(tmpdir(), "postroom-bench-sync-"));
  try {
    const dovecot = await startDovecot();
    const corpus = spamAssassin(options.messages ?? undefined);
    dovecot.loadMaildir("alice", "INBOX", corpus);
    const bytes = corpus.reduce((sum, { raw }) => sum + raw.length, 0);
    const small: Compared = { messages: corpus.length, bytes, runs: new Map() };
    await compare(options, base, dovecot, small, PEERS, options.repeat).finally(() => dovecot.stop());
    return report(small, options.short || options.messages ? null : await compareLarge(options, base));
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

async function compareLarge(options: BenchOptions, base: string): Promise<Compared> {
  storeMaildirs(base, [LARGE], options.say);
  const large: Compared = { messages: LARGE, bytes: 0, runs: new Map() };
  const dovecot = await serveMaildir(base, LARGE);
  const mu = PEERS.filter(({ name }) => name === MU);
  await compare(options, base, dovecot, large, mu, 1).finally(() => dovecot.stop());
  return large;
}

async function compare(
  options: BenchOptions,
  base: string,
  dovecot: Dovecot,
  { messages, runs }: Compared,
  wanted: typeof PEERS,
  turns: number,
): Promise<void> {
  const note = (name: string, run: Run) => {
    options.say(`  ${messages} messages, ${name}: ${seconds(run.ms)}`);
    runs.set(name, [...(runs.get(name) ?? []), run]);
  };
  const from: ImapPlace = { port: dovecot.imapPort, ...dovecot.logins.alice };
  const fetchOnly = () =>
    runCommand([
      process.execPath,
      join(import.meta.dir, "fetch-only.ts"),
      String(from.port),
      from.username,
      from.password,
    ]);
  const peers = wanted.filter(({ name, needs }) => {
    const missing = needs.filter((program) => !Bun.which(program));
    if (missing.length > 0) options.say(`  skipped: ${name} (${missing.join(" and ")} not installed)`);
    return missing.length === 0;
  });
  // Dovecot reads and indexes the folder at the first request; this time does not count.
  await fetchOnly();
  for (let turn = 0; turn < turns; turn++) {
    const folder = join(base, `${messages}-${turn}`);
    note(FLOOR, await fetchOnly());
    note(OURS, await ourSync(options, join(folder, "ours"), from, messages));
    const noModel = { POSTROOM_EMBEDDING_MODEL: "none" };
    note(WITHOUT_MODEL, await ourSync(options, join(folder, "plain"), from, messages, noModel));
    for (const [i, peer] of peers.entries()) {
      mkdirSync(join(folder, String(i)), { recursive: true });
      note(peer.name, await peer.run(join(folder, String(i)), from));
    }
    rmSync(folder, { recursive: true, force: true });
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
  const { messages, ...run } = await firstSync(command, data, port!, env, LARGE_GIVES_UP_MS);
  if (messages !== expected) throw new Error(`the first sync took ${messages} of ${expected} messages`);
  return run;
}

const timesOf = (runs: Map<string, Run[]>, name: string): number => median(runs.get(name)!.map(({ ms }) => ms));
const peakOf = (list: readonly Run[]): number | null => Math.max(...list.map((run) => run.peak_bytes ?? 0)) || null;

function report(small: Compared, large: Compared | null): BenchResult {
  const runs = small.runs;
  const ours = runs.get(OURS)!;
  return {
    name: "sync",
    text: [small, ...(large ? [large] : [])].map(textOf).join("\n\n"),
    data: {
      messages: small.messages,
      bytes: small.bytes,
      runs: Object.fromEntries(runs),
      large: large && { messages: large.messages, runs: Object.fromEntries(large.runs) },
    },
    figures: judged("sync", [
      ...againstMu("against_mu", small),
      ...(large ? againstMu("against_mu_large", large) : []),
      { key: "cpu", value: median(ours.map(({ cpu_ms }) => cpu_ms ?? Number.NaN)) / 1_000, ...cpuOfMu(runs) },
      { key: "peak", value: (peakOf(ours) ?? Number.NaN) / 1e6 },
    ]),
  };
}

function againstMu<K extends string>(key: K, { runs }: Compared): Measured<K>[] {
  if (!runs.has(MU)) return [];
  const [mu, ours] = [timesOf(runs, MU), timesOf(runs, OURS)];
  return [{ key, value: mu / ours, peer: `${seconds(mu)}, ours ${seconds(ours)}` }];
}

function cpuOfMu(runs: Map<string, Run[]>): { peer?: string } {
  const mu = runs.get(MU);
  return mu ? { peer: seconds(median(mu.map(({ cpu_ms }) => cpu_ms ?? Number.NaN))) } : {};
}

function textOf({ messages, bytes, runs }: Compared): string {
  const ours = timesOf(runs, OURS);
  const rows = [...runs].map(([name, list]) => {
    const times = list.map((run) => run.ms);
    const rate = Math.round(messages / (median(times) / 1000));
    const cpu = list.every((run) => run.cpu_ms !== null) ? seconds(median(list.map((run) => run.cpu_ms!))) : "?";
    const ratio = name === OURS ? "1" : (median(times) / ours).toFixed(2);
    const best = seconds(Math.min(...times));
    return [name, ratio, seconds(median(times)), best, cpu, String(rate), megabytes(peakOf(list))];
  });
  const head = ["first sync", "× ours", "median", "best", "cpu", "messages/s", "peak memory"];
  const size = bytes > 0 ? `, ${megabytes(bytes)}` : ", copies of the corpus";
  return `${messages} messages${size}, ${runs.get(OURS)!.length} turns\n\n${formatTable(head, rows)}`;
}
