import type { Usage } from "../../../src/features/usage/model.ts";
import { app, v1 } from "../api/client.ts";
import type { SystemState } from "../api/machine.ts";
import { ButtonLink } from "../parts/button.tsx";
import { UsageMeter } from "../parts/chart.tsx";
import { Await, Card, Empty, Page } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { sandbox } from "../state/sandbox.ts";
import { isOwner } from "../state/session.ts";
import { FindingLine } from "./finding-line.tsx";
import { MailboxTile, useMailboxes } from "./mailboxes/mailboxes.tsx";

const IDLE_POLL_MS = 30_000;

/** The status of mailboxes, usage and this machine at a glance. */
export function Overview() {
  const mailboxes = useMailboxes();
  const usage = useLoad("usage", () => v1<Usage>("GET", "/usage"), IDLE_POLL_MS);
  return (
    <Page title="Overview">
      <Card
        title="Mailboxes"
        actions={
          !sandbox.value && (
            <ButtonLink small icon="plus" href="#/mailboxes/connect">
              Connect mailbox{" "}
            </ButtonLink>
          )
        }
      >
        <Await of={mailboxes}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="mailbox" title="No mailboxes yet">
                <p>
                  Your mailboxes and their sync status appear here. Enter your email address, and Postroom finds the
                  mail servers.
                </p>
                <ButtonLink kind="primary" href="#/mailboxes/connect">
                  Connect mailbox
                </ButtonLink>
              </Empty>
            ) : (
              <ul class="tiles">
                {data.map((box) => (
                  <MailboxTile key={box.id} box={box} />
                ))}
              </ul>
            )
          }
        </Await>
      </Card>
      <div class="halves">
        <Card
          title="Usage"
          actions={
            <ButtonLink small kind="quiet" href="#/usage">
              View usage{" "}
            </ButtonLink>
          }
        >
          <Await of={usage}>
            {({ requests, sends, ai_credits }) => (
              <div class="meters">
                <UsageMeter label="Messages sent today" {...sends} />
                <UsageMeter label="API requests today" {...requests} />
                <UsageMeter label="AI credits this month" {...ai_credits} />
              </div>
            )}
          </Await>
        </Card>
        <NextSteps />
      </div>
      {isOwner() && <Health />}
    </Page>
  );
}

/** Links to first tasks for new users. */
function NextSteps() {
  const steps = [
    { href: "#/keys", title: "Create an API key", text: "For a script, a phone shortcut or an assistant." },
    {
      href: "#/webhooks",
      title: "Add a webhook endpoint",
      text: "Receive signed requests when mail arrives or changes.",
    },
    { href: "#/search", title: "Search your mail", text: "By keyword or by meaning." },
    { href: "#/security", title: "Secure your account", text: "Add a passkey or an authenticator app." },
  ];
  return (
    <Card title="Next steps">
      <ul class="links">
        {steps.map(({ href, title, text }) => (
          <li key={href}>
            <a href={href}>
              <span class="row-title">{title}</span>
              <span class="hint">{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Health() {
  const system = useLoad("system", () => app<SystemState>("GET", "/system"), IDLE_POLL_MS);
  return (
    <Card
      title="Diagnostics"
      actions={
        <ButtonLink small kind="quiet" href="#/system">
          View details{" "}
        </ButtonLink>
      }
    >
      <Await of={system}>
        {({ findings }) => {
          const open = findings.filter(({ result }) => result !== "ok");
          return open.length === 0 ? (
            <p>All {findings.length} checks passed.</p>
          ) : (
            <ul class="rows">
              {open.map((finding) => (
                <FindingLine key={`${finding.check} ${finding.detail}`} finding={finding} />
              ))}
            </ul>
          );
        }}
      </Await>
    </Card>
  );
}
