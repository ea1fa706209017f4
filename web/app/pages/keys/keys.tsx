import { useState } from "preact/hooks";
import { app, link } from "../../api/client.ts";
import type { KeyChoices, KeyCreated, KeyPreset, KeyRow, ScopeGroup } from "../../api/members.ts";
import { Button, ButtonLink } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Await, Badge, Card, Empty, Page } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { currentRoute, navigate } from "../../state/route.ts";
import { showToast } from "../../state/toasts.ts";
import { CreatedKey } from "./created-key.tsx";
import { type KeyPurpose, NewKeyForm } from "./new-key.tsx";

/** Loads the groups of scopes that a key can have, and the presets of them. */
export function useKeyChoices() {
  return useLoad("key-choices", () => app<KeyChoices>("GET", "/scopes"));
}

export function Keys() {
  const keys = useLoad("keys", async () => (await app<{ data: KeyRow[] }>("GET", "/keys")).data);
  const choices = useKeyChoices();
  // The page "Assistants" links to the form.
  const forAssistant = currentRoute.value.query.get("new") === "assistant";
  const [making, setMaking] = useState(forAssistant);
  const [made, setMade] = useState<{ key: KeyCreated; purpose: KeyPurpose } | null>(null);
  return (
    <Page
      title="API keys"
      lead="An API key lets a program use your mail through the API, within the permissions that you choose."
      actions={
        <>
          <ButtonLink href={link("v1/docs")} icon="external" outside>
            API reference
          </ButtonLink>
          <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
            Create key
          </Button>
        </>
      }
    >
      {made && <CreatedKey created={made.key} purpose={made.purpose} onClose={() => setMade(null)} />}
      {making && (
        <NewKeyForm
          forAssistant={forAssistant}
          onClose={() => {
            setMaking(false);
            navigate("#/keys");
          }}
          onMade={async (key, purpose) => {
            setMaking(false);
            setMade({ key, purpose });
            await keys.reload();
          }}
        />
      )}
      <Card>
        <Await of={keys} lines={4}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty icon="key" title="No API keys yet">
                <p>
                  Your API keys appear here. Create one for each program, so that you can revoke it without affecting
                  the others.
                </p>
                <Button kind="primary" onClick={() => setMaking(true)}>
                  Create first key
                </Button>
              </Empty>
            ) : (
              <ul class="rows">
                {rows.map((row) => (
                  <KeyLine key={row.id} row={row} choices={choices.data} reload={keys.reload} />
                ))}
              </ul>
            )
          }
        </Await>
      </Card>
    </Page>
  );
}

/** Describes scopes by the titles of complete groups, then by the names of single scopes. */
export function scopeText(scopes: readonly string[], groups: readonly ScopeGroup[]): string {
  if (groups.length > 0 && groups.every((group) => group.scopes.every((scope) => scopes.includes(scope))))
    return "All permissions";
  const whole = groups.filter((group) => group.scopes.every((scope) => scopes.includes(scope)));
  const covered = new Set(whole.flatMap((group) => group.scopes as string[]));
  return [...whole.map(({ title }) => title), ...scopes.filter((scope) => !covered.has(scope))].join(", ");
}

/** Returns the preset with exactly the permissions of a key, if there is one. */
function presetOf({ scopes, tools_only }: KeyRow, presets: readonly KeyPreset[]): KeyPreset | undefined {
  return presets.find(
    (preset) =>
      preset.tools_only === tools_only &&
      preset.scopes.length === scopes.length &&
      preset.scopes.every((scope) => scopes.includes(scope)),
  );
}

interface KeyLineProps {
  row: KeyRow;
  choices: KeyChoices | null;
  reload(): Promise<void>;
}

function KeyLine({ row, choices, reload }: KeyLineProps) {
  const { state } = row;
  const preset = presetOf(row, choices?.presets ?? []);
  return (
    <li class={state === "active" ? "row" : "row past"}>
      <div class="row-main">
        <p class="row-title">
          {row.name} {row.test && <Badge tone="info">Sandbox</Badge>}{" "}
          {row.tools_only && <Badge>Tool server only</Badge>}{" "}
          {state === "expired" && <Badge tone="warn">Expired</Badge>}
          {state === "revoked" && <Badge tone="bad">Revoked</Badge>}
        </p>
        <p class="hint">
          {preset ? `${preset.title}: ${preset.can} ${preset.cannot}` : scopeText(row.scopes, choices?.data ?? [])}
        </p>
        <p class="hint">
          <code>{row.hint}…</code>
          {" · "}
          {row.last_used_at ? (
            <>
              used <Ago at={row.last_used_at} />
            </>
          ) : (
            "never used"
          )}
          {state === "active" && row.expires_at && (
            <>
              {" · expires "}
              <Ago at={row.expires_at} />
            </>
          )}
          {row.account_id && " · one mailbox only"}
          {row.ip_allow.length > 0 && ` · from ${row.ip_allow.join(", ")}`}
        </p>
      </div>
      {state === "active" && (
        <div class="row-actions">
          <ConfirmButton
            small
            kind="danger"
            label={`Revoke key ${row.name}`}
            title={`Revoke “${row.name}”?`}
            text={
              <>
                <p>Requests with this key are rejected immediately, and open streams end within a second.</p>
                <p>
                  Your mail, drafts, rules and webhook endpoints are kept. You cannot restore a revoked key, but you can
                  create a new one.
                </p>
              </>
            }
            action="Revoke key"
            act={async () => {
              await app("DELETE", `/keys/${encodeURIComponent(row.id)}`);
              await reload();
              showToast(`“${row.name}” revoked.`);
            }}
          >
            {" "}
            Revoke key{" "}
          </ConfirmButton>
        </div>
      )}
    </li>
  );
}
