import type { Finding } from "../api/machine.ts";
import { Badge, type Tone } from "../parts/layout.tsx";

const RESULTS: Record<Finding["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  advice: ["warn", "Advice"],
  FAULT: ["bad", "Failed"],
};

/** One result of the diagnostics. The texts are written for the command line, so they start in lower case. */
export function FindingLine({ finding: { check, result, detail } }: { finding: Finding }) {
  const [tone, word] = RESULTS[result];
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {capitalized(check)} <Badge tone={tone}>{word}</Badge>
        </p>
        <p class="hint wrap">{capitalized(detail)}</p>
      </div>
    </li>
  );
}

/** Returns a text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
