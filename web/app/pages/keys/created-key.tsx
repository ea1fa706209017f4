import { publicApiUrl } from "../../api/client.ts";
import type { KeyCreated } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Card, Notice } from "../../parts/layout.tsx";

/** The key, this once, with a line that works as it stands. */
export function CreatedKey({ made, onClose }: { made: KeyCreated; onClose(): void }) {
  return (
    <Card title={`“${made.name}” is ready`}>
      <div class="stack" role="status">
        <Notice tone="warn">
          <p>This is the only time that the key is shown. Only its hash is stored here.</p>
        </Notice>
        <CopyBox text={made.secret} label="Copy the key" />
        <h3>Try it</h3>
        <CopyBox text={curlLine(made)} label="Copy the command" block />
        <div class="actions">
          <Button onClick={onClose}>I have stored it</Button>
        </div>
      </div>
    </Card>
  );
}

/** A request that the key has the scope for. */
function curlLine({ secret, scopes }: KeyCreated): string {
  const has = (scope: KeyCreated["scopes"][number]) => scopes.includes(scope);
  const [path, more] = has("mail:read")
    ? ["/threads?limit=5", ""]
    : has("usage:read")
      ? ["/usage", ""]
      : has("search:read")
        ? ["/search", ` \\\n  -H 'Content-Type: application/json' -d '{"query": "invoice", "mode": "keyword"}'`]
        : [FIRST_READ.find(([scope]) => has(scope))?.[1] ?? "/openapi.json", ""];
  return `curl -H 'Authorization: Bearer ${secret}' \\\n  '${publicApiUrl()}${path}'${more}`;
}

const FIRST_READ: readonly [KeyCreated["scopes"][number], string][] = [
  ["drafts:read", "/drafts"],
  ["contacts:read", "/contacts"],
  ["brief:read", "/brief/settings"],
  ["calendar:read", "/calendar/events"],
  ["context:read", "/context/variables"],
  ["webhooks:manage", "/webhooks"],
  ["audit:read", "/audit"],
  ["agent:read", "/agent/actions"],
];
