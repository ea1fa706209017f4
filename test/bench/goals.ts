/** A figure and its bound. A figure without a bound is shown and not judged. */
export interface Goal {
  work: string;
  unit: string;
  atMost?: number;
  atLeast?: number;
  /** Depends on something that may be missing, such as a collection; not listed as unmeasured. */
  optional?: true;
}

/** All goals, by benchmark and figure. docs/benchmarks.md explains them. */
export const GOALS = {
  sync: {
    against_mu: { work: "first sync of the corpus, against mbsync + mu", unit: "× as fast", atLeast: 1.5 },
    against_mu_large: { work: "first sync of 50,000, against mbsync + mu", unit: "× as fast", atLeast: 2 },
    cpu: { work: "first sync of the corpus, processor time", unit: "s" },
    peak: { work: "first sync of the corpus, peak memory", unit: "MB", atMost: 350 },
  },
  api: {
    list_p50: { work: "GET /threads at 100,000, p50", unit: "ms", atMost: 3 },
    list_p99: { work: "GET /threads at 100,000, p99", unit: "ms", atMost: 15 },
    messages_p50: { work: "messages of a thread, p50", unit: "ms", atMost: 3 },
    messages_p99: { work: "messages of a thread, p99", unit: "ms", atMost: 15 },
    syncing_list_p99: { work: "GET /threads during a first sync, p99", unit: "ms", atMost: 40 },
    syncing_messages_p99: { work: "messages of a thread during a first sync, p99", unit: "ms", atMost: 40 },
    start: { work: "start to first answer", unit: "ms", atMost: 200 },
    rest: { work: "memory at rest, everything embedded", unit: "MB", atMost: 120 },
    failed: { work: "requests that failed", unit: "", atMost: 0 },
    executable: { work: "executable", unit: "MB", atMost: 225, optional: true },
  },
  rules: {
    more: { work: "first sync with 100 rules, processor time", unit: "% more", atMost: 10 },
  },
  send: {
    send_p99: { work: "POST /messages/send, 50 a second, p99", unit: "ms", atMost: 15 },
    near: { work: "dispatch to a server on this machine", unit: "× nodemailer", atMost: 1.5 },
    far: { work: "dispatch to a server 20 ms away", unit: "× nodemailer", atMost: 1.3 },
  },
  search: {
    keyword_p50: { work: "keyword search at 100,000, p50", unit: "ms", atMost: 4 },
    keyword_p99: { work: "keyword search at 100,000, p99", unit: "ms", atMost: 12 },
    semantic_p50: { work: "semantic search at 100,000, p50", unit: "ms", atMost: 12 },
    semantic_p99: { work: "semantic search at 100,000, p99", unit: "ms", atMost: 40 },
    hybrid_p50: { work: "hybrid search at 100,000, p50", unit: "ms", atMost: 12 },
    hybrid_p99: { work: "hybrid search at 100,000, p99", unit: "ms", atMost: 40 },
    junk: { work: "slowest of 1,225 junk queries", unit: "ms", atMost: 100 },
    memory: { work: "memory of keyword search", unit: "MB", atMost: 100 },
    first_keyword: { work: "start to first keyword answer", unit: "ms", atMost: 200 },
    first_semantic: { work: "start to first semantic answer", unit: "ms", atMost: 300 },
  },
  index: {
    cpu: { work: "indexing a message, processor time", unit: "ms", atMost: 0.2 },
    bytes: { work: "index of a message", unit: "bytes", atMost: 1_300 },
  },
  quality: {
    keyword: { work: "keyword, nDCG@10", unit: "× FTS5", atLeast: 1, optional: true },
    hybrid: { work: "hybrid, nDCG@10", unit: "× keyword", atLeast: 1, optional: true },
    hybrid_map: { work: "hybrid, MAP@100", unit: "× keyword", atLeast: 1, optional: true },
    keyword_mean: { work: "keyword, mean nDCG@10", unit: "× FTS5", atLeast: 1.08, optional: true },
    success10: { work: "known items, hybrid, success@10", unit: "%", atLeast: 85 },
    success1: { work: "known items, hybrid, success@1", unit: "%", atLeast: 65 },
    random_keys: { work: "random keys, empty answers", unit: "%", atLeast: 100 },
  },
  webhooks: {
    p99: { work: "change to receiver, p99", unit: "ms", atMost: 100 },
    backlog: { work: "backlog of 5,000", unit: "deliveries a second", atLeast: 300 },
    dead: { work: "p99 of nine endpoints beside a dead one", unit: "% more", atMost: 10 },
  },
  live: {
    api_p50: { work: "new mail, announced to API, p50", unit: "ms" },
    api_p99: { work: "new mail, announced to API, p99", unit: "ms", atMost: 500 },
    webhook_p50: { work: "new mail, API to webhook, p50", unit: "ms" },
    webhook_p99: { work: "new mail, API to webhook, p99", unit: "ms", atMost: 100 },
  },
  ai: {
    brief: { work: "brief over 10,000 messages", unit: "ms", atMost: 3_000 },
    draft: { work: "extractive draft, p99", unit: "ms", atMost: 300 },
    beside_briefs: { work: "API during two briefs, p99", unit: "× at rest", atMost: 1.1 },
    beside_drafts: { work: "API while drafts are written, p99", unit: "× at rest", atMost: 1.1 },
  },
  answers: {
    right: { work: "held-out questions answered right", unit: "%", atLeast: 65 },
    wrong: { work: "held-out questions answered wrong", unit: "%", atMost: 5 },
    refused: { work: "held-out questions without an answer, refused", unit: "%", atLeast: 95 },
    due: { work: "due days of held-out mails, right", unit: "%", atLeast: 95 },
  },
  mcp: {
    list_p50: { work: "list_threads, 25 rows, p50", unit: "ms", atMost: 5 },
    // Equal starts differ by as much.
    start: { work: "start with the unused tool server", unit: "ms more", atMost: 30 },
    memory: { work: "memory with the unused tool server", unit: "MB more", atMost: 10 },
  },
  capacity: {
    requests: { work: "requests a second with p99 ≤ 50 ms", unit: "a second" },
    memory: { work: "mailboxes connected, memory", unit: "MB", optional: true },
    idle: { work: "mailboxes connected, processor at rest", unit: "% of a core", optional: true },
    arrival: { work: "mailboxes connected, slowest new mail", unit: "ms", optional: true },
  },
  "off-machine": {
    p99: { work: "API p99 with a continuous copy", unit: "× without", atMost: 1.1 },
    lag: { work: "oldest change not in the copy", unit: "s", atMost: 10 },
    promotion: { work: "promotion after a kill", unit: "s", atMost: 60 },
  },
  small: {
    peak: { work: "one core, 1 GB: peak memory", unit: "MB", atMost: 1_000 },
    sync: { work: "one core, 1 GB: first sync of the corpus", unit: "s" },
    embedded: { work: "one core, 1 GB: everything embedded", unit: "s" },
    keyword: { work: "one core, 1 GB: keyword search, p99", unit: "ms" },
    first_semantic: { work: "one core, 1 GB: start to first semantic answer", unit: "ms" },
    semantic: { work: "one core, 1 GB: semantic search, p99", unit: "ms" },
    send: { work: "one core, 1 GB: message handed to the server", unit: "ms" },
    brief: { work: "one core, 1 GB: brief", unit: "ms" },
    rest: { work: "one core, 1 GB: memory at rest", unit: "MB", atMost: 120 },
  },
  growth: {
    exponent: { work: "growth to a million, highest exponent", unit: "", atMost: 1.05 },
    keyword_p50: { work: "keyword search in the largest mailbox, p50", unit: "ms", atMost: 20 },
    list_p99: { work: "thread list in the largest mailbox, p99", unit: "ms", atMost: 15 },
    start: { work: "start with the largest mailbox", unit: "ms", atMost: 200 },
    rest: { work: "memory at rest, largest mailbox", unit: "MB", atMost: 120 },
    synced_peak: { work: "first sync of the largest mailbox, peak memory", unit: "MB", atMost: 350, optional: true },
  },
  soak: {
    memory_slope_mb_per_hour: { work: "memory during a steady load", unit: "MB an hour", atMost: 20 },
    memory_mb: { work: "memory after a steady load", unit: "MB", atMost: 350 },
  },
} as const satisfies Record<string, Record<string, Goal>>;

export type Goals = typeof GOALS;
export type GoalGroup = keyof Goals;

/** Returns the goals of a benchmark by figure. */
export const goalsOf = (group: GoalGroup): Record<string, Goal> => GOALS[group];

/** Formats a bound: "≤ 350 MB"; empty for a figure without one. */
export function boundText({ atMost, atLeast, unit }: Goal): string {
  if (atMost !== undefined) return `≤ ${atMost} ${unit}`.trim();
  return atLeast === undefined ? "" : `≥ ${atLeast} ${unit}`.trim();
}
