import { directly } from "../../platform/egress/directly.ts";

/** A model server found on this machine. */
export interface FoundServer {
  kind: "ollama" | "llama.cpp" | "other";
  base_url: string;
  models: string[];
}

/** Default addresses of such servers: Ollama, llama.cpp, LM Studio, vLLM. */
const SERVERS: readonly { port: number; kind: FoundServer["kind"] }[] = [
  { port: 11_434, kind: "ollama" },
  { port: 8_080, kind: "llama.cpp" },
  { port: 1_234, kind: "other" },
  { port: 8_000, kind: "other" },
];
const TIMEOUT_MS = 500;
const MAX_BYTES = 512 * 1024;
const MAX_MODELS = 200;

/**
 * Asks the usual ports of this machine for their list of models (GET /v1/models). Only loopback is contacted, and no
 * user data is sent. @param servers for tests
 */
export async function findLocalServers(servers = SERVERS): Promise<FoundServer[]> {
  const found = await Promise.all(servers.map((place) => probe(place.port, place.kind)));
  return found.filter((server) => server !== null);
}

async function probe(port: number, kind: FoundServer["kind"]): Promise<FoundServer | null> {
  const base_url = `http://127.0.0.1:${port}/v1`;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const url = new URL(`${base_url}/models`);
    const response = await fetch(url, { redirect: "manual", signal, ...directly(url) });
    const length = Number(response.headers.get("content-length") ?? 0);
    if (!response.ok || length > MAX_BYTES) return null;
    const models = modelNames(await response.text());
    return models.length > 0 ? { kind, base_url, models } : null;
  } catch {
    return null; // no server, or something else
  }
}

/** Returns the names in an OpenAI list of models; none if the document is something else. */
export function modelNames(json: string): string[] {
  try {
    const value = JSON.parse(json.slice(0, MAX_BYTES)) as { data?: { id?: unknown }[] } | null;
    if (!Array.isArray(value?.data)) return [];
    return value.data
      .map((model) => model?.id)
      .filter((id): id is string => typeof id === "string" && id !== "" && id.length <= 200)
      .slice(0, MAX_MODELS);
  } catch {
    return [];
  }
}
