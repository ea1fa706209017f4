import type { ComponentChildren } from "preact";
import type { Mailbox } from "../../api/connect.ts";
import type { Finding } from "../../api/machine.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Badge, Card, FaultNotice, Skeleton, type Tone } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import type { Loaded } from "../../state/load.ts";
import { capitalized, FIXES } from "../finding-line.tsx";
import { statusOf } from "../mailboxes/labels.ts";
import { type Needs, useNeeds } from "./needs.ts";

/** Approvals, failed sends and faults, each with the link to its fix. */
export function NeedsYou({ mailboxes }: { mailboxes: Loaded<{ data: Mailbox[] }> }) {
  const { needs, error, reload } = useNeeds(mailboxes);
  return (
    <Card title="Needs you">
      <FaultNotice error={error} retry={reload} />
      {needs === null ? (
        <div aria-busy="true">
          <span class="visually-hidden">Loading</span>
          <Skeleton lines={2} />
        </div>
      ) : (
        <Shown needs={needs} whole={!error} />
      )}
    </Card>
  );
}

/** @param whole whether all parts are loaded, so that an empty list means that nothing waits */
function Shown({ needs, whole }: { needs: Needs; whole: boolean }) {
  const { approvals, sends, mailboxes, webhooks, targets, findings } = needs;
  const faults = findings.filter(({ result }) => result === "FAULT");
  const advice = findings.filter(({ result }) => result === "advice");
  const total = approvals.length + sends.length + mailboxes.length + webhooks.length + targets.length + faults.length;
  return (
    <>
      {total === 0 && whole && (
        <p class="all-clear">
          <Icon name="check" />
          <span>Nothing needs you now. Approvals, failed sends and faults appear here.</span>
        </p>
      )}
      {total > 0 && (
        <ul class="rows">
          {approvals.map(({ id, subject, recipients, asked_by, created_at, sandbox }) => (
            <Need
              key={id}
              tone="info"
              kind="Approval"
              sandbox={sandbox}
              title={subject || "(no subject)"}
              action="Review"
              href={`#/approvals/${encodeURIComponent(id)}`}
            >
              {asked_by.name} wants to send this to {recipients.join(", ")}. Asked <Ago at={created_at} />.
            </Need>
          ))}
          {sends.map(({ send_id, draft_id, subject, to, detail, finished_at, created_at }) => (
            <Need
              key={send_id}
              tone="bad"
              kind="Not sent"
              title={subject || "(no subject)"}
              action="Open draft"
              href={`#/read/drafts/${encodeURIComponent(draft_id ?? "")}`}
            >
              To {to.join(", ")}, <Ago at={finished_at ?? created_at} />.{" "}
              {detail ?? "The mail server did not accept it."}
            </Need>
          ))}
          {mailboxes.map((box) => {
            const { tone, label, sentence } = statusOf(box);
            return (
              <Need
                key={box.id}
                tone={tone}
                kind={label}
                title={box.email}
                action={box.status === "auth_failed" ? "Fix sign-in" : "Check mailbox"}
                href={`#/mailboxes/${encodeURIComponent(box.id)}`}
              >
                {sentence}
              </Need>
            );
          })}
          {webhooks.map(({ id, url, disabled_at }) => (
            <Need
              key={id}
              tone="bad"
              kind="Webhook disabled"
              title={url}
              action="Open webhook"
              href={`#/webhooks/${encodeURIComponent(id)}`}
            >
              Deliveries failed, so this endpoint receives no more events.{" "}
              {disabled_at && (
                <>
                  Disabled <Ago at={disabled_at} />.
                </>
              )}
            </Need>
          ))}
          {targets.map(({ id, name, outcome }) => (
            <Need
              key={id}
              tone="bad"
              kind="Not notified"
              title={name}
              action="Open notifications"
              href="#/notifications"
            >
              Notifications could not be sent, so Postroom has stopped trying.{" "}
              {outcome?.error && `Last answer: ${outcome.error}.`}
            </Need>
          ))}
          {faults.map((finding) => (
            <FindingNeed key={`${finding.check} ${finding.detail}`} finding={finding} />
          ))}
        </ul>
      )}
      {advice.length > 0 && (
        <details>
          <summary>{counted(advice.length, "recommendation")} for this installation</summary>
          <ul class="rows">
            {advice.map((finding) => (
              <FindingNeed key={`${finding.check} ${finding.detail}`} finding={finding} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function FindingNeed({ finding: { check, result, detail } }: { finding: Finding }) {
  const { action, href } = FIXES[check] ?? { action: "View details", href: "#/system" };
  const [tone, kind] = result === "FAULT" ? (["bad", "Check failed"] as const) : (["warn", "Advice"] as const);
  return (
    <Need tone={tone} kind={kind} title={capitalized(check)} action={action} href={href}>
      {capitalized(detail)}
    </Need>
  );
}

interface NeedProps {
  tone: Tone;
  kind: string;
  title: string;
  sandbox?: boolean;
  /** What the button does: "Open draft". */
  action: string;
  href: string;
  children: ComponentChildren;
}

function Need({ tone, kind, title, sandbox, action, href, children }: NeedProps) {
  return (
    <li class="row">
      <div class="row-main">
        <p class="row-title">
          <bdi>{title}</bdi> <Badge tone={tone}>{kind}</Badge> {sandbox && <Badge tone="info">Sandbox</Badge>}
        </p>
        <p class="hint">{children}</p>
      </div>
      <div class="row-actions">
        <ButtonLink small href={href} label={`${action}: ${title}`}>
          {action}
        </ButtonLink>
      </div>
    </li>
  );
}
