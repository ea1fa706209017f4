import { useState } from "preact/hooks";
import type { Assistant, AssistantList, AssistantSettings } from "../../api/assistants.ts";
import { app } from "../../api/client.ts";
import type { ScopeGroup } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Await, Badge, Card, Empty, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { type Loaded, useLoad } from "../../state/load.ts";
import { isAlone, isOwner } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { scopeText, useKeyChoices } from "../keys/keys.tsx";
import { ConnectAssistant } from "./connect.tsx";
import { LiftLimits } from "./lift-limits.tsx";
import { PolicyForm, policyText } from "./policy.tsx";

/** Shows the tool server, how to connect assistants, and what each of them may do. */
export function Assistants() {
  const settings = useLoad("assistant-settings", () => app<AssistantSettings>("GET", "/assistants/settings"));
  const assistants = useLoad("assistants", () => app<AssistantList>("GET", "/assistants"));
  const allowed = assistants.data?.allowed ?? true;
  return (
    <Page
      title="Assistants"
      lead="Let AI assistants such as Claude or ChatGPT work with your mail. Each one gets only the permissions you choose, and you confirm what it sends."
    >
      {!allowed && (
        <Notice
          tone="warn"
          title={isAlone() ? "The limits for programs exclude assistants" : "Your plan does not include assistants"}
        >
          {isAlone() ? (
            <LiftLimits />
          ) : (
            <p>Assistants require the Autopilot or Team plan. The owner can change your plan.</p>
          )}
        </Notice>
      )}
      <Card title="Tool server">
        <Await of={settings} lines={1}>
          {(known) => <ToolServer settings={known} onChange={settings.set} />}
        </Await>
      </Card>
      {settings.data?.enabled && allowed && <ConnectAssistant url={settings.data.url} />}
      <Card
        title="Connected assistants and API keys"
        text="Programs that can use the tools. API keys without a permission for a tool are not listed."
      >
        <Await of={assistants} lines={3}>
          {({ data }) => <List rows={data} reload={assistants.reload} />}
        </Await>
      </Card>
    </Page>
  );
}

interface ToolServerProps {
  settings: AssistantSettings;
  onChange(settings: AssistantSettings): void;
}

function ToolServer({ settings, onChange }: ToolServerProps) {
  const { enabled, from, url } = settings;
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  async function change(next: boolean) {
    setBusy(true);
    setFault(null);
    try {
      onChange(await app<AssistantSettings>("PATCH", "/assistants/settings", { body: { enabled: next } }));
    } catch (error) {
      setFault(error);
    }
    setBusy(false);
  }
  return (
    <div class="stack">
      <div class="row wrapping">
        <div class="row-main">
          <p class="row-title">{enabled ? <Badge tone="good">On</Badge> : <Badge>Off</Badge>}</p>
          <p class="hint">
            {enabled ? (
              <>
                Assistants connect to <code>{url}</code>.
              </>
            ) : (
              "No assistant can connect. API keys keep working with the REST API."
            )}
          </p>
          {from === "configuration" && (
            <p class="hint">
              Turned on in the configuration (<code>mcp.enabled</code>). Change it there.
            </p>
          )}
          {!enabled && !isOwner() && <p class="hint">Ask the owner of this installation to turn it on.</p>}
        </div>
        {isOwner() && from !== "configuration" && (
          <div class="row-actions">
            <Button kind={enabled ? "plain" : "primary"} busy={busy} onClick={() => change(!enabled)}>
              {enabled ? "Turn off" : "Turn on"}
            </Button>
          </div>
        )}
      </div>
      <FaultNotice error={fault} />
    </div>
  );
}

function List({ rows, reload }: { rows: readonly Assistant[]; reload: Loaded<AssistantList>["reload"] }) {
  const choices = useKeyChoices();
  const [edited, setEdited] = useState<Assistant | null>(null);
  if (rows.length === 0) {
    return (
      <Empty icon="plug" title="No assistants yet">
        <p>Assistants appear here after you have connected them.</p>
      </Empty>
    );
  }
  return (
    <>
      <ul class="rows">
        {rows.map((row) => (
          <AssistantLine
            key={row.id}
            row={row}
            groups={choices.data?.data ?? []}
            onEdit={() => setEdited(row)}
            reload={reload}
          />
        ))}
      </ul>
      {edited && <PolicyForm assistant={edited} onClose={() => setEdited(null)} onSaved={reload} />}
    </>
  );
}

interface LineProps {
  row: Assistant;
  groups: readonly ScopeGroup[];
  onEdit(): void;
  reload(): Promise<void>;
}

function AssistantLine({ row, groups, onEdit, reload }: LineProps) {
  const { id, kind, name, hint, host, scopes, sandbox, account_id, tools_only, last_used_at, policy } = row;
  const canSend = scopes.includes("mail:send") || scopes.includes("calendar:write");
  const path = kind === "key" ? `/keys/${encodeURIComponent(id)}` : `/assistants/connections/${encodeURIComponent(id)}`;
  return (
    <li class="row wrapping">
      <div class="row-main">
        <p class="row-title">
          {name} <Badge>{kind === "key" ? "API key" : "Assistant"}</Badge>{" "}
          {sandbox && <Badge tone="info">Sandbox</Badge>}
        </p>
        <p class="hint">{scopeText(scopes, groups)}</p>
        {canSend && <p class="hint">{policyText(policy)}</p>}
        {canSend && !tools_only && (
          <p class="hint">
            <Badge tone="warn">Also works with the API</Badge> Sending rules do not apply there. For an assistant, use a
            key for the tool server only.
          </p>
        )}
        <p class="hint">
          {hint && (
            <>
              <code>{hint}…</code>
              {" · "}
            </>
          )}
          {host && `redirects to ${host}, name not verified · `}
          {last_used_at ? (
            <>
              used <Ago at={last_used_at} />
            </>
          ) : (
            "never used"
          )}
          {account_id && " · one mailbox only"}
        </p>
      </div>
      <div class="row-actions">
        {canSend && (
          <Button small label={`Sending rules for ${name}`} onClick={onEdit}>
            Sending rules
          </Button>
        )}
        <ConfirmButton
          small
          kind="danger"
          label={`Revoke ${name}`}
          title={`Revoke “${name}”?`}
          text={
            <p>
              {kind === "key"
                ? `Requests with this key are rejected immediately${tools_only ? "" : ", including requests to the API"}.`
                : "The assistant loses access immediately."}{" "}
              Its drafts and sends are kept. Messages that wait for your approval are withdrawn.
            </p>
          }
          action="Revoke"
          act={async () => {
            await app("DELETE", path);
            await reload();
            showToast(`“${name}” revoked.`);
          }}
        >
          Revoke
        </ConfirmButton>
      </div>
    </li>
  );
}
