import { type LanguageModelChoice, openLanguageModelChoice } from "../app/language-model.ts";
import { advice, type Finding, ok } from "../features/diagnostics/finding.ts";
import { chooseModel, commandFor, recommendationInWords, recommendedFor } from "../ml/language-model/recommended.ts";
import { lookAround, type Surroundings } from "../ml/language-model/surroundings.ts";
import type { Platform } from "../platform/platform.ts";
import { terminalSafe } from "./table.ts";

const CHECK = "language model";

/** Says which language model is used, or which one of this machine could be. Contacts only this machine. */
export async function languageModelFinding(platform: Platform, look = lookAround): Promise<Finding> {
  const choice = openLanguageModelChoice(platform);
  return findingOf(choice.status(), choice.settings(), await look());
}

/** Returns the finding about a configuration and what was found on this machine. */
export function findingOf(
  { engine, model, host, problem }: ReturnType<LanguageModelChoice["status"]>,
  { base_url }: Pick<ReturnType<LanguageModelChoice["settings"]>, "base_url">,
  { servers, memory }: Surroundings,
): Finding {
  if (problem !== null) return advice(CHECK, `Not in use: ${problem} The built-in engine answers.`);
  if (engine === "hosted") return ok(CHECK, `${model} at ${host}. Mail text leaves this machine.`);
  if (engine === "local") return localFinding(model ?? "", base_url ?? "", servers);
  const choice = chooseModel(servers, memory.bytes);
  if (choice) {
    const name = terminalSafe(choice.model);
    return advice(
      CHECK,
      `None, so the built-in engine answers. ${name} is installed on this machine. To use it: postroom model use`,
    );
  }
  const recommended = recommendedFor(memory.bytes);
  const how = recommended ? ` To get it: ${commandFor(recommended, "ollama")}` : "";
  return ok(CHECK, `None, so the built-in engine answers. ${recommendationInWords(memory)}${how}`);
}

function localFinding(model: string, base_url: string, servers: Surroundings["servers"]): Finding {
  const server = servers.find((one) => sameServer(one.base_url, base_url));
  // A server on another port is not asked here, because the configured program may be anything.
  if (!server) {
    const usual = servers.length === 0 && /:(?:11434|8080|1234|8000)(?:\/|$)/.test(base_url);
    return usual
      ? advice(
          CHECK,
          `${model} is set, but no server answers at ${base_url}. Start it. Until then, the built-in engine answers.`,
        )
      : ok(CHECK, `${model} at ${base_url}, on this machine.`);
  }
  if (server.models.some(({ name }) => name === model || name === `${model}:latest`))
    return ok(CHECK, `${model} at ${base_url}, on this machine.`);
  const get = server.kind === "ollama" ? ` Get it: ollama pull ${model}` : "";
  return advice(CHECK, `${base_url} does not have ${model}, so the built-in engine answers.${get}`);
}

function sameServer(one: string, other: string): boolean {
  const plain = (url: string) => url.replace(/\/+$/, "").replace("//localhost:", "//127.0.0.1:");
  return plain(one) === plain(other);
}
