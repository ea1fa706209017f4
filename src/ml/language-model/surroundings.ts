import { type AvailableMemory, availableMemory } from "../../platform/process/memory.ts";
import { type FoundServer, findLocalServers, type ServerKind } from "./detect.ts";
import { commandFor, recommendedFor } from "./recommended.ts";

/** What is known of this machine: its model servers and its memory. */
export interface Surroundings {
  servers: FoundServer[];
  memory: AvailableMemory;
}

/** Asks the usual ports of this machine, and reads how much memory is available. */
export async function lookAround(): Promise<Surroundings> {
  return { servers: await findLocalServers(), memory: availableMemory() };
}

/** Returns what to change before a server is used; null if nothing. @param tokens `ai.context_tokens` */
export function contextProblem({ context_tokens: context }: FoundServer, tokens: number): string | null {
  if (context === null || context >= tokens) return null;
  return `Its context is ${context} tokens. Postroom sends up to ${tokens}. Enlarge it, or lower ai.context_tokens.`;
}

/** Returns how to get the model that fits into the available memory, for each kind of server. */
export function commandsFor({ bytes }: AvailableMemory): { kind: ServerKind; command: string }[] {
  const model = recommendedFor(bytes);
  if (!model) return [];
  return (["ollama", "llama.cpp", "lm_studio"] as const).map((kind) => ({ kind, command: commandFor(model, kind) }));
}
