import { amountInWords, chooseModel, recommendationInWords } from "../../ml/language-model/recommended.ts";
import { commandsFor, contextProblem, type Surroundings } from "../../ml/language-model/surroundings.ts";
import type { FoundModels } from "./model.ts";

/**
 * Returns the model servers of this machine with their models, the model that Postroom would use, and which model to
 * download for the available memory. @param contextTokens `ai.context_tokens`
 */
export function describeFound({ servers, memory }: Surroundings, contextTokens: number): FoundModels {
  const choice = chooseModel(servers, memory.bytes);
  return {
    data: servers.map((server) => ({
      kind: server.kind,
      base_url: server.base_url,
      models: server.models.map(({ name, bytes, elsewhere }) => ({
        name,
        size: bytes === null ? null : amountInWords(bytes),
        elsewhere,
      })),
      problem: contextProblem(server, contextTokens),
    })),
    choice: choice && { base_url: choice.base_url, model: choice.model },
    recommendation: { text: recommendationInWords(memory), commands: commandsFor(memory) },
  };
}
