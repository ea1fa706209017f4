import { Engines } from "../features/ai/engines.ts";
import type { Platform } from "../platform/platform.ts";

/** The language model of an installation, as commands read and change it. */
export type LanguageModelChoice = Pick<Engines, "status" | "settings" | "save">;

/** Opens the choice of a language model for a command. A running server uses a change at once. */
export function openLanguageModelChoice(platform: Platform): LanguageModelChoice {
  return new Engines(platform);
}
