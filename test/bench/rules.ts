import { judged } from "./figures.ts";
import type { BenchOptions, BenchResult } from "./main.ts";
import { formatTable, median, runScript, seconds } from "./measure.ts";

const MESSAGES = 3_000;
const RULES = 100;

interface Taken {
  ms: number;
  /** The compared figure: other work on the machine changes it far less than wall time. */
  cpu_ms: number;
  matched: number;
}

/**
 * Cost of a hundred rules: in a first sync, and for mail that arrives afterwards. Each run is a separate process, in
 * turns.
 */
export async function benchRules(options: BenchOptions): Promise<BenchResult> {
  const messages = options.messages ?? MESSAGES;
  const kinds = ["history", "live"] as const;
  const runs = new Map<string, Taken[]>();
  for (let turn = 0; turn < options.repeat; turn++) {
    for (const kind of kinds) {
      // The order alternates, because the machine's caches favor the second run.
      for (const rules of turn % 2 === 0 ? [0, RULES] : [RULES, 0]) {
        const taken = await runScript<Taken>("rules-ingest.ts", [String(messages), String(rules), kind]);
        options.say(`  ${kind}, ${rules} rules: ${seconds(taken.cpu_ms)} of processor, ${seconds(taken.ms)}`);
        const name = `${kind} ${rules}`;
        runs.set(name, [...(runs.get(name) ?? []), taken]);
      }
    }
  }
  const time = (kind: string, rules: number) => median(runs.get(`${kind} ${rules}`)!.map(({ cpu_ms }) => cpu_ms));
  const rows = kinds.map((kind) => {
    const [without, with_rules] = [time(kind, 0), time(kind, RULES)];
    const share = with_rules / without - 1;
    const matched = runs.get(`${kind} ${RULES}`)![0]!.matched;
    const name = kind === "history" ? "first sync" : "all of it as new mail";
    return [name, seconds(without), seconds(with_rules), `${(share * 100).toFixed(1)} %`, String(matched)];
  });
  const firstSync = time("history", RULES) / time("history", 0) - 1;
  const verdict = `${RULES} rules cost a first sync ${(firstSync * 100).toFixed(1)} %`;
  const head = [`${messages} messages, processor`, "without rules", `${RULES} rules`, "more", "changes made"];
  return {
    name: "rules",
    text: `${formatTable(head, rows)}\n\n${verdict}`,
    data: { messages, rules: RULES, first_sync_share: firstSync, runs: Object.fromEntries(runs) },
    figures: judged("rules", [{ key: "more", value: firstSync * 100 }]),
  };
}
