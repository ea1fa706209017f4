import { basename, dirname } from "node:path";
import { loadTransformers } from "../../platform/native/load.ts";
import type { ModelFolder } from "./model.ts";

type Transformers = Awaited<ReturnType<typeof loadTransformers>>;
type Tokenizer = Awaited<ReturnType<Transformers["AutoTokenizer"]["from_pretrained"]>>;
type Model = Awaited<ReturnType<Transformers["AutoModel"]["from_pretrained"]>>;

/**
 * Tokens of one run, including padding. A run blocks its thread, and a query may be waiting. Longer runs are no faster
 * on one core, and need more memory.
 */
const RUN_TOKENS = 300;
/** Texts are cut before they are tokenized. Tokens are not longer than this on average. */
const CHARS_PER_TOKEN = 8;

/**
 * If the pieces of an unknown word have fewer letters than this on average, the model does not support the word. In
 * English questions the average is three or more.
 */
const LETTERS_OF_SYLLABLES = 2;
/**
 * The exception to that rule: at least this share of the letters is in long pieces, as in some names and technical
 * terms.
 */
const SHORTEST_WORD = 4;
const MIN_WORD_SHARE = 0.25;
const ADDRESSES = /\S*(?:@|:\/\/)\S*/g;
const NO_LETTERS = /[^\p{L}]/gu;
const FOREIGN = /(?!\p{sc=Latin})\p{L}/gu;
const MAX_FOREIGN = 0.5;

let loading: Promise<unknown> = Promise.resolve();

/**
 * Turns texts into vectors of length one. Each thread has its own instance. A run blocks its thread for some 15 ms.
 */
export class Embedder {
  private constructor(
    private readonly description: ModelFolder,
    private readonly tokenizer: Tokenizer,
    private readonly model: Model,
  ) {}

  /** Loads the model, which takes about 0.1 s for the built-in one. @param cacheDir `<data>/cache` */
  static async load(model: ModelFolder, cacheDir: string): Promise<Embedder> {
    const { AutoTokenizer, AutoModel, env } = await loadTransformers(cacheDir);
    const name = basename(model.path);
    const options = {
      local_files_only: true,
      subfolder: model.subfolder,
      model_file_name: model.file,
      dtype: "fp32" as const, // the file is named explicitly, so its precision does not matter
      session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
    };
    // The model location is a global setting, so models are loaded one at a time.
    const loaded = loading.then(async () => {
      env.localModelPath = dirname(model.path);
      const tokenizer = await AutoTokenizer.from_pretrained(name, { local_files_only: true });
      return new Embedder(model, tokenizer, await AutoModel.from_pretrained(name, options));
    });
    loading = loaded.catch(() => {});
    return loaded;
  }

  /** Returns the vector of a query; null if the model supports none of its words. */
  async query(text: string): Promise<Float32Array | null> {
    const tidied = this.#tidy(text);
    if (!this.#hasKnownTokens(tidied)) return null;
    const [vector] = await this.#run([tidied]);
    return vector!;
  }

  /**
   * Returns the vectors of texts, in their order. Between two runs, which are short, `pause` can let other work run.
   * @param pause awaited before each run
   */
  async embed(texts: readonly string[], pause: () => Promise<void> = async () => {}): Promise<Float32Array[]> {
    const tidied = texts.map((text) => this.#tidy(text));
    // Texts of similar length are batched to avoid padding.
    const order = tidied.map((text, i) => ({ i, tokens: this.#count(text) })).sort((a, b) => a.tokens - b.tokens);
    const vectors: Float32Array[] = new Array(texts.length);
    for (let from = 0; from < order.length; ) {
      let to = from + 1;
      while (to < order.length && order[to]!.tokens * (to - from + 1) <= RUN_TOKENS) to++;
      const batch = order.slice(from, to);
      await pause();
      const run = await this.#run(batch.map(({ i }) => tidied[i]!));
      for (const [k, { i }] of batch.entries()) vectors[i] = run[k]!;
      from = to;
    }
    return vectors;
  }

  /** Releases the session's memory. */
  async close(): Promise<void> {
    await this.model.dispose();
  }

  async #run(texts: string[]): Promise<Float32Array[]> {
    const inputs = this.tokenizer(texts, { padding: true, truncation: true, max_length: this.description.max_tokens });
    const outputs = (await this.model(inputs)) as Record<string, { data: Float32Array; dims: number[] }>;
    const sentence = outputs.sentence_embedding;
    if (sentence) return rows(sentence.data, texts.length).map(normalized);
    const mask = (inputs as { attention_mask: { data: BigInt64Array } }).attention_mask.data;
    return meanOverTokens(outputs.last_hidden_state!, mask).map(normalized);
  }

  /**
   * Returns whether the model supports the words of a text. A model for certain languages splits other words into
   * letters and syllables, and such texts all have similar vectors.
   */
  #hasKnownTokens(text: string): boolean {
    if (this.description.languages === null) return true;
    const pieces = this.tokenizer
      .tokenize(text.replace(ADDRESSES, " "))
      .map((piece) => piece.replace(NO_LETTERS, "").length);
    const written = pieces.filter((letters) => letters > 0);
    const letters = sum(written);
    const isForeign = (text.match(FOREIGN)?.length ?? 0) > letters * MAX_FOREIGN;
    const hasWords = sum(written.filter((each) => each >= SHORTEST_WORD)) >= letters * MIN_WORD_SHARE;
    return letters > 0 && !isForeign && (hasWords || letters > written.length * LETTERS_OF_SYLLABLES);
  }

  #count(text: string): number {
    return Math.min(this.tokenizer.encode(text).length, this.description.max_tokens);
  }

  /** Shortens a text, and lower-cases text in capitals, which case-sensitive models would take for names. */
  #tidy(text: string): string {
    const cut = text.slice(0, this.description.max_tokens * CHARS_PER_TOKEN);
    return /\p{Ll}/u.test(cut) ? cut : cut.toLowerCase();
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}

function rows(data: Float32Array, count: number): Float32Array[] {
  const width = data.length / count;
  return Array.from({ length: count }, (_, i) => data.slice(i * width, (i + 1) * width));
}

function meanOverTokens({ data, dims }: { data: Float32Array; dims: number[] }, mask: BigInt64Array): Float32Array[] {
  const [count, tokens, width] = dims as [number, number, number];
  return Array.from({ length: count }, (_, i) => {
    const mean = new Float32Array(width);
    for (let t = 0; t < tokens; t++) {
      if (mask[i * tokens + t] === 0n) continue;
      const from = (i * tokens + t) * width;
      for (let k = 0; k < width; k++) mean[k]! += data[from + k]!;
    }
    return mean;
  });
}

function normalized(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const scale = squares > 0 ? 1 / Math.sqrt(squares) : 0;
  return vector.map((value) => value * scale);
}
