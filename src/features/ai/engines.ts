import { LanguageModel } from "../../ml/language-model/client.ts";
import { completionsUrl, type ModelEndpoint } from "../../ml/language-model/endpoint.ts";
import { ModelFault } from "../../ml/language-model/faults.ts";
import type { Actor } from "../../platform/ledger/audit.ts";
import type { Platform } from "../../platform/platform.ts";
import type { SettingRow } from "../../platform/sealing/tables.ts";

/** The engine of a text: rules and the local embedding model, a language model on this machine, or one elsewhere. */
export const ENGINES = ["extractive", "local", "hosted"] as const;
export type EngineName = (typeof ENGINES)[number];

/** Describes the configured engine for people. Never includes the API key. */
export interface EngineStatus {
  engine: EngineName;
  model: string | null;
  host: string | null;
  /** Why the configured model is not used; null if it is used or none is configured. */
  problem: string | null;
}

/** An endpoint chosen on the settings page, with the host that the owner approved there. */
export interface ChosenEndpoint extends ModelEndpoint {
  /** A host as in `ai.allow_hosts`; null for this machine or a host that the configuration lists. */
  approved_host?: string | null;
}

/** The endpoint in use: where it was set, and its public parts. Never includes the API key. */
export interface EngineSettings {
  from: "configuration" | "settings" | null;
  base_url: string | null;
  model: string | null;
  has_key: boolean;
}

const SETTING = "ai.endpoint";

/** Provides the configured language model, if any. The configuration file and the environment override the settings page. */
export class Engines {
  #made: { endpoint: string; model: LanguageModel | null; problem: string | null } | null = null;

  constructor(private readonly platform: Platform) {}

  /** Returns the model to call, or null if none is configured or its host is not allowed. With null, nothing is sent. */
  model(): LanguageModel | null {
    return this.#current().model;
  }

  status(): EngineStatus {
    const { model, problem } = this.#current();
    const endpoint = this.#endpoint();
    return {
      engine: engineOf(model),
      model: endpoint?.model ?? null,
      host: model?.host ?? (endpoint && hostOf(endpoint.base_url)),
      problem,
    };
  }

  /** Stores the sealed endpoint for this installation; null removes it. @throws ModelFault not_allowed */
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

  /** Tokens that a prompt and its answer may have together. */
  get contextTokens(): number {
    return this.platform.config.get("ai.context_tokens");
  }

  /** Returns the endpoint in use, for the settings page. */
  settings(): EngineSettings {
    const endpoint = this.#endpoint();
    if (!endpoint) return { from: null, base_url: null, model: null, has_key: false };
    const from = this.platform.config.get("ai.base_url") === "" ? "settings" : "configuration";
    return { from, base_url: endpoint.base_url, model: endpoint.model, has_key: endpoint.api_key !== null };
  }

  /** Returns the endpoint stored by the settings page, including its key, or null. */
  stored(): ChosenEndpoint | null {
    const { db, keyring, grants } = this.platform;
    const stored = db.sql
      .query<Pick<SettingRow, "key" | "value">, [string]>("SELECT key, value FROM settings WHERE key = ?")
      .get(SETTING);
    const row = grants.checked("settings", stored);
    return row && (keyring.system().openJson(`settings.value:${SETTING}`, row.value) as ChosenEndpoint);
  }

  /** Returns a client for any endpoint, for example to test one before it is stored. @throws ModelFault not_allowed */
  client(endpoint: ChosenEndpoint): LanguageModel {
    const { config, clock, modelCalls } = this.platform;
    return new LanguageModel({
      endpoint,
      allow_hosts: this.#allowed(endpoint),
      ledger: modelCalls,
      clock,
      timeoutMs: config.get("ai.timeout_seconds") * 1_000,
      context_tokens: this.contextTokens,
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

  /** Returns one client per endpoint, because a client remembers what its server supports. */
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

/** Returns which engine a language model is; null means the built-in one. */
export function engineOf(model: LanguageModel | null): EngineName {
  return model === null ? "extractive" : model.local ? "local" : "hosted";
}

function hostOf(base_url: string): string | null {
  return URL.canParse(base_url) ? new URL(base_url).host : null;
}
