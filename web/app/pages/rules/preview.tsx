import type { RulePreview } from "../../../../src/features/rules/model.ts";
import { Badge, Card, Empty } from "../../parts/layout.tsx";
import { count, counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { actionText } from "./labels.ts";

/** The effect that a rule would have had on the mail of the last 30 days. */
export function Preview({ preview: { scanned, matched, changed, examples } }: { preview: RulePreview }) {
  return (
    <Card title="Preview" text={`Checked ${counted(scanned, "message")} from the last 30 days. Nothing was changed.`}>
      <p role="status">
        The rule matches <strong>{counted(matched, "message")}</strong>
        {matched > 0 && <> and would change {count(changed)} of them</>}.
      </p>
      {examples.length === 0 ? (
        <Empty icon="rules" title="No matching messages">
          <p>If you expected matches, make the conditions less strict.</p>
        </Empty>
      ) : (
        <ul class="rows">
          {examples.map((example) => (
            <li key={example.message_id} class="row">
              <div class="row-main">
                <p class="row-title">{example.subject || "(no subject)"}</p>
                <p class="hint">
                  {example.from} · <Ago at={example.date} />
                </p>
              </div>
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
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
