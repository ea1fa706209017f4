import type { Finding } from "../api/machine.ts";
import { ButtonLink } from "../parts/button.tsx";
import { Badge, type Tone } from "../parts/layout.tsx";

const RESULTS: Record<Finding["result"], [Tone, string]> = {
  ok: ["good", "OK"],
  advice: ["warn", "Advice"],
  FAULT: ["bad", "Failed"],
};

/** The page on which a finding is fixed. The others need the command line. */
export const FIXES: Readonly<Record<string, { action: string; href: string }>> = {
  backup: { action: "Open backups", href: "#/backup" },
  "key backup": { action: "Open security", href: "#/security" },
};

/** One result of the diagnostics. The texts are written for the command line, so they start in lower case. */
export function FindingLine({ finding: { check, result, detail } }: { finding: Finding }) {
  const [tone, word] = RESULTS[result];
  const fix = result === "ok" ? undefined : FIXES[check];
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {capitalized(check)} <Badge tone={tone}>{word}</Badge>
        </p>
        <p class="hint wrap">{capitalized(detail)}</p>
      </div>
      {fix && (
        <div class="row-actions">
          <ButtonLink small href={fix.href} label={`${fix.action}: ${capitalized(check)}`}>
            {fix.action}
          </ButtonLink>
        </div>
      )}
    </li>
  );
}

/** Returns a text with its first letter in upper case. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
