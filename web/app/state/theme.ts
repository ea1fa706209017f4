import { signal } from "@preact/signals";
import { readPreference, writePreference } from "./preferences.ts";

export type Theme = "system" | "light" | "dark";

const stored = readPreference("theme");
export const theme = signal<Theme>(stored === "light" || stored === "dark" ? stored : "system");

/** Shows the page in this theme and stores the choice. */
export function setTheme(next: Theme): void {
  theme.value = next;
  writePreference("theme", next === "system" ? null : next);
  if (next === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = next;
}
