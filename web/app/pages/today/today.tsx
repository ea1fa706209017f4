import type { Usage } from "../../../../src/features/usage/model.ts";
import { v1 } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { Await, Card, Empty, Page } from "../../parts/layout.tsx";
import { count } from "../../parts/numbers.ts";
import { LongDay } from "../../parts/time.tsx";
import { type Loaded, useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { isAlone } from "../../state/session.ts";
import { MailboxTile, useMailboxes } from "../mailboxes/mailboxes.tsx";
import { BriefCard } from "./brief.tsx";
import { today } from "./days.ts";
import { NeedsYou } from "./needs-you.tsx";

const IDLE_POLL_MS = 30_000;

/** The first page: what needs the person, the daily brief, the mailboxes and the usage. */
export function Today() {
  const mailboxes = useMailboxes();
  const usage = useLoad("usage", () => v1<Usage>("GET", "/usage"), IDLE_POLL_MS);
  return (
    <Page title="Today" lead={<LongDay day={today()} />}>
      <NeedsYou mailboxes={mailboxes} />
      <BriefCard credits={usage.data?.ai_credits ?? null} />
      <MailboxCard mailboxes={mailboxes} />
      {mailboxes.data?.data.length === 0 && <NextSteps />}
      <UsageCard usage={usage} />
    </Page>
  );
}

function MailboxCard({ mailboxes }: { mailboxes: Loaded<{ data: Mailbox[] }> }) {
  return (
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
                Your mailboxes and their sync status appear here. Enter your email address, and Postroom finds the mail
                servers.
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
  );
}

function UsageCard({ usage }: { usage: Loaded<Usage> }) {
  return (
    <Card
      title="Usage"
      actions={
        <ButtonLink small kind="quiet" href="#/usage">
          View usage{" "}
        </ButtonLink>
      }
    >
      <Await of={usage} lines={1}>
        {({ requests, sends, ai_credits }) => (
          <dl class="figures">
            <Figure name="API requests today" value={requests.used} />
            <Figure name="Messages sent today" value={sends.used} />
            {!(isAlone() && ai_credits.byok) && <Figure name="AI credits this month" value={ai_credits.used} />}
          </dl>
        )}
      </Await>
    </Card>
  );
}

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="numbers">{count(value)}</dd>
    </div>
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
