import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { guessLanguage } from "../../../src/mailbox/search/language.ts";
import { Embedder } from "../../../src/ml/embedding/embedder.ts";
import { findModel, type ModelFolder } from "../../../src/ml/embedding/model.ts";
import { passageOf } from "../../../src/ml/embedding/passage.ts";
import type { SemanticAnswer, SemanticRequest } from "../../../src/ml/semantic/messages.ts";
import { BinaryCodes } from "../../../src/ml/vectors/binary-codes.ts";
import { shortlistOf } from "../../../src/ml/vectors/nearest.ts";
import { cosineAt, quantize } from "../../../src/ml/vectors/quantize.ts";
import type { FilledMessage } from "./fill.ts";

const BATCH = 64;
const QUERY = "query\n";

/**
 * Vectors of texts under a model, kept in a file between runs: the texts' hashes, and the vectors in eight bits, as the
 * program stores those of messages. Queries stay unrounded.
 */
export class VectorFile {
  readonly #known = new Map<string, Uint8Array>();
  #changed = false;

  private constructor(
    private readonly model: ModelFolder,
    private readonly embedder: Embedder,
    private readonly path: string,
  ) {}

  /** @param folder folder of the file, and of the unpacked model */
  static async open(folder: string, setting = "built-in"): Promise<VectorFile> {
    mkdirSync(folder, { recursive: true });
    const model = await findModel(folder, setting);
    const embedder = await Embedder.load(model, join(folder, "cache"));
    const file = new VectorFile(model, embedder, join(folder, `vectors-${model.id}.json`));
    if (existsSync(file.path)) {
      const kept = JSON.parse(readFileSync(file.path, "utf8")) as Record<string, string>;
      for (const [hash, vector] of Object.entries(kept)) file.#known.set(hash, Buffer.from(vector, "base64"));
    }
    return file;
  }

  /** Searches by meaning among these messages as the program does: a shortlist by the codes, compared exactly. */
  async over(
    messages: readonly FilledMessage[],
  ): Promise<{ search(request: SemanticRequest): Promise<SemanticAnswer> }> {
    const vectors = new Map<number, Int8Array>();
    for (let i = 0; i < messages.length; i += BATCH) {
      const batch = messages.slice(i, i + BATCH).filter(({ contents }) => this.#isKnown(contents));
      const rows = await this.#ofPassages(
        batch.map(({ contents }) => passageOf({ ...contents, new_text: contents.newText })),
      );
      for (const [k, { n }] of batch.entries()) vectors.set(n, rows[k]!);
    }
    this.save();
    let codes: BinaryCodes | null = null;
    for (const [n, vector] of vectors) {
      codes ??= new BinaryCodes(vector.length);
      codes.set(n, vector);
    }
    return {
      search: async ({ text, limit, candidates, within }) => {
        const query = await this.#ofQuery(text);
        if (query === null) return { near: [], candidates: [], indexed: messages.length, waiting: 0 };
        const cosine = (n: number) => ({ n, score: cosineAt(vectors.get(n)!, 0, query) });
        const among = codes?.nearest(query, shortlistOf(limit), within) ?? [];
        const near = among.map(cosine).sort((a, b) => b.score - a.score || b.n - a.n);
        return {
          near: near.slice(0, limit),
          candidates: candidates.filter((n) => vectors.has(n)).map(cosine),
          indexed: messages.length,
          waiting: 0,
        };
      },
    };
  }

  save(): void {
    if (!this.#changed) return;
    mkdirSync(dirname(this.path), { recursive: true });
    const all = [...this.#known].map(([hash, vector]) => [hash, Buffer.from(vector).toString("base64")]);
    writeFileSync(this.path, JSON.stringify(Object.fromEntries(all)));
    this.#changed = false;
  }

  async close(): Promise<void> {
    this.save();
    await this.embedder.close();
  }

  /** Text in a language that the model does not support has no vector. */
  #isKnown({ newText: new_text, text }: FilledMessage["contents"]): boolean {
    const language = guessLanguage(new_text.trim() === "" ? text : new_text);
    return language === null || this.model.languages === null || this.model.languages.includes(language);
  }

  async #ofPassages(passages: string[]): Promise<Int8Array[]> {
    const missing = [...new Set(passages)].filter((passage) => !this.#known.has(hashOf(passage)));
    const made = missing.length === 0 ? [] : await this.embedder.embed(missing);
    for (const [i, passage] of missing.entries()) this.#keep(passage, new Uint8Array(quantize(made[i]!).buffer));
    return passages.map((passage) => new Int8Array(this.#known.get(hashOf(passage))!));
  }

  async #ofQuery(text: string): Promise<Float32Array | null> {
    const key = QUERY + text;
    const known = this.#known.get(hashOf(key));
    if (known) return new Float32Array(known.slice().buffer);
    const made = await this.embedder.query(text);
    if (made === null) return null;
    this.#keep(key, new Uint8Array(made.slice().buffer));
    return made;
  }

  #keep(text: string, vector: Uint8Array): void {
    this.#known.set(hashOf(text), vector);
    this.#changed = true;
  }
}

const hashOf = (text: string) => new Bun.CryptoHasher("sha1").update(text).digest("base64");
