import { useState } from "preact/hooks";
import type { NotificationTarget } from "../../../../src/features/notifications/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Badge, FaultNotice, Notice } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { Verbatim } from "../../parts/verbatim.tsx";
import { showToast } from "../../state/toasts.ts";
import { digestText, KINDS, SERVICES, STATUS } from "./labels.ts";

interface Props {
  target: NotificationTarget;
  onEdit(): void;
  onChanged(): Promise<void>;
}

/** One target: its state, the last result, and the buttons to test, edit, turn off and delete it. */
export function TargetLine({ target, onEdit, onChanged }: Props) {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const path = `/notifications/targets/${encodeURIComponent(target.id)}`;
  const { name, service, url, status, waiting, sent_at, outcome } = target;
  const [tone, label] = STATUS[status];
  async function run(act: () => Promise<unknown>, done?: string) {
    setBusy(true);
    setFault(null);
    try {
      await act();
      await onChanged();
      if (done) showToast(done);
    } catch (error) {
      setFault(error);
    } finally {
      setBusy(false);
    }
  }
  const inMode = (mode: "on" | "always") =>
    KINDS.filter(({ kind }) => target.kinds[kind] === mode).map(({ label }) => label);
  const [daytime, always] = [inMode("on"), inMode("always")];
  const setStatus = (next: "active" | "off", done: string) =>
    run(() => app("PATCH", path, { body: { status: next } }), done);
  return (
    <li class="row open">
      <div class="row-main">
        <div class="stack">
          <div>
            <p class="row-title">
              <bdi>{name}</bdi> <Badge tone={tone}>{label}</Badge>
            </p>
            <p class="hint">
              {SERVICES[service]} · <span class="clip">{hostOf(url)}</span> · {digestText(target)}
              {sent_at && (
                <>
                  {" · last sent "}
                  <Ago at={sent_at} />
                </>
              )}
              {waiting > 0 && ` · ${waiting} waiting`}
            </p>
            {daytime.length > 0 && <p class="hint">{daytime.join(", ")}</p>}
            {always.length > 0 && <p class="hint">Also during quiet hours: {always.join(", ")}</p>}
            {daytime.length + always.length === 0 && <p class="hint">Nothing is selected</p>}
          </div>
          {status === "failing" && (
            <Notice tone="bad" title="Postroom has stopped trying">
              <p>
                The last {counted(target.failure_count, "attempt")} failed. Correct the target or its server, then turn
                it on again. Postroom then sends what was missed as one message.
              </p>
              <Button small busy={busy} onClick={() => setStatus("active", "Target turned on.")}>
                Turn on again
              </Button>
            </Notice>
          )}
          <div aria-live="polite">{outcome && <OutcomeNotice outcome={outcome} />}</div>
          <FaultNotice error={fault} />
        </div>
      </div>
      <div class="row-actions">
        <Button
          small
          busy={busy}
          label={`Test ${name}`}
          onClick={() => run(() => app("POST", `${path}/test`, { body: {} }))}
        >
          Test
        </Button>
        <Button small label={`Edit ${name}`} onClick={onEdit}>
          Edit
        </Button>
        {status === "active" && (
          <Button small label={`Turn off ${name}`} onClick={() => setStatus("off", "Target turned off.")}>
            Turn off
          </Button>
        )}
        {status === "off" && (
          <Button small label={`Turn on ${name}`} onClick={() => setStatus("active", "Target turned on.")}>
            Turn on
          </Button>
        )}
        <ConfirmButton
          small
          kind="danger"
          label={`Delete ${name}`}
          title={`Delete “${name}”?`}
          text={<p>Postroom stops sending notifications there and deletes those that wait. Your mail is kept.</p>}
          action="Delete target"
          act={async () => {
            await app("DELETE", path);
            showToast("Target deleted.");
            await onChanged();
          }}
        >
          Delete
        </ConfirmButton>
      </div>
    </li>
  );
}

/** The answer of the server to the last message or test, shown as text. */
function OutcomeNotice({ outcome }: { outcome: NonNullable<NotificationTarget["outcome"]> }) {
  const { at, ok, test, response_status, error, response_body } = outcome;
  const what = test ? "Test" : "Last message";
  const title = ok ? `${what}: the server answered ${response_status}` : `${what} failed: ${error}`;
  return (
    <Notice tone={ok ? "good" : "bad"} title={title}>
      <p class="hint">
        <Ago at={at} />
      </p>
      {response_body !== "" && (
        <details>
          <summary>Response</summary>
          <Verbatim label="Server response" text={response_body} />
        </details>
      )}
    </Notice>
  );
}

function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
