import type { Static, TSchema } from "@sinclair/typebox";
import type { Clock } from "../../kernel/clock.ts";
import type { ModelCalls, ModelPurpose } from "../../platform/ledger/model-calls.ts";
import { answerJson } from "./answer-json.ts";
import { completionsUrl, isLocal, type ModelEndpoint, OLLAMA_CLOUD, runsElsewhere } from "./endpoint.ts";
import { ModelFault } from "./faults.ts";
import { type AnswerSchema, type ChatMessage, CONSTRAINTS, chatBody } from "./protocol.ts";
import { OptionRefused, sendModelRequest } from "./request.ts";
import { tokensOfAll } from "./tokens.ts";

export interface ModelOptions {
  endpoint: ModelEndpoint;
  /** Names of hosts that may receive mail text, in addition to this machine. */
  allow_hosts: readonly string[];
  /** Where calls are recorded before their first byte is sent. */
  ledger: Pick<ModelCalls, "begin">;
  clock: Clock;
  /** Time limit of a whole call, ms. */
  timeoutMs: number;
  /** The model's context size, for prompt and answer together, tokens. */
  context_tokens: number;
  /** Number of retries after a temporary fault. */
  retries?: number;
}

export interface ModelRequest {
  user_id: string;
  purpose: ModelPurpose;
  messages: readonly ChatMessage[];
  /** The messages whose text is in the prompt, for the ledger. */
  message_ids: readonly string[];
  max_tokens: number;
  temperature?: number;
  signal?: AbortSignal;
  onText?: (piece: string) => void;
}

const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
const LONGEST_RETRY_WAIT_MS = 20_000;
/** Number of further requests after an answer of the wrong form. */
const MAX_REPEATS = 1;

/**
 * A language model behind an OpenAI-compatible endpoint (Ollama, llama.cpp, vLLM, a hosted one). Every attempt is in
 * the ledger before its first byte is sent. Without an endpoint this object does not exist, and nothing can be sent.
 */
export class LanguageModel {
  readonly #url: URL;
  /** The index in CONSTRAINTS of the strictest constraint that this server accepts. */
  #level = 0;
  #noStore: boolean;

  /** @throws ModelFault not_allowed */
  constructor(private readonly options: ModelOptions) {
    this.#url = completionsUrl(options.endpoint, options.allow_hosts);
    this.#noStore = !this.local;
  }

  get name(): string {
    return this.options.endpoint.model;
  }

  /** True if requests to the endpoint stay on this machine. */
  get local(): boolean {
    return isLocal(this.#url.hostname) && this.host === this.#url.host;
  }

  /** The host that receives the text, with its port. A server on this machine may pass it on to another one. */
  get host(): string {
    const passedOn = this.#url.protocol === "http:" && runsElsewhere(this.options.endpoint.model);
    return passedOn ? OLLAMA_CLOUD : this.#url.host;
  }

  /** Returns how many tokens a prompt may have if the answer may have `max_tokens`. */
  promptBudget(max_tokens: number): number {
    return Math.max(0, this.options.context_tokens - max_tokens);
  }

  /** Returns the model's text. @throws ModelFault */
  complete(request: ModelRequest): Promise<string> {
    return this.#call(request, null);
  }

  /**
   * Returns the model's answer in the form of a schema. An answer of another form is requested once more. @throws
   * ModelFault
   */
  async completeJson<T extends TSchema>(request: ModelRequest, name: string, schema: T): Promise<Static<T>> {
    for (let again = 0; ; again++) {
      const text = await this.#call(request, { name, schema });
      try {
        return answerJson(text, schema);
      } catch (error) {
        if (!(error instanceof ModelFault) || again >= MAX_REPEATS) throw error;
      }
    }
  }

  async #call(request: ModelRequest, schema: AnswerSchema | null): Promise<string> {
    if (tokensOfAll(request.messages) > this.promptBudget(request.max_tokens)) {
      throw new ModelFault("too_long", "The request is longer than the model's context.");
    }
    const { retries = 2, clock } = this.options;
    const endsAt = clock.now() + this.options.timeoutMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#meet(request, schema, endsAt);
      } catch (error) {
        if (!(error instanceof ModelFault) || !error.passing || attempt >= retries) throw error;
        const waitMs = Math.min((error.retryAfterS ?? 2 ** attempt) * 1_000, LONGEST_RETRY_WAIT_MS);
        if (clock.now() + waitMs >= endsAt) throw error;
        await waited(clock, waitMs, request.signal);
      }
    }
  }

  /** Retries with fewer optional features until the server accepts the request, and remembers what it accepts. */
  async #meet(request: ModelRequest, schema: AnswerSchema | null, endsAt: number): Promise<string> {
    for (;;) {
      try {
        return await this.#send(request, schema, endsAt);
      } catch (error) {
        if (!(error instanceof OptionRefused)) throw error;
        if (this.#noStore) this.#noStore = false;
        else if (schema && this.#level < CONSTRAINTS.length - 1) this.#level++;
        else throw error;
      }
    }
  }

  async #send(request: ModelRequest, schema: AnswerSchema | null, endsAt: number): Promise<string> {
    const { endpoint, clock, ledger } = this.options;
    const { user_id, purpose, messages, message_ids, max_tokens, temperature = 0.2 } = request;
    const constraint = CONSTRAINTS[this.#level]!;
    const body = chatBody({
      model: endpoint.model,
      messages,
      max_tokens,
      temperature,
      schema,
      constraint,
      noStore: this.#noStore,
    });
    const leftMs = Math.max(1, endsAt - clock.now());
    const bytes_out = Buffer.byteLength(body);
    const end = ledger.begin({ user_id, purpose, host: this.host, model: endpoint.model, bytes_out, message_ids });
    let bytes_in = 0;
    const headers: Record<string, string> = {};
    if (endpoint.api_key !== null) headers.authorization = `Bearer ${endpoint.api_key}`;
    const call = {
      url: this.#url,
      headers,
      body,
      timeoutMs: leftMs,
      limitSeconds: Math.round(this.options.timeoutMs / 1_000),
      maxBytes: MAX_ANSWER_BYTES,
      ...(request.signal ? { signal: request.signal } : {}),
      ...(request.onText ? { onText: request.onText } : {}),
    };
    try {
      const text = await sendModelRequest(clock, call, (bytes) => {
        bytes_in = bytes;
      });
      end({ result: "ok", bytes_in });
      return text;
    } catch (error) {
      end({ result: error instanceof ModelFault ? error.kind : "failed", bytes_in });
      throw error;
    }
  }
}

function waited(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancelled = () => reject(new ModelFault("cancelled", "The call was cancelled."));
    if (signal?.aborted) return cancelled();
    const cancel = clock.after(ms, resolve);
    signal?.addEventListener(
      "abort",
      () => {
        cancel();
        cancelled();
      },
      { once: true },
    );
  });
}
