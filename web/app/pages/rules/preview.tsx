import type { RuleItem, RulePreview } from "../../../../src/features/rules/model.ts";
import { Badge, Card, FaultNotice } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { actionText } from "./labels.ts";
import type { PreviewState } from "./use-preview.ts";

interface PreviewProps {
  kind: RuleItem["kind"];
  state: PreviewState;
  /** An error that belongs to no field. */
  error: unknown;
  /** Whether the rule still lacks a value. */
  incomplete: boolean;
}

/** The effect that a rule would have had on the mail of the last 30 days. Follows the form. */
export function Preview({ kind, state: { preview, busy }, error, incomplete }: PreviewProps) {
  return (
    <Card title="Preview" text="Computed from the mail of the last 30 days. Nothing is changed.">
      {/* The live region must exist before its first text, or screen readers miss it. */}
      <p role="status" aria-live="polite">
        {incomplete
          ? "The preview appears when each condition and action has a value."
          : preview && <Outcome kind={kind} preview={preview} />}
      </p>
      {busy && (
        <p class="hint" aria-hidden="true">
          Checking mail…
        </p>
      )}
      <FaultNotice error={error} />
      {!incomplete && preview && preview.examples.length > 0 && (
        <ul class="rows" aria-label="Examples" aria-busy={busy}>
          {preview.examples.map((example) => (
            <Example key={example.message_id} kind={kind} example={example} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Outcome({ kind, preview: { scanned, matched, changed } }: { kind: RuleItem["kind"]; preview: RulePreview }) {
  if (scanned === 0) return <>There is no mail from the last 30 days to check.</>;
  if (matched === 0) {
    return <>No match in {counted(scanned, "message")}. If you expected some, make the conditions less strict.</>;
  }
  const verb = kind === "agent" ? "covers" : "matches";
  return (
    <>
      The {kind === "agent" ? "entry" : "rule"} {verb}{" "}
      <strong>
        {count(matched)} of {counted(scanned, "message")}
      </strong>
      {kind === "inbox" &&
        (changed === matched ? <> and would change all of them</> : <> and would change {count(changed)}</>)}
      .
    </>
  );
}

function Example({ kind, example }: { kind: RuleItem["kind"]; example: RulePreview["examples"][number] }) {
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          {/* A new tab, so that the form keeps what was entered. */}
          <a href={`#/read/${encodeURIComponent(example.thread_id)}`} target="_blank" rel="noreferrer">
            {example.subject || "(no subject)"}
            <span class="visually-hidden"> (opens in a new tab)</span>
          </a>
        </p>
        <p class="hint">
          {example.from} · <Ago at={example.date} />
        </p>
      </div>
      {kind === "inbox" && (
        <p class="row-side">
          {example.actions.length === 0 ? (
            <span class="hint">No change</span>
          ) : (
            example.actions.map((action) => (
              <Badge key={`${action.type} ${action.value}`} tone="info">
                {actionText(action)}
              </Badge>
            ))
          )}
        </p>
      )}
    </li>
  );
}
