/**
 * Evaluates the ranking of search without a server: bun test/bench/tune.ts [SET...] [--modes keyword,semantic,hybrid]
 * [--kinds] [--dump FILE] [--json FILE]. Fills a separate folder with each set (relevance/sets.ts), runs all its
 * queries in this process, and prints the figures. Vectors are made once and kept in .cache/bench/.
 */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { SearchService, type SemanticSearch } from "../../src/features/search/service.ts";
import { createMailbox, type Mailbox } from "../../src/mailbox/mailbox.ts";
import { parseQuery } from "../../src/mailbox/search/query.ts";
import { ManualClock } from "../../src/platform/clock.ts";
import { loadConfig } from "../../src/platform/config/load.ts";
import { createLog } from "../../src/platform/log.ts";
import { openPlatform, type Platform } from "../../src/platform/platform.ts";
import { formatTable } from "./measure.ts";
import { ALL, KindTallies } from "./quality-report.ts";
import { type FilledSet, fillSet, fts5Document } from "./relevance/fill.ts";
import { Fts5 } from "./relevance/fts5.ts";
import type { GradedQuery } from "./relevance/generated-set.ts";
import { JUNK, JUNK_MAILBOXES } from "./relevance/junk.ts";
import { type Figures, gradesOfThreads } from "./relevance/measures.ts";
import { type QuerySet, readSet, SET_NAMES } from "./relevance/sets.ts";
import { VectorFile } from "./relevance/vectors.ts";

type Mode = "keyword" | "semantic" | "hybrid";

const NO_SEMANTIC_SEARCH: SemanticSearch = { search: () => Promise.reject(new Error("no model")) };

const NOW = "2026-11-22T10:00:00Z";
const CACHE = join(import.meta.dir, "../../.cache/bench");
const LONGEST_QUERY = 1_000;
const DEPTH = 100;
/** For each query, this many results by words and by meaning are dumped. */
const DUMPED = 200;
const BASELINE = "FTS5 BM25";

const { values, positionals } = parseArgs({
  args: Bun.argv.slice(2),
  allowPositionals: true,
  options: {
    modes: { type: "string", default: "keyword" },
    kinds: { type: "boolean", default: false },
    dump: { type: "string" },
    json: { type: "string" },
  },
});
const modes = values.modes.split(",") as Mode[];
const names = positionals.length > 0 ? positionals : SET_NAMES;
const withVectors = values.dump !== undefined || modes.some((mode) => mode !== "keyword");

/** Figures by set, by search, by kind; "all" kinds first. */
const results: Record<string, Record<string, Record<string, Figures>>> = {};
if (values.dump) writeFileSync(values.dump, "");
const vectors = withVectors ? await VectorFile.open(CACHE) : null;
for (const name of names) results[name] = await measureSet(readSet(name));
await vectors?.close();
if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
print();

async function measureSet(set: QuerySet): Promise<Record<string, Record<string, Figures>>> {
  const dataDir = mkdtempSync(join(tmpdir(), "postroom-tune-"));
  const clock = new ManualClock(NOW);
  const log = createLog({ level: "error", format: "json", clock, write: (line) => console.error(line) });
  const config = loadConfig({ data_dir: dataDir, env: {} });
  const platform = openPlatform({ config, clock, log, durability: "normal" });
  try {
    const began = performance.now();
    const mailbox = createMailbox(platform);
    const filled = await fillSet(platform, mailbox, set);
    const filledAt = performance.now();
    const semantic = (await vectors?.over(filled.messages)) ?? NO_SEMANTIC_SEARCH;
    const askedAt = performance.now();
    const found = await ask({ platform, mailbox, set, filled, semantic });
    const seconds = [filledAt - began, askedAt - filledAt, performance.now() - askedAt].map((ms) =>
      (ms / 1_000).toFixed(1),
    );
    console.error(`${set.name}: filled in ${seconds[0]} s, vectors ${seconds[1]} s, asked in ${seconds[2]} s`);
    return found;
  } finally {
    platform.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Asking {
  platform: Platform;
  mailbox: Mailbox;
  set: QuerySet;
  filled: FilledSet;
  semantic: SemanticSearch;
}

async function ask(asking: Asking): Promise<Record<string, Record<string, Figures>>> {
  const { platform, mailbox, set, filled, semantic } = asking;
  const service = new SearchService({ platform, mailbox, semantic });
  const scope = { user_id: filled.userId, account_id: null };
  const baseline = new Fts5(filled.messages.map(fts5Document));
  const found: Record<string, Record<string, Figures>> = {};
  const queries = set.queries(filled.madeAt);
  found[BASELINE] = await tallied(queries, filled, async (text) => baseline.find(text));
  for (const mode of modes) {
    const rank = async (text: string) => {
      const { rows } = await service.find(scope, text.slice(0, LONGEST_QUERY), mode, DEPTH);
      return rows.map(({ thread_id }) => thread_id);
    };
    found[mode] = await tallied(queries, filled, rank);
    const { [ALL]: junk, ...kinds } = await tallied(junkOf(set), filled, rank);
    if (junk!.queries > 0) Object.assign(found[mode]!, { junk, ...kinds });
  }
  baseline.close();
  if (values.dump) for (const query of [...queries, ...junkOf(set)]) await dump(values.dump, asking, query);
  return found;
}

async function tallied(
  queries: readonly GradedQuery[],
  { threads }: FilledSet,
  rank: (text: string) => Promise<string[]>,
): Promise<Record<string, Figures>> {
  const tallies = new KindTallies();
  for (const { text, kind, grades } of queries) tallies.add(kind, await rank(text), gradesOfThreads(grades, threads));
  return tallies.figures();
}

/**
 * Formats one line for a query: its set, kind and text, and of every candidate its thread, BM25 (null: not found by
 * words), cosine (null: no vector), age in days and grade. From these, weights of the fusion and the floor of relevance
 * are fitted.
 */
async function dump(
  file: string,
  { platform, mailbox, set, filled, semantic }: Asking,
  query: GradedQuery,
): Promise<void> {
  const scope = { user_id: filled.userId, account_id: null };
  const now = platform.clock.now();
  const parsed = parseQuery(query.text.slice(0, LONGEST_QUERY), now);
  const answers = gradesOfThreads(query.grades, filled.threads);
  const byWords = new Map(mailbox.search.find(scope, parsed, DUMPED).hits.map((row) => [row.n, row]));
  const request = {
    user_id: filled.userId,
    text: parsed.text,
    limit: DUMPED,
    candidates: [...byWords.keys()],
    within: null,
  };
  const { near, candidates } = await semantic.search(request);
  const cosines = new Map([...near, ...candidates].map(({ n, score }) => [n, score]));
  const rows = await mailbox.search.allowed(scope, parsed, [...new Set([...byWords.keys(), ...cosines.keys()])]);
  const line = {
    set: set.name,
    kind: query.kind,
    text: query.text,
    answers: Object.fromEntries(answers),
    candidates: [...rows.values()].map(({ n, thread_id, internal_date, correspondent }) => ({
      thread: thread_id,
      bm25: byWords.get(n)?.score ?? null,
      cosine: cosines.get(n) ?? null,
      near: near.some((other) => other.n === n),
      ageDays: Math.round((now - internal_date) / 86_400_000),
      correspondent: correspondent === 1,
      grade: answers.get(thread_id) ?? 0,
    })),
  };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

function junkOf(set: QuerySet): GradedQuery[] {
  if (!JUNK_MAILBOXES.some((name) => name === set.name)) return [];
  return Object.entries(JUNK).flatMap(([kind, texts]) =>
    texts.map((text) => ({ text, kind: `junk: ${kind}`, grades: new Map() })),
  );
}

function print(): void {
  const rows = Object.entries(results).flatMap(([set, searches]) =>
    Object.entries(searches).flatMap(([search, kinds]) =>
      Object.entries(kinds)
        .filter(([kind]) => values.kinds || kind === ALL || kind === "junk")
        .map(([kind, figures]) => [
          set,
          search,
          kind,
          String(figures.queries),
          ...[figures.ndcg, figures.map, figures.success1, figures.success5, figures.success10, figures.mrr].map((x) =>
            x.toFixed(4),
          ),
          `${Math.round(figures.empty * 100)} %`,
        ]),
    ),
  );
  const head = ["set", "search", "queries are", "queries", "nDCG@10", "MAP@100", "S@1", "S@5", "S@10", "MRR", "empty"];
  console.log(formatTable(head, rows));
}
