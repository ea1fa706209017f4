import { directly } from "../../platform/egress/directly.ts";
import { runsElsewhere } from "./endpoint.ts";

export type ServerKind = "ollama" | "llama.cpp" | "lm_studio" | "other";

/** A model that a server on this machine has. */
export interface InstalledModel {
  name: string;
  /** Size of its files; null if the server does not say. */
  bytes: number | null;
  /** True if the server only passes requests on to a provider, so that mail text would leave this machine. */
  elsewhere: boolean;
  /** True if the model is in memory now. */
  loaded: boolean;
}

/** A model server found on this machine. Models that only turn text into vectors are left out. */
export interface FoundServer {
  kind: ServerKind;
  /** With its version segment, as in `ai.base_url`. */
  base_url: string;
  models: InstalledModel[];
  /** Tokens of the context of the models in memory; null if none is, or the server does not say. */
  context_tokens: number | null;
}

/** The usual addresses of such servers. */
const SERVERS: readonly { port: number; kind: ServerKind }[] = [
  { port: 11_434, kind: "ollama" },
  { port: 8_080, kind: "llama.cpp" },
  { port: 1_234, kind: "lm_studio" },
  { port: 8_000, kind: "other" },
];
const TIMEOUT_MS = 500;
const MAX_BYTES = 512 * 1024;
const MAX_MODELS = 200;
const MAX_NAME_CHARS = 200;
/** Names and families of models that return vectors instead of text. */
const EMBEDDING_NAME = /(?:^|[-_/:.])(?:embed(?:ding)?s?|bge|e5|gte|minilm|arctic-embed|reranker?)(?:$|[-_/:.\d])/i;
const EMBEDDING_FAMILY = /bert/i;

/**
 * Asks the usual ports of this machine for their models: GET /api/tags and /api/ps of Ollama, GET /v1/models of the
 * others, and GET /props of llama.cpp. Only 127.0.0.1 is contacted, redirects are not followed, and no user data is sent.
 * @param servers for tests
 */
export async function findLocalServers(servers = SERVERS): Promise<FoundServer[]> {
  const found = await Promise.all(servers.map(({ port, kind }) => probe(`http://127.0.0.1:${port}`, kind)));
  return found.filter((server) => server !== null);
}

async function probe(origin: string, kind: ServerKind): Promise<FoundServer | null> {
  const base_url = `${origin}/v1`;
  if (kind === "ollama") {
    const models = readOllamaModels(await get(`${origin}/api/tags`));
    if (models) return { kind, base_url, ...withLoaded(models, await get(`${origin}/api/ps`)) };
  }
  const models = readModels(await get(`${base_url}/models`), kind === "llama.cpp");
  if (!models) return null;
  const context_tokens = kind === "llama.cpp" ? readContext(await get(`${origin}/props`)) : null;
  return { kind, base_url, models, context_tokens };
}

/** Returns the JSON document at an address of this machine; null if there is none. */
async function get(address: string): Promise<unknown> {
  try {
    const url = new URL(address);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { redirect: "manual", signal, ...directly(url) });
    if (!response.ok || !response.body) return null;
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > MAX_BYTES) return null;
    }
    return JSON.parse(text);
  } catch {
    return null; // no server, or something else
  }
}

interface OllamaModel {
  name?: unknown;
  size?: unknown;
  remote_host?: unknown;
  details?: { family?: unknown; families?: unknown };
}

/** Returns the models in a response of Ollama's GET /api/tags; null if the document is something else. */
export function readOllamaModels(document: unknown): InstalledModel[] | null {
  const models = (document as { models?: unknown } | null)?.models;
  if (!Array.isArray(models)) return null;
  return (models as (OllamaModel | null)[]).slice(0, MAX_MODELS).flatMap((model) => {
    const name = model?.name;
    const families = [model?.details?.family, model?.details?.families].flat();
    if (!isName(name) || EMBEDDING_NAME.test(name)) return [];
    if (families.some((family) => typeof family === "string" && EMBEDDING_FAMILY.test(family))) return [];
    const remote = typeof model?.remote_host === "string" && model.remote_host !== "";
    const elsewhere = remote || runsElsewhere(name);
    return [{ name, bytes: elsewhere ? null : bytesOf(model?.size), elsewhere, loaded: false }];
  });
}

/** Adds which models Ollama has in memory (GET /api/ps), and the smallest of their contexts. */
function withLoaded(models: InstalledModel[], document: unknown): Pick<FoundServer, "models" | "context_tokens"> {
  const listed = (document as { models?: unknown } | null)?.models;
  const running = Array.isArray(listed) ? (listed as ({ name?: unknown; context_length?: unknown } | null)[]) : [];
  const names = new Set(running.map((model) => model?.name));
  const contexts = running
    .map((model) => model?.context_length)
    .filter((tokens): tokens is number => Number.isSafeInteger(tokens) && (tokens as number) > 0);
  return {
    models: models.map((model) => ({ ...model, loaded: names.has(model.name) })),
    context_tokens: contexts.length > 0 ? Math.min(...contexts) : null,
  };
}

/**
 * Returns the models in an OpenAI list of models (GET /v1/models); null if the document is something else, or empty.
 * @param loaded whether the server lists only what it has in memory
 */
export function readModels(document: unknown, loaded = false): InstalledModel[] | null {
  const data = (document as { data?: unknown } | null)?.data;
  if (!Array.isArray(data)) return null;
  const named = (data as ({ id?: unknown; meta?: { size?: unknown } | null } | null)[])
    .slice(0, MAX_MODELS)
    .filter((model) => isName(model?.id));
  if (named.length === 0) return null;
  return named.flatMap((model) => {
    const name = model!.id as string;
    if (EMBEDDING_NAME.test(name)) return [];
    return [{ name, bytes: bytesOf(model!.meta?.size), elsewhere: runsElsewhere(name), loaded }];
  });
}

/** Returns the context of a llama.cpp server (GET /props). */
function readContext(document: unknown): number | null {
  const settings = (document as { default_generation_settings?: { n_ctx?: unknown } } | null)
    ?.default_generation_settings;
  const tokens = settings?.n_ctx;
  return Number.isSafeInteger(tokens) && (tokens as number) > 0 ? (tokens as number) : null;
}

function isName(name: unknown): name is string {
  return typeof name === "string" && name.trim() !== "" && name.length <= MAX_NAME_CHARS;
}

/** Models without files of their own have size 0. */
function bytesOf(size: unknown): number | null {
  return Number.isSafeInteger(size) && (size as number) > 0 ? (size as number) : null;
}
