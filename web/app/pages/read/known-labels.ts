import { sandbox } from "../../state/sandbox.ts";

/** Labels that were seen since the page was opened, of the real mailboxes and of the sandbox. */
const seen = { live: new Set<string>(), sandbox: new Set<string>() };

/** Returns the labels to choose from, in alphabetical order. @param more labels that are shown now */
export function useKnownLabels(more: readonly string[] = []): string[] {
  const known = sandbox.value ? seen.sandbox : seen.live;
  for (const label of more) known.add(label);
  return [...known].sort((a, b) => a.localeCompare(b));
}
