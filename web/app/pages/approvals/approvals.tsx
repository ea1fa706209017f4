import { useEffect } from "preact/hooks";
import type { ApprovalItem } from "../../api/assistants.ts";
import { app } from "../../api/client.ts";
import { Await, Badge, Card, Empty, Page, type Tone } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { refreshWaitingApprovals } from "../../state/approvals.ts";
import { useLoad } from "../../state/load.ts";

const POLL_MS = 10_000;

/** Shows the sends that assistants asked for. */
export function Approvals() {
  const approvals = useLoad(
    "approvals",
    async () => (await app<{ data: ApprovalItem[] }>("GET", "/approvals")).data,
    POLL_MS,
  );
  useEffect(() => void refreshWaitingApprovals(), [approvals.data]);
  return (
    <Page
      title="Approvals"
      lead="Messages that assistants want to send on your behalf. Nothing is sent until you approve it."
    >
      <Await of={approvals} lines={4}>
        {(rows) => {
          const waiting = rows.filter(({ state }) => state === "waiting");
          const past = rows.filter(({ state }) => state !== "waiting");
          return (
            <>
              <Card title="Waiting">
                {waiting.length === 0 ? (
                  <Empty icon="approval" title="No messages waiting">
                    <p>Messages that need your approval appear here. An assistant gives you a link to each of them.</p>
                  </Empty>
                ) : (
                  <Rows rows={waiting} />
                )}
              </Card>
              {past.length > 0 && (
                <Card title="Earlier">
                  <Rows rows={past} />
                </Card>
              )}
            </>
          );
        }}
      </Await>
    </Page>
  );
}

function Rows({ rows }: { rows: readonly ApprovalItem[] }) {
  return (
    <ul class="rows">
      {rows.map((row) => (
        <li key={row.id} class={row.state === "waiting" ? "row" : "row past"}>
          <div class="row-main">
            <p class="row-title">
              <a href={`#/approvals/${row.id}`}>{row.subject || "(no subject)"}</a> <StateBadge of={row} />
            </p>
            <p class="hint">To {row.recipients.join(", ")}</p>
            <p class="hint">
              Asked by {row.asked_by.name} <Ago at={row.created_at} />
              {row.state === "waiting" && (
                <>
                  {" · expires "}
                  <Ago at={row.expires_at} />
                </>
              )}
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const STATES: Record<ApprovalItem["state"], [Tone, string]> = {
  waiting: ["warn", "Waiting"],
  confirmed: ["good", "Confirmed"],
  approved: ["good", "Approved"],
  rejected: ["quiet", "Rejected"],
  withdrawn: ["quiet", "Withdrawn"],
  void: ["quiet", "Not sent"],
  expired: ["quiet", "Expired"],
};

/** Shows the state of an approval, and whether it belongs to the sandbox. */
export function StateBadge({ of }: { of: Pick<ApprovalItem, "state" | "sandbox"> }) {
  const [tone, label] = STATES[of.state];
  return (
    <>
      <Badge tone={tone}>{label}</Badge> {of.sandbox && <Badge tone="info">Sandbox</Badge>}
    </>
  );
}
