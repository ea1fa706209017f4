import type { Finding } from "../api/machine.ts";
import { Badge, type Tone } from "../parts/layout.tsx";

const RESULTS: Record<Finding["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  advice: ["warn", "Advice"],
  FAULT: ["bad", "Failed"],
};

export function FindingLine({ finding: { check, result, detail } }: { finding: Finding }) {
  const [tone, word] = RESULTS[result];
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {check[0]!.toUpperCase() + check.slice(1)} <Badge tone={tone}>{word}</Badge>
        </p>
        <p class="hint wrap">{detail}</p>
      </div>
    </li>
  );
}
