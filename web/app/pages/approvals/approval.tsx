import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Approval, Approved } from "../../api/assistants.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Await, Card, Facts, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { size } from "../../parts/numbers.ts";
import { Ago, When } from "../../parts/time.tsx";
import { Verbatim } from "../../parts/verbatim.tsx";
import { refreshWaitingApprovals } from "../../state/approvals.ts";
import { type Loaded, useLoad } from "../../state/load.ts";
import { StateBadge } from "./approvals.tsx";
import { SendStatus } from "./send-status.tsx";

const POLL_MS = 5_000;
const POLL_NEVER = 0;

/** Shows a message that an assistant wants to send, exactly as it would be sent. */
export function ApprovalPage({ id }: { id: string }) {
  const approval = useLoad(
    `approval ${id}`,
    () => app<Approval>("GET", `/approvals/${encodeURIComponent(id)}`),
    ({ state }) => (state === "waiting" ? POLL_MS : POLL_NEVER),
  );
  return (
    <Page
      title={approval.data ? approval.data.subject || "(no subject)" : "Approval"}
      back={{ href: "#/approvals", label: "Approvals" }}
    >
      <Await of={approval} lines={6}>
        {(shown) => (
          <>
            <Outcome of={shown} />
            <Message of={shown} />
            {shown.state === "waiting" && <Decision of={shown} reload={approval.reload} />}
          </>
        )}
      </Await>
    </Page>
  );
}

const OUTCOMES: Record<Exclude<Approval["state"], "waiting" | "approved">, string> = {
  confirmed: "This message was sent after you confirmed it.",
  rejected: "You rejected this message. Nothing was sent. The draft is kept.",
  withdrawn: "The assistant withdrew this message, or its access was revoked. Nothing was sent. The draft is kept.",
  void: "The draft was changed, sent or deleted after the assistant asked, or the assistant asked again. This approval sent nothing.",
  expired: "No one decided in time. Nothing was sent. The draft is kept.",
};

function Outcome({ of }: { of: Approval }) {
  const { state, send_id, reasons, asked_by } = of;
  if (state === "approved") return send_id ? <SendStatus id={send_id} inSandbox={of.sandbox} /> : null;
  if (state !== "waiting") {
    return (
      <Notice tone="quiet" live>
        <p>{OUTCOMES[state]}</p>
      </Notice>
    );
  }
  return (
    <Notice tone="warn" title={`${asked_by.name} wants to send this message`}>
      {reasons.length === 0 ? (
        <p>Messages from this assistant need your approval.</p>
      ) : (
        <ul class="bullets">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

function Message({ of }: { of: Approval }) {
  const { asked_by, from, to, cc, bcc, subject, text, html, attachments, scheduled_at, undo_window_s } = of;
  const people = (name: string, list: readonly string[]): [string, ComponentChildren][] =>
    list.length > 0 ? [[name, <Lines key={name} lines={list} />]] : [];
  return (
    <Card>
      <div class="stack">
        <Facts
          rows={[
            ["Status", <StateBadge key="state" of={of} />],
            ["Asked by", `${asked_by.name} (${asked_by.kind === "key" ? "API key" : "assistant"})`],
            ["From", from],
            ...people("To", to),
            ...people("Cc", cc),
            ...people("Bcc", bcc),
            ["Subject", subject || "(no subject)"],
            ...people(
              "Attachments",
              attachments.map((file) => `${file.name} (${file.mime}, ${size(file.size)})`),
            ),
            [
              "Send time",
              scheduled_at ? (
                <When key="when" at={scheduled_at} />
              ) : (
                `${undo_window_s} seconds after your approval; you can undo until then`
              ),
            ],
            ["Asked", <Ago key="asked" at={of.created_at} />],
            ...(of.state === "waiting"
              ? ([["Expires", <Ago key="expires" at={of.expires_at} />]] as [string, ComponentChildren][])
              : []),
          ]}
        />
        <Verbatim proportional label="Message text" text={text || "(no text)"} />
        {html !== null && (
          <details>
            <summary>HTML source of this message, with the addresses of all links</summary>
            <Verbatim label="HTML source" text={html} />
          </details>
        )}
      </div>
    </Card>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <>
      {lines.map((line) => (
        <span key={line} class="facts-line">
          {line}
        </span>
      ))}
    </>
  );
}

function Decision({ of, reload }: { of: Approval; reload: Loaded<Approval>["reload"] }) {
  const [busy, setBusy] = useState<"approve" | "reject" | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  async function decide(how: "approve" | "reject") {
    setBusy(how);
    setFault(null);
    try {
      await app<Approved | Approval>("POST", `/approvals/${encodeURIComponent(of.id)}/${how}`);
    } catch (error) {
      setFault(error);
    }
    setBusy(null);
    await Promise.all([reload(), refreshWaitingApprovals()]);
  }
  return (
    <div class="stack">
      <FaultNotice error={fault} />
      <div class="actions">
        <Button kind="primary" icon="check" busy={busy === "approve"} onClick={() => decide("approve")}>
          Approve and send
        </Button>
        <Button icon="cross" busy={busy === "reject"} onClick={() => decide("reject")}>
          Reject
        </Button>
      </div>
    </div>
  );
}
