import type { Caller } from "../../http/guard/caller.ts";
import { invalidParam } from "../../kernel/errors.ts";
import type { LanguageModel } from "../../ml/language-model/client.ts";
import { isLocal, type ModelEndpoint, OLLAMA_CLOUD, runsElsewhere } from "../../ml/language-model/endpoint.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { EngineChoice, EngineTrial, EngineView, TrialResult } from "./model.ts";

interface Endpoint extends ModelEndpoint {
  approved_host?: string | null;
}

/** The configured language model, as the AI layer provides it; injected. */
export interface EngineServices {
  status(): { engine: EngineView["engine"]; model: string | null; host: string | null; problem: string | null };
  /** `ai.context_tokens`. */
  readonly contextTokens: number;
  settings(): Pick<EngineView, "from" | "base_url" | "model" | "has_key">;
  stored(): Endpoint | null;
  /** Stores the endpoint, or removes it. @throws ModelFault not_allowed */
  save(endpoint: Endpoint | null, by: { user_id: string; actor: Actor; request_id?: string | null }): void;
  /** Returns a client for an endpoint. @throws ModelFault not_allowed */
  client(endpoint: Endpoint): LanguageModel;
}

/** The prompt of the connection test. It contains no mail text. */
const PROBE = "This is a connection test. Answer with the single word: ready";
const PROBE_TOKENS = 200;
/** Names and addresses that exist only in a home network. Text may be sent there unencrypted if the owner agrees. */
const HOME_HOST =
  /^(?:[a-z0-9-]+|\[f[cd][0-9a-f:]+\]|.+\.(?:lan|local|home|internal|home\.arpa)|10(?:\.\d+){3}|192\.168(?:\.\d+){2}|172\.(?:1[6-9]|2\d|3[01])(?:\.\d+){2})$/i;

/** Serves the settings page "AI": which model is used, and what that means for the mail. */
export class EngineService {
  constructor(
    private readonly engines: EngineServices,
    private readonly monotonic: () => number = () => performance.now(),
  ) {}

  get contextTokens(): number {
    return this.engines.contextTokens;
  }

  view(): EngineView {
    const { engine, host, problem } = this.engines.status();
    return { ...this.engines.settings(), engine, host, problem, where_text_goes: textDestination(engine, host) };
  }

  /** Stores the choice of a model. @throws ApiError invalid_params */
  save({ user, actor, request_id }: Caller, choice: EngineChoice): EngineView {
    const endpoint = this.#endpoint(choice);
    asParamFault(endpoint, () =>
      this.engines.save(endpoint, { user_id: user.sandbox_of ?? user.id, actor, request_id }),
    );
    return this.view();
  }

  remove({ user, actor, request_id }: Caller): void {
    this.engines.save(null, { user_id: user.sandbox_of ?? user.id, actor, request_id });
  }

  /** Asks the given endpoint, or the stored one, for one word. @throws ApiError invalid_params */
  async try({ user }: Caller, trial: EngineTrial): Promise<TrialResult> {
    const stored = this.engines.stored();
    const endpoint =
      trial.base_url === undefined
        ? stored
        : this.#endpoint({ model: stored?.model ?? "", allow_host: false, ...trial, base_url: trial.base_url });
    if (!endpoint)
      throw invalidParam("base_url", "No language model is configured. Send the base_url and model to test.");
    const model = asParamFault(endpoint, () => this.engines.client(endpoint));
    const started = this.monotonic();
    const took = () => Math.round(this.monotonic() - started);
    try {
      await model.complete({
        user_id: user.sandbox_of ?? user.id,
        purpose: "probe",
        messages: [{ role: "user", content: PROBE }],
        message_ids: [],
        max_tokens: PROBE_TOKENS,
      });
      return { ok: true, milliseconds: took(), problem: null };
    } catch (error) {
      if (!(error instanceof ModelFault)) throw error;
      return { ok: false, milliseconds: took(), problem: error.message };
    }
  }

  /** Returns the endpoint of a choice. A stored key is sent only to the server that it was given for. */
  #endpoint({ base_url, model, api_key, allow_host }: EngineChoice): Endpoint {
    const stored = this.engines.stored();
    const same = stored !== null && originOf(stored.base_url) === originOf(base_url);
    const key = api_key === undefined ? (same ? stored.api_key : null) : api_key || null;
    const passedOn = runsElsewhere(model) === runsElsewhere(stored?.model ?? "");
    const kept = same && passedOn ? (stored.approved_host ?? null) : null;
    const approved_host = allow_host ? approvalOf({ base_url, model }) : kept;
    return { base_url, model: model.trim(), api_key: key, approved_host };
  }
}

/**
 * Returns what the owner's consent covers: an https host, or a home-network host over http with its port; null if it
 * cannot be given.
 */
function approvalOf({ base_url, model }: Pick<Endpoint, "base_url" | "model">): string | null {
  const url = new URL(base_url);
  if (url.username !== "" || url.password !== "") return null;
  // Consent for two hosts, the server in the home network and the one it passes text on to, needs the configuration.
  if (url.protocol === "http:" && runsElsewhere(model)) return isLocal(url.hostname) ? OLLAMA_CLOUD : null;
  if (url.protocol === "https:") return url.hostname;
  return url.protocol === "http:" && HOME_HOST.test(url.hostname) ? `${url.hostname}:${url.port || "80"}` : null;
}

function textDestination(engine: EngineView["engine"], host: string | null): string {
  if (engine === "extractive") {
    return (
      "Nowhere. No language model is in use: answers, summaries and drafts are built from sentences in your own " +
      "mail, on this machine."
    );
  }
  if (engine === "local") return `To the program at ${host}, on this machine. Postroom sends mail text nowhere else.`;
  return (
    `To ${host}: with each question, summary and draft, Postroom sends your request and the parts of your mail ` +
    "that are needed to answer it. Postroom asks the provider not to store them, where the provider supports " +
    "that. How long the provider keeps the data, and how it uses them, depends on its terms. Every call is " +
    "listed below, with the messages whose text it contained."
  );
}

function originOf(base_url: string): string {
  return URL.canParse(base_url) ? new URL(base_url).origin : base_url;
}

/**
 * Runs `work` and turns a refused endpoint into an API error.
 * @throws ApiError invalid_params (`base_url`) saying what to do
 */
function asParamFault<T>(endpoint: Endpoint, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ModelFault && error.kind === "not_allowed") {
      const consentHint =
        approvalOf(endpoint) === null ? "" : " Add it there, or confirm here that mail text may be sent to this host.";
      throw invalidParam("base_url", error.message + consentHint);
    }
    throw error;
  }
}
