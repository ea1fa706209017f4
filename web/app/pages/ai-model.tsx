import type { Static } from "@sinclair/typebox";
import { useState } from "preact/hooks";
import type { EngineView, FoundServers, TrialResult } from "../../../src/features/engines/model.ts";
import { app } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmButton } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Await, Badge, Card, FaultNotice, Notice } from "../parts/layout.tsx";
import { count } from "../parts/numbers.ts";
import { type Faults, useForm } from "../state/form.ts";
import { type Loaded, useLoad } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";

type Found = Static<typeof FoundServers>["data"];

const ENGINES: Record<EngineView["engine"], string> = {
  extractive: "The built-in engine",
  local: "A model on this machine",
  hosted: "A model elsewhere",
};

/** The language model behind drafts, answers and summaries: none, one here, or one elsewhere. */
export function LanguageModel() {
  const engine = useLoad("ai", () => app<EngineView>("GET", "/ai"));
  const found = useLoad("ai-found", async () => (await app<{ data: Found }>("GET", "/ai/found")).data);
  return (
    <Card
      title="Language model"
      text="It makes drafts, answers and summaries more fluent. What decides are rules, with or without it."
    >
      <Await of={engine}>
        {(now) => (
          <div class="stack">
            <Notice tone={now.engine === "hosted" ? "warn" : "good"} title={ENGINES[now.engine]}>
              <p>Where the text of your mail goes: {now.where_text_goes}</p>
              {now.problem && (
                <p>
                  <Badge tone="bad">Not used</Badge> {now.problem}
                </p>
              )}
            </Notice>
            {now.from === "configuration" ? (
              <p class="hint">It is set in the configuration file, and is changed there.</p>
            ) : (
              <ModelForm key={`${now.base_url} ${now.model}`} now={now} engine={engine} found={found.data ?? []} />
            )}
          </div>
        )}
      </Await>
    </Card>
  );
}

function isElsewhere(base_url: string): boolean {
  try {
    return !["localhost", "127.0.0.1", "[::1]"].includes(new URL(base_url).hostname);
  } catch {
    return false;
  }
}

interface ModelFormProps {
  now: EngineView;
  engine: Loaded<EngineView>;
  found: Found;
}

function ModelForm({ now, engine, found }: ModelFormProps) {
  const [trial, setTrial] = useState<TrialResult | null>(null);
  const [testing, setTesting] = useState(false);
  const form = useForm(
    { base_url: now.base_url ?? "", model: now.model ?? "", api_key: "", allow_host: false },
    {
      check: ({ base_url, model, allow_host }) => {
        const faults: Faults = {};
        if (!/^https?:\/\/./.test(base_url.trim())) faults.base_url = "An address such as http://127.0.0.1:11434/v1";
        if (!model.trim()) faults.model = "Type the name of the model.";
        if (isElsewhere(base_url) && !allow_host) faults.allow_host = "It has to be allowed first.";
        return faults;
      },
      async send(values) {
        engine.set(await app<EngineView>("PUT", "/ai", { body: requestOf(values) }));
        showToast("The model is stored.");
      },
    },
  );
  const { values, faults, set } = form;
  const elsewhere = isElsewhere(values.base_url);
  async function test() {
    setTesting(true);
    setTrial(null);
    try {
      setTrial(await app<TrialResult>("POST", "/ai/test", { body: requestOf(values) }));
    } catch (error) {
      setTrial({ ok: false, milliseconds: 0, problem: error instanceof Error ? error.message : "It failed." });
    } finally {
      setTesting(false);
    }
  }
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      {found.length > 0 && (
        <div class="stack">
          <h3>Found on this machine</h3>
          <ul class="rows">
            {found.map((server) => (
              <li key={server.base_url} class="row">
                <div class="row-main">
                  <p class="row-title">{server.kind === "other" ? "Model server" : server.kind}</p>
                  <p class="hint mono">{server.base_url}</p>
                </div>
                <div class="row-actions">
                  {server.models.slice(0, 4).map((model) => (
                    <Button
                      key={model}
                      small
                      onClick={() => form.fill({ ...values, base_url: server.base_url, model })}
                    >
                      {model}
                    </Button>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div class="columns">
        <TextField
          label="Address"
          type="url"
          mono
          autocomplete="off"
          placeholder="http://127.0.0.1:11434/v1"
          value={values.base_url}
          fault={faults.base_url}
          onInput={(value) => set("base_url", value)}
        />
        <TextField
          label="Model"
          mono
          autocomplete="off"
          placeholder="qwen3:4b"
          value={values.model}
          fault={faults.model}
          onInput={(value) => set("model", value)}
        />
      </div>
      <TextField
        label="API key (optional)"
        type="password"
        autocomplete="off"
        hint={
          now.has_key
            ? "One is stored; leave this empty to keep it."
            : "Only hosted models need one. It is kept encrypted."
        }
        value={values.api_key}
        fault={faults.api_key}
        onInput={(value) => set("api_key", value)}
      />
      {elsewhere && (
        <Notice tone="warn" title="Text of your mail would leave this machine">
          <Checkbox
            label="I allow that text of mail is sent to this host"
            hint="Only what a draft, answer or summary needs, and each time with an entry in the ledger below."
            checked={values.allow_host}
            onChange={(value) => set("allow_host", value)}
          />
          {faults.allow_host && <p class="fault">{faults.allow_host}</p>}
        </Notice>
      )}
      <div aria-live="polite">
        {trial && (
          <Notice tone={trial.ok ? "good" : "bad"}>
            <p>{trial.ok ? `It answered in ${count(trial.milliseconds)} ms.` : trial.problem}</p>
          </Notice>
        )}
      </div>
      <FaultNotice error={form.fault} />
      <div class="actions">
        <Button type="submit" kind="primary" busy={form.busy}>
          Store
        </Button>
        <Button busy={testing} disabled={!values.base_url || !values.model} onClick={test}>
          {testing ? "Asking it…" : "Test"}
        </Button>
        {now.from === "settings" && (
          <ConfirmButton
            kind="danger"
            title="Stop using the model?"
            text={
              <p>
                The address, the model's name and its key are forgotten. The built-in engine answers from now on;
                nothing else changes.
              </p>
            }
            action="Stop using it"
            act={async () => {
              await app("DELETE", "/ai");
              await engine.reload();
              showToast("The built-in engine answers.");
            }}
          >
            Stop using it
          </ConfirmButton>
        )}
      </div>
    </form>
  );
}

function requestOf({
  base_url,
  model,
  api_key,
  allow_host,
}: {
  base_url: string;
  model: string;
  api_key: string;
  allow_host: boolean;
}) {
  return { base_url: base_url.trim(), model: model.trim(), allow_host, ...(api_key ? { api_key } : {}) };
}
