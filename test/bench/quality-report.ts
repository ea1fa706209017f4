import { type Figure, judged, type Measured } from "./figures.ts";
import { KINDS } from "./known-items/kinds.ts";
import { formatTable } from "./measure.ts";
import { type Figures, Tally } from "./relevance/measures.ts";

export const MODES = ["keyword", "semantic", "hybrid"] as const;
export const BASELINE = "plain FTS5 BM25";
/** Among kinds of queries: all of them. */
export const ALL = "all";

/** Figures by kind of query. */
export type ByKind = Record<string, Figures>;

export interface QualityData {
  /** By collection and search; the baseline is a search, too. */
  collections: Record<string, Record<string, Figures>>;
  /** By mailbox, mode and kind of query; under "all" those of all mailboxes. */
  knownItems: Record<string, Record<string, ByKind>>;
  /** Queries without an answer: by mailbox, mode and kind. */
  nothingRelevant: Record<string, Record<string, ByKind>>;
}

/** Kind of junk for which no search may find anything. */
export const RANDOM_KEYS = "keys at random";

/** The tables, and the figures with their goals. */
export function reportQuality(data: QualityData): { text: string; figures: Figure[] } {
  const tables = [collectionTable(data.collections), ...knownTables(data.knownItems), junkTable(data.nothingRelevant)];
  return { text: tables.filter((table) => table !== "").join("\n\n"), figures: figuresOf(data) };
}

function figuresOf({ collections, knownItems, nothingRelevant }: QualityData): Figure[] {
  const ratios = Object.values(collections).map((of) => of.keyword!.ndcg / of[BASELINE]!.ndcg);
  const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
  const all = knownItems[ALL]?.hybrid?.[ALL];
  return judged("quality", [
    ...Object.entries(collections).flatMap(([name, of]) => {
      const [keyword, hybrid, baseline] = [of.keyword!, of.hybrid!, of[BASELINE]!];
      return [
        against("keyword", name, keyword.ndcg, baseline.ndcg),
        against("hybrid", name, hybrid.ndcg, keyword.ndcg),
        against("hybrid_map", name, hybrid.map, keyword.map),
      ];
    }),
    ...(ratios.length > 0 ? [{ key: "keyword_mean" as const, value: mean }] : []),
    ...(all
      ? [
          { key: "success10" as const, value: 100 * all.success10 },
          { key: "success1" as const, value: 100 * all.success1 },
        ]
      : []),
    ...Object.entries(nothingRelevant).flatMap(([mailbox, modes]) =>
      Object.entries(modes).flatMap(([mode, kinds]) => {
        const junk = kinds[RANDOM_KEYS];
        return junk ? [{ key: "random_keys" as const, of: `${mailbox}, ${mode}`, value: 100 * junk.empty }] : [];
      }),
    ),
  ]);
}

/** A figure as a multiple of another one. */
function against<K extends string>(key: K, of: string, ours: number, other: number): Measured<K> {
  return { key, of, value: ours / other, peer: other.toFixed(4) };
}

function collectionTable(collections: QualityData["collections"]): string {
  const rows = Object.entries(collections).flatMap(([name, searches]) =>
    [BASELINE, ...MODES].map((search) => {
      const { map, ndcg } = searches[search]!;
      return [name, search, map.toFixed(4), ndcg.toFixed(4)];
    }),
  );
  return rows.length === 0 ? "" : formatTable(["collection", "search", "MAP@100", "nDCG@10"], rows);
}

const HEAD = ["queries", "success@1", "success@5", "success@10", "MRR"];
const cells = ({ queries, success1, success5, success10, mrr }: Figures) => [
  String(queries),
  ...[success1, success5, success10].map(percent),
  mrr.toFixed(3),
];

function knownTables(knownItems: QualityData["knownItems"]): string[] {
  const mailboxes = Object.entries(knownItems).flatMap(([mailbox, modes]) =>
    MODES.map((mode) => [mailbox, mode, ...cells(modes[mode]![ALL]!)]),
  );
  const kinds = KINDS.flatMap((kind) =>
    MODES.flatMap((mode) => {
      const figures = knownItems[ALL]?.[mode]?.[kind];
      return figures ? [[kind, mode, ...cells(figures)]] : [];
    }),
  );
  return [
    formatTable(["known items in", "search", ...HEAD], mailboxes),
    formatTable(["kind of query", "search", ...HEAD], kinds),
  ];
}

function junkTable(nothingRelevant: QualityData["nothingRelevant"]): string {
  const rows = Object.entries(nothingRelevant).flatMap(([mailbox, modes]) =>
    Object.keys(modes.keyword!).map((kind) => [
      mailbox,
      kind,
      String(modes.keyword![kind]!.queries),
      ...MODES.map((mode) => percent(modes[mode]![kind]!.empty)),
    ]),
  );
  return formatTable(["nothing relevant in", "query", "queries", ...MODES.map((mode) => `${mode} empty`)], rows);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

/** Sums figures of queries by kind, and of all of them. */
export class KindTallies {
  readonly #tallies = new Map([[ALL, new Tally()]]);

  add(kind: string, ranked: readonly string[], grades: ReadonlyMap<string, number>): void {
    if (!this.#tallies.has(kind)) this.#tallies.set(kind, new Tally());
    for (const name of new Set([ALL, kind])) this.#tallies.get(name)!.add(ranked, grades);
  }

  figures(): ByKind {
    return Object.fromEntries([...this.#tallies].map(([kind, tally]) => [kind, tally.figures()]));
  }
}
