import type { Usage } from "../../../src/features/usage/model.ts";
import { app, v1 } from "../api/client.ts";
import type { SystemState } from "../api/machine.ts";
import { ButtonLink } from "../parts/button.tsx";
import { UsageMeter } from "../parts/chart.tsx";
import { Await, Card, Empty, Page } from "../parts/layout.tsx";
import { useLoad } from "../state/load.ts";
import { isOwner } from "../state/session.ts";
import { FindingLine } from "./finding-line.tsx";
import { MailboxTile, useMailboxes } from "./mailboxes/mailboxes.tsx";

const IDLE_POLL_MS = 30_000;

/** How everything is, at a glance. */
export function Overview() {
  const mailboxes = useMailboxes();
  const usage = useLoad("usage", () => v1<Usage>("GET", "/usage"), IDLE_POLL_MS);
  return (
    <Page title="Overview">
      <Card
        title="Mailboxes"
        actions={
          <ButtonLink small icon="plus" href="#/mailboxes/connect">
            Connect
          </ButtonLink>
        }
      >
        <Await of={mailboxes}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty icon="mailbox" title="No mailbox is connected yet">
                <p>That is the first thing to do. Type an address, and Postroom finds the servers.</p>
                <ButtonLink kind="primary" href="#/mailboxes/connect">
                  Connect a mailbox
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
          title="Today"
          actions={
            <ButtonLink small kind="quiet" href="#/usage">
              Usage
            </ButtonLink>
          }
        >
          <Await of={usage}>
            {({ requests, sends, ai_credits }) => (
              <div class="meters">
                <UsageMeter label="Sends" {...sends} />
                <UsageMeter label="Requests by programs" {...requests} />
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

/** Short ways for somebody who has just begun. */
function NextSteps() {
  const steps = [
    { href: "#/keys", title: "Make an API key", text: "For a script, a phone shortcut, or an assistant." },
    { href: "#/webhooks", title: "Be told what happens", text: "Signed requests to a program of yours." },
    { href: "#/search", title: "Try the search", text: "By words, or by what you mean." },
    { href: "#/security", title: "Make sign-in safer", text: "A passkey, or codes from an app." },
  ];
  return (
    <Card title="What you can do">
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
      title="This machine"
      actions={
        <ButtonLink small kind="quiet" href="#/system">
          System
        </ButtonLink>
      }
    >
      <Await of={system}>
        {({ findings }) => {
          const open = findings.filter(({ result }) => result !== "ok");
          return open.length === 0 ? (
            <p>All {findings.length} checks are well.</p>
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
