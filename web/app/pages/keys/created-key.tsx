import { publicApiUrl } from "../../api/client.ts";
import type { KeyCreated } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Card, Notice } from "../../parts/layout.tsx";

/** Shows a new key once, with a command that works as is. */
export function CreatedKey({ created, onClose }: { created: KeyCreated; onClose(): void }) {
  return (
    <Card title={`API key “${created.name}” created`}>
      <div class="stack" role="status">
        <Notice tone="warn">
          <p>Copy the key now. It is shown only once, because Postroom stores only its hash.</p>
        </Notice>
        <CopyBox text={created.secret} label="Copy key" />
        {created.tools_only ? (
          <p>
            The key works only with the tool server. The settings for each assistant are on the page{" "}
            <a href="#/assistants">Assistants</a>.
          </p>
        ) : (
          <>
            <h3>Example request</h3>
            <CopyBox text={curlCommand(created)} label="Copy command" block />
          </>
        )}
        <div class="actions">
          <Button onClick={onClose}>I saved the key</Button>
        </div>
      </div>
    </Card>
  );
}

/** Returns a curl command for a request that the key's scopes allow. */
function curlCommand({ secret, scopes }: KeyCreated): string {
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
