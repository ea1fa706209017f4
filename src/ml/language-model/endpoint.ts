import { ModelFault } from "./faults.ts";

/** The address of an OpenAI-compatible server. */
export interface ModelEndpoint {
  /** With its version segment: "http://127.0.0.1:11434/v1". */
  base_url: string;
  model: string;
  /** Sent as a bearer token; null for none. */
  api_key: string | null;
}

/**
 * Returns true for a host on this machine. Names below "localhost" do not count, because it depends on the resolver
 * whether they mean this machine.
 */
export function isLocal(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "").toLowerCase();
  return bare === "localhost" || bare === "::1" || /^127(?:\.\d{1,3}){3}$/.test(bare);
}

/**
 * Returns whether a model of a server on this machine is one that Ollama passes on to ollama.com: "gpt-oss:120b-cloud",
 * "glm-4.6:cloud".
 */
export function runsElsewhere(model: string): boolean {
  return /[:-]cloud$/i.test(model.trim());
}

/** The host to which Ollama passes on such models. */
export const OLLAMA_CLOUD = "ollama.com";

/**
 * Returns the chat completions address of an endpoint that may receive mail text: always this machine, and other hosts
 * only if the owner has listed their names. Internet hosts must use encryption; hosts listed with their port, which are
 * on the home network, need not.
 * @throws ModelFault not_allowed
 */
export function completionsUrl(
  { base_url, model }: Pick<ModelEndpoint, "base_url" | "model">,
  allow_hosts: readonly string[],
): URL {
  let url: URL;
  try {
    url = new URL(`${base_url.replace(/\/+$/, "")}/chat/completions`);
  } catch {
    throw new ModelFault("not_allowed", "ai.base_url is not a URL.");
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new ModelFault("not_allowed", "ai.base_url must begin with http:// or https://.");
  }
  if (url.username !== "" || url.password !== "") {
    throw new ModelFault("not_allowed", "ai.base_url must hold no credentials; use ai.api_key.");
  }
  const listed = new Set(allow_hosts.map((host) => host.trim().toLowerCase()));
  if (url.protocol === "http:" && runsElsewhere(model) && !listed.has(OLLAMA_CLOUD)) {
    throw new ModelFault(
      "not_allowed",
      `${model} runs at ${OLLAMA_CLOUD}, and ${OLLAMA_CLOUD} is not listed in ai.allow_hosts.`,
    );
  }
  if (isLocal(url.hostname)) return url;
  const port = url.port || (url.protocol === "http:" ? "80" : "443");
  if (listed.has(`${url.hostname}:${port}`)) return url;
  if (!listed.has(url.hostname)) throw new ModelFault("not_allowed", `${url.host} is not listed in ai.allow_hosts.`);
  if (url.protocol === "https:") return url;
  throw new ModelFault(
    "not_allowed",
    `${url.host} would be reached without encryption; list it with its port to allow it.`,
  );
}
