import { useState } from "preact/hooks";
import type { EngineView, FoundModels, TrialResult } from "../../../src/features/engines/model.ts";
import { app } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { ConfirmButton } from "../parts/dialog.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Await, Badge, Card, FaultNotice, Notice } from "../parts/layout.tsx";
import { count } from "../parts/numbers.ts";
import { type Faults, useForm } from "../state/form.ts";
import { type Loaded, useLoad } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";
import { FoundOnThisMachine } from "./ai-found.tsx";

const ENGINES: Record<EngineView["engine"], string> = {
  extractive: "Built-in engine",
  local: "Model on this machine",
  hosted: "Hosted model",
};

/** The language model for drafts, answers and summaries: none, local or hosted. */
export function LanguageModel() {
  const engine = useLoad("ai", () => app<EngineView>("GET", "/ai"));
  const found = useLoad("ai-found", () => app<FoundModels>("GET", "/ai/found"));
  return (
    <Card
      title="Language model"
      text="Makes drafts, answers and summaries more fluent. Rules make all decisions, with or without a model."
    >
      <Await of={engine}>
        {(now) => (
          <div class="stack">
            <Notice tone={now.engine === "hosted" ? "warn" : "good"} title={ENGINES[now.engine]}>
              <p>Where mail text is sent: {now.where_text_goes}</p>
              {now.problem && (
                <p>
                  <Badge tone="bad">Not in use</Badge> {now.problem}
                </p>
              )}
            </Notice>
            {now.from === "configuration" ? (
              <p class="hint">The model is set in the configuration file. Change it there.</p>
            ) : (
              <>
                {found.data && <FoundOnThisMachine found={found.data} now={now} engine={engine} />}
                <h3>Another model</h3>
                <ModelForm key={`${now.base_url} ${now.model}`} now={now} engine={engine} />
              </>
            )}
          </div>
        )}
      </Await>
    </Card>
  );
}

/** Models with such names run at ollama.com, also if the server is on this machine. */
const PASSED_ON = /[:-]cloud$/i;

function isHosted(base_url: string, model: string): boolean {
  try {
    return PASSED_ON.test(model.trim()) || !["localhost", "127.0.0.1", "[::1]"].includes(new URL(base_url).hostname);
  } catch {
    return false;
  }
}

interface ModelFormProps {
  now: EngineView;
  engine: Loaded<EngineView>;
}

function ModelForm({ now, engine }: ModelFormProps) {
  const [trial, setTrial] = useState<TrialResult | null>(null);
  const [testing, setTesting] = useState(false);
  const form = useForm(
    { base_url: now.base_url ?? "", model: now.model ?? "", api_key: "", allow_host: false },
    {
      check: ({ base_url, model, allow_host }) => {
        const faults: Faults = {};
        if (!/^https?:\/\/./.test(base_url.trim())) faults.base_url = "Enter a URL, such as http://127.0.0.1:11434/v1.";
        if (!model.trim()) faults.model = "Enter the name of the model.";
        if (isHosted(base_url, model) && !allow_host) faults.allow_host = "Allow this host to use the model.";
        return faults;
      },
      async send(values) {
        engine.set(await app<EngineView>("PUT", "/ai", { body: requestOf(values) }));
        showToast("Model saved.");
      },
    },
  );
  const { values, faults, set } = form;
  const hosted = isHosted(values.base_url, values.model);
  async function test() {
    setTesting(true);
    setTrial(null);
    try {
      setTrial(await app<TrialResult>("POST", "/ai/test", { body: requestOf(values) }));
    } catch (error) {
      setTrial({
        ok: false,
        milliseconds: 0,
        problem: error instanceof Error ? error.message : "The test failed. Check the URL and try again.",
      });
    } finally {
      setTesting(false);
    }
  }
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <div class="columns">
        <TextField
          label="URL"
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
          placeholder="qwen2.5:7b"
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
            ? "A key is saved. Leave this field empty to keep it."
            : "Only hosted models need a key. It is stored encrypted."
        }
        value={values.api_key}
        fault={faults.api_key}
        onInput={(value) => set("api_key", value)}
      />
      {hosted && (
        <Notice tone="warn" title="Mail text would leave this machine">
          <Checkbox
            label="Allow sending mail text to this host"
            hint="Only the text that a draft, answer or summary needs is sent. Each call is listed below."
            checked={values.allow_host}
            onChange={(value) => set("allow_host", value)}
          />
          {faults.allow_host && <p class="fault">{faults.allow_host}</p>}
        </Notice>
      )}
      <div aria-live="polite">
        {trial && (
          <Notice tone={trial.ok ? "good" : "bad"}>
            <p>{trial.ok ? `The model responded in ${count(trial.milliseconds)} ms.` : trial.problem}</p>
          </Notice>
        )}
      </div>
      <FaultNotice error={form.fault} />
      <div class="actions">
        <Button type="submit" kind="primary" busy={form.busy}>
          {" "}
          Save{" "}
        </Button>
        <Button busy={testing} disabled={!values.base_url || !values.model} onClick={test}>
          {testing ? "Testing…" : "Test model"}
        </Button>
        {now.from === "settings" && (
          <ConfirmButton
            kind="danger"
            title="Remove this model?"
            text={
              <p>
                The URL, the model name and its API key are deleted. Postroom uses the built-in engine instead. Nothing
                else changes.
              </p>
            }
            action="Remove model"
            act={async () => {
              await app("DELETE", "/ai");
              await engine.reload();
              showToast("Model removed.");
            }}
          >
            {" "}
            Remove model{" "}
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
