import { link, publicApiUrl } from "../../api/client.ts";
import type { KeyCreated } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { Card, Notice } from "../../parts/layout.tsx";
import type { KeyPurpose } from "./new-key.tsx";

interface CreatedKeyProps {
  created: KeyCreated;
  purpose: KeyPurpose;
  onClose(): void;
}

/** Shows a new key once, with a command that works as is and the next step for the program. */
export function CreatedKey({ created, purpose, onClose }: CreatedKeyProps) {
  return (
    <Card title={`API key “${created.name}” created`}>
      <div class="stack" role="status">
        <Notice tone="warn">
          <p>Copy the key now. It is shown only once, because Postroom stores only its hash.</p>
        </Notice>
        <CopyBox text={created.secret} label="Copy key" />
        <h3>Example request</h3>
        <CopyBox text={created.tools_only ? toolsCommand(created) : curlCommand(created)} label="Copy command" block />
        <NextStep toolsOnly={created.tools_only} purpose={purpose} />
        <div class="actions">
          <Button onClick={onClose}>I saved the key</Button>
        </div>
      </div>
    </Card>
  );
}

/** Says what to do with the key, with a link to the page where it is done. */
function NextStep({ toolsOnly, purpose }: { toolsOnly: boolean; purpose: KeyPurpose }) {
  if (toolsOnly) {
    return (
      <p>
        The key works only with the tool server. Next, enter it in your assistant: the settings for each assistant are
        on the page <a href="#/assistants">Assistants</a>, where the tool server is turned on, too.
      </p>
    );
  }
  if (purpose !== "automation") return null;
  return (
    <>
      <h3>Next steps in n8n and similar programs</h3>
      <ol class="numbered">
        <li>
          Create credentials of the type Header Auth: the name is <code>Authorization</code>, and the value is{" "}
          <code>Bearer</code>, a space, and the key.
        </li>
        <li>
          Use them in an HTTP Request node with an address below <code>{publicApiUrl()}</code>. The{" "}
          <a href={link("v1/docs")} target="_blank" rel="noreferrer">
            API reference
          </a>{" "}
          lists all requests.
        </li>
        <li>
          To start a workflow when mail arrives, add the address of its Webhook node on the page{" "}
          <a href="#/webhooks">Webhooks</a>.
        </li>
      </ol>
    </>
  );
}

/** Returns a curl command that lists the tools that the key can use. */
function toolsCommand({ secret }: KeyCreated): string {
  return [
    `curl -H 'Authorization: Bearer ${secret}'`,
    "  -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream'",
    `  -d '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' '${link("mcp")}'`,
  ].join(" \\\n");
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
