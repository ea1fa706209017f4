import { app } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import { ButtonLink } from "../../parts/button.tsx";
import { ProgressBar } from "../../parts/chart.tsx";
import { Await, Badge, Card, Empty, Page } from "../../parts/layout.tsx";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { isOwner } from "../../state/session.ts";
import { providerName, statusOf } from "./labels.ts";
import { OAuthClients } from "./oauth-clients.tsx";

const ACTIVE_POLL_MS = 2_000;
const IDLE_POLL_MS = 10_000;

/** Loads the mailboxes, and again after an interval, which is shorter while one is connecting or syncing. */
export function useMailboxes() {
  return useLoad(
    "mailboxes",
    () => app<{ data: Mailbox[] }>("GET", "/mailboxes"),
    ({ data }) =>
      data.some(({ status, sync }) => status === "connecting" || sync.phase !== "live") ? ACTIVE_POLL_MS : IDLE_POLL_MS,
  );
}

export function Mailboxes() {
  const mailboxes = useMailboxes();
  return (
    <Page
      title="Mailboxes"
      lead="Postroom keeps a copy of each mailbox and syncs it with its server in both directions."
      actions={
        !sandbox.value && (
          <>
            <ButtonLink icon="upload" href="#/mailboxes/import">
              Import mail
            </ButtonLink>
            <ButtonLink kind="primary" icon="plus" href="#/mailboxes/connect">
              Connect mailbox
            </ButtonLink>
          </>
        )
      }
    >
      <Await of={mailboxes} lines={4}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty icon="mailbox" title="No mailboxes yet">
                <p>
                  Your mailboxes appear here. Enter your email address, and Postroom finds the mail servers. The newest
                  messages arrive first, within seconds.
                </p>
                <ButtonLink kind="primary" href="#/mailboxes/connect">
                  Connect mailbox
                </ButtonLink>
              </Empty>
            </Card>
          ) : (
            <ul class="tiles">
              {data.map((box) => (
                <MailboxTile key={box.id} box={box} />
              ))}
            </ul>
          )
        }
      </Await>
      {isOwner() && !sandbox.value && <OAuthClients />}
    </Page>
  );
}

export function MailboxTile({ box }: { box: Mailbox }) {
  const { tone, label, sentence } = statusOf(box);
  const { sync } = box;
  return (
    <li class="tile">
      <p class="tile-head">
        <a class="tile-title" href={`#/mailboxes/${encodeURIComponent(box.id)}`}>
          {box.email}
        </a>
        <Badge tone={tone}>{label}</Badge>
        {box.primary && <Badge>Primary</Badge>}
        {box.read_only && <Badge>Read-only</Badge>}
      </p>
      <p class="tile-text">{sentence}</p>
      {sync.phase !== "live" && box.status !== "paused" && box.provider !== "imported" && (
        <ProgressBar label={`Syncing ${box.email}`} done={sync.done} total={sync.total} />
      )}
      <p class="hint">
        {providerName(box.provider)}
        {box.last_sync_at && (
          <>
            {box.provider === "imported" ? " · imported " : " · synced "}
            <Ago at={box.last_sync_at} />
          </>
        )}
      </p>
    </li>
  );
}
