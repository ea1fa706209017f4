import type { FoundServer, InstalledModel, ServerKind } from "./detect.ts";

const MB = 1_000_000;
const GB = 1_000_000_000;

/** A language model that fits a certain amount of memory. */
export interface RecommendedLanguageModel {
  /** Name in Ollama's library. */
  name: string;
  /** Name for people. */
  title: string;
  /** Size of the download. */
  diskBytes: number;
  /** Memory with a context of 8,192 tokens. */
  memoryBytes: number;
  /** What its authors say about languages. */
  languages: string;
  /** Repositories on Hugging Face with its files for llama.cpp and LM Studio. */
  gguf: string;
}

/**
 * Language models by the memory that they need, largest first. All answer without thinking first: thoughts count against
 * the length of an answer. Names and sizes are those of Ollama's library with 4-bit weights; memory is an estimate.
 */
export const LANGUAGE_MODELS: readonly RecommendedLanguageModel[] = [
  {
    name: "gemma3:27b",
    title: "Gemma 3 27B",
    diskBytes: 17 * GB,
    memoryBytes: 20.5 * GB,
    languages: "more than 140 languages",
    gguf: "ggml-org/gemma-3-27b-it-GGUF",
  },
  {
    name: "gemma3:12b",
    title: "Gemma 3 12B",
    diskBytes: 8.1 * GB,
    memoryBytes: 10.5 * GB,
    languages: "more than 140 languages",
    gguf: "ggml-org/gemma-3-12b-it-GGUF",
  },
  {
    name: "qwen2.5:7b",
    title: "Qwen 2.5 7B",
    diskBytes: 4.7 * GB,
    memoryBytes: 6 * GB,
    languages: "29 languages",
    gguf: "bartowski/Qwen2.5-7B-Instruct-GGUF",
  },
  {
    name: "gemma3:4b",
    title: "Gemma 3 4B",
    diskBytes: 3.3 * GB,
    memoryBytes: 4.5 * GB,
    languages: "more than 140 languages",
    gguf: "ggml-org/gemma-3-4b-it-GGUF",
  },
  {
    name: "llama3.2:3b",
    title: "Llama 3.2 3B",
    diskBytes: 2 * GB,
    memoryBytes: 3 * GB,
    languages: "8 languages",
    gguf: "bartowski/Llama-3.2-3B-Instruct-GGUF",
  },
  {
    name: "qwen2.5:1.5b",
    title: "Qwen 2.5 1.5B",
    diskBytes: 986 * MB,
    memoryBytes: 1.5 * GB,
    languages: "29 languages",
    gguf: "bartowski/Qwen2.5-1.5B-Instruct-GGUF",
  },
];

/** The largest model that answers in time on a processor alone. */
const WITHOUT_GRAPHICS = LANGUAGE_MODELS.find(({ name }) => name === "gemma3:4b")!;
const SLOW = ` Without a graphics card, it can be too slow: then use ${WITHOUT_GRAPHICS.name}.`;

/** Memory that stays free for Postroom and the rest of the machine. */
const RESERVE_BYTES = GB;
/** Memory of a model beyond its files: the context, and a share for computing. */
const OVERHEAD_SHARE = 1.2;

/** Returns the largest model that fits into the available memory; null if none does. */
export function recommendedFor(availableBytes: number): RecommendedLanguageModel | null {
  return LANGUAGE_MODELS.find(({ memoryBytes }) => memoryBytes + RESERVE_BYTES <= availableBytes) ?? null;
}

/** Returns the command that downloads a model for a kind of server, and starts the server where that is one step. */
export function commandFor({ name, gguf }: RecommendedLanguageModel, kind: ServerKind): string {
  if (kind === "llama.cpp") return `llama-server -hf ${gguf}:Q4_K_M -c 8192 --port 8080`;
  if (kind === "lm_studio") return `lms get ${gguf}@q4_k_m`;
  return `ollama pull ${name}`;
}

/** A model that Postroom would use, and the server that has it. */
export interface ModelChoice {
  base_url: string;
  model: string;
  kind: ServerKind;
}

/**
 * Returns the model that Postroom would use; null if none is suitable. A model that is in memory needs no more, and
 * llama.cpp has only one. Of the others, a recommended one that fits is best, then the largest one that fits, then one of unknown size.
 * Models that run on another machine are never chosen.
 */
export function chooseModel(servers: readonly FoundServer[], availableBytes: number): ModelChoice | null {
  const all = servers.flatMap((server) => server.models.map((model) => ({ server, model })));
  const [best] = all
    .map((one) => ({ ...one, rank: rankOf(one.server, one.model, availableBytes) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank || (b.model.bytes ?? 0) - (a.model.bytes ?? 0));
  return best ? { base_url: best.server.base_url, model: best.model.name, kind: best.server.kind } : null;
}

function rankOf({ kind }: FoundServer, model: InstalledModel, availableBytes: number): number {
  const { name, bytes, elsewhere, loaded } = model;
  if (elsewhere) return 0;
  if (loaded && kind === "llama.cpp") return 4;
  const known = LANGUAGE_MODELS.find((one) => one.name === name);
  const needed = loaded ? 0 : (known?.memoryBytes ?? (bytes === null ? null : bytes * OVERHEAD_SHARE));
  if (needed === null) return 1;
  if (needed > 0 && needed + RESERVE_BYTES > availableBytes) return 0;
  return known ? 3 : 2;
}

/** Returns an amount of memory in words: "8 GB", "986 MB". */
export function amountInWords(bytes: number): string {
  if (bytes < GB) return `${Math.round(bytes / MB)} MB`;
  const amount = bytes / GB;
  return `${amount < 10 ? Math.round(amount * 10) / 10 : Math.round(amount)} GB`;
}

/** Explains the recommendation in one or two sentences: "8 GB are free: Qwen 2.5 7B (4.7 GB to download, …)". */
export function recommendationInWords(available: { bytes: number; limited: boolean }): string {
  const free = `${amountInWords(available.bytes)} are free${available.limited ? " within the memory limit of this container or service" : ""}`;
  const model = recommendedFor(available.bytes);
  if (!model) {
    const least = LANGUAGE_MODELS.at(-1)!;
    return `${free}: too little for a language model, which needs at least ${amountInWords(least.memoryBytes + RESERVE_BYTES)}. The built-in engine needs none.`;
  }
  const { title, diskBytes, memoryBytes, languages } = model;
  const slow = memoryBytes > WITHOUT_GRAPHICS.memoryBytes ? SLOW : "";
  return `${free}: ${title}, ${amountInWords(diskBytes)} to download and about ${amountInWords(memoryBytes)} in memory, ${languages}.${slow}`;
}
