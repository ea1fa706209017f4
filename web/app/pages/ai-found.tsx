import { useState } from "preact/hooks";
import type { EngineView, FoundModels } from "../../../src/features/engines/model.ts";
import { app } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { CopyBox } from "../parts/copy-box.tsx";
import { Badge, FaultNotice } from "../parts/layout.tsx";
import type { Loaded } from "../state/load.ts";
import { showToast } from "../state/toasts.ts";

type Server = FoundModels["data"][number];

const NAMES: Record<Server["kind"], string> = {
  ollama: "Ollama",
  "llama.cpp": "llama.cpp",
  lm_studio: "LM Studio",
  other: "Model server",
};
const MAX_MODELS = 20;

interface FoundProps {
  found: FoundModels;
  now: EngineView;
  engine: Loaded<EngineView>;
}

/** The model servers of this machine with a button for each model, or the command that gets a model that fits. */
export function FoundOnThisMachine({ found, now, engine }: FoundProps) {
  return (
    <section class="stack">
      <h3>On this machine</h3>
      {found.data.length === 0 && (
        <p>No model server was found at the usual ports of Ollama, llama.cpp and LM Studio.</p>
      )}
      {found.data.map((server) => (
        <ServerModels key={server.base_url} server={server} found={found} now={now} engine={engine} />
      ))}
      {now.engine === "extractive" && !found.choice && <Recommendation {...found.recommendation} />}
    </section>
  );
}

function ServerModels({ server, found: { choice }, now, engine }: FoundProps & { server: Server }) {
  const { kind, base_url, models, problem } = server;
  const isOne = (one: { base_url: string | null; model: string | null } | null, model: string) =>
    one?.base_url === base_url && one.model === model;
  return (
    <div class="stack">
      <p>
        {NAMES[kind]} <span class="hint mono">{base_url}</span>
      </p>
      {problem && <p class="hint">{problem}</p>}
      {models.length === 0 && <p class="hint">It has no models that write text.</p>}
      <ul class="rows" aria-label={`Models of ${NAMES[kind]}`}>
        {models.slice(0, MAX_MODELS).map(({ name, size, elsewhere }) => (
          <li key={name} class="row">
            <div class="row-main">
              <p class="row-title">
                <bdi>{name}</bdi> {isOne(choice, name) && <Badge tone="good">Recommended</Badge>}
              </p>
              {(size || elsewhere) && (
                <p class="hint">{elsewhere ? "Runs at a provider on the internet, not on this machine" : size}</p>
              )}
            </div>
            <div class="row-actions">
              {isOne(now, name) ? (
                <Badge>In use</Badge>
              ) : (
                !elsewhere && <UseButton base_url={base_url} model={name} engine={engine} />
              )}
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}

function UseButton({ base_url, model, engine }: { base_url: string; model: string; engine: Loaded<EngineView> }) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  async function use() {
    setBusy(true);
    setFault(null);
    try {
      engine.set(await app<EngineView>("PUT", "/ai", { body: { base_url, model } }));
      showToast(`Postroom now uses ${model}.`);
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <>
      <FaultNotice error={fault} />
      <Button small busy={busy} label={`Use ${model}`} onClick={use}>
        Use
      </Button>
    </>
  );
}

function Recommendation({ text, commands }: FoundModels["recommendation"]) {
  return (
    <div class="stack">
      <p>{text}</p>
      {commands.map(({ kind, command }) => (
        <div key={kind}>
          <p class="hint">With {NAMES[kind]}:</p>
          <CopyBox text={command} label={`Copy the command for ${NAMES[kind]}`} />
        </div>
      ))}
    </div>
  );
}
