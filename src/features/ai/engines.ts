import { LanguageModel } from "../../ml/language-model/client.ts";
import { completionsUrl, type ModelEndpoint } from "../../ml/language-model/endpoint.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import type { Actor } from "../../platform/audit.ts";
import type { Platform } from "../../platform/platform.ts";

/** Who wrote an answer: rules and the embedding model here, a language model on this machine, or one elsewhere. */
export const ENGINES = ["extractive", "local", "hosted"] as const;
export type EngineName = (typeof ENGINES)[number];

/** What is configured, in words for people; never the key. */
export interface EngineStatus {
  engine: EngineName;
  model: string | null;
  host: string | null;
  /** Why the configured model is not used; null: it is, or there is none. */
  problem: string | null;
}

/** An endpoint as the settings page has it, with the host that the owner agreed to there. */
export interface ChosenEndpoint extends ModelEndpoint {
  /** As in `ai.allow_hosts`; null: this machine, or a host that the configuration lists. */
  approved_host?: string | null;
}

/** Where the endpoint in use comes from, and what of it may be shown; never the key. */
export interface EngineSettings {
  from: "configuration" | "settings" | null;
  base_url: string | null;
  model: string | null;
  has_key: boolean;
}

const SETTING = "ai.endpoint";

/** The configured language model, if there is one. The file and the environment go before what the settings page stored. */
export class Engines {
  #made: { endpoint: string; model: LanguageModel | null; problem: string | null } | null = null;

  constructor(private readonly platform: Platform) {}

  /** The model to ask; null: none is configured, or its host is not allowed. Then nothing leaves. */
  model(): LanguageModel | null {
    return this.#current().model;
  }

  status(): EngineStatus {
    const { model, problem } = this.#current();
    const endpoint = this.#endpoint();
    return {
      engine: engineOf(model),
      model: endpoint?.model ?? null,
      host: endpoint && hostOf(endpoint.base_url),
      problem,
    };
  }

  /** Stores the endpoint for this installation, sealed; null takes it away. @throws ModelFault not_allowed */
  save(endpoint: ChosenEndpoint | null, by: { user_id: string; actor: Actor; request_id?: string | null }): void {
    const { db, keyring, grants, clock, audit } = this.platform;
    if (endpoint) completionsUrl(endpoint, this.#allowed(endpoint));
    db.write(() => {
      if (endpoint) {
        const value = keyring.system().sealJson(`settings.value:${SETTING}`, endpoint);
        grants.insert("settings", { key: SETTING, value, updated_at: clock.now() }, "replace");
      } else grants.remove("settings", { key: SETTING });
      const after = endpoint && { base_url: endpoint.base_url, model: endpoint.model };
      audit.record({ ...by, action: "ai.endpoint", target: null, after });
    });
  }

  /** What is in use, for the settings page. */
  settings(): EngineSettings {
    const endpoint = this.#endpoint();
    if (!endpoint) return { from: null, base_url: null, model: null, has_key: false };
    const from = this.platform.config.get("ai.base_url") === "" ? "settings" : "configuration";
    return { from, base_url: endpoint.base_url, model: endpoint.model, has_key: endpoint.api_key !== null };
  }

  /** What the settings page stored, its key included; null: nothing. */
  stored(): ChosenEndpoint | null {
    const { db, keyring, grants } = this.platform;
    const stored = db.sql
      .query<{ key: string; value: Uint8Array }, [string]>("SELECT key, value FROM settings WHERE key = ?")
      .get(SETTING);
    const row = grants.checked("settings", stored);
    return row && keyring.system().openJson<ChosenEndpoint>(`settings.value:${SETTING}`, row.value);
  }

  /** A client for an endpoint that need not be the one in use, to try it. @throws ModelFault not_allowed */
  client(endpoint: ChosenEndpoint): LanguageModel {
    const { config, clock, model_calls } = this.platform;
    return new LanguageModel({
      endpoint,
      allow_hosts: this.#allowed(endpoint),
      ledger: model_calls,
      clock,
      timeout_ms: config.get("ai.timeout_seconds") * 1_000,
      context_tokens: config.get("ai.context_tokens"),
    });
  }

  #allowed({ approved_host }: ChosenEndpoint): string[] {
    return [...this.platform.config.get("ai.allow_hosts"), ...(approved_host ? [approved_host] : [])];
  }

  #endpoint(): ChosenEndpoint | null {
    const { config } = this.platform;
    const base_url = config.get("ai.base_url");
    if (base_url === "") return this.stored();
    return { base_url, model: config.get("ai.model"), api_key: config.get("ai.api_key") || null };
  }

  /** One client per endpoint: it remembers what the server understands. */
  #current(): { model: LanguageModel | null; problem: string | null } {
    const endpoint = this.#endpoint();
    const key = JSON.stringify(endpoint);
    if (this.#made?.endpoint !== key) this.#made = { endpoint: key, ...this.#make(endpoint) };
    return this.#made;
  }

  #make(endpoint: ChosenEndpoint | null): { model: LanguageModel | null; problem: string | null } {
    if (!endpoint) return { model: null, problem: null };
    if (endpoint.model === "")
      return { model: null, problem: "ai.model is not set. Set it to the name of a model of this server." };
    try {
      return { model: this.client(endpoint), problem: null };
    } catch (error) {
      if (error instanceof ModelFault) return { model: null, problem: error.message };
      throw error;
    }
  }
}

export function engineOf(model: LanguageModel | null): EngineName {
  return model === null ? "extractive" : model.local ? "local" : "hosted";
}

function hostOf(base_url: string): string | null {
  return URL.canParse(base_url) ? new URL(base_url).host : null;
}
