import { useState } from "preact/hooks";
import { app, download } from "../../api/client.ts";
import type { Invite, Member, MemberList } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { CopyBox } from "../../parts/copy-box.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Select } from "../../parts/field.tsx";
import { Await, Badge, Card, Empty, FaultNotice, Notice, Page } from "../../parts/layout.tsx";
import { counted, size } from "../../parts/numbers.ts";
import { Ago } from "../../parts/time.tsx";
import { useLoad } from "../../state/load.ts";
import { session } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { NewMember } from "./new-member.tsx";
import { PLANS } from "./plans.ts";
import { Teams } from "./teams.tsx";

/** Who has an account on this machine. Nobody, the owner included, sees another's mail here. */
export function Members() {
  const members = useLoad(
    "members",
    () => app<MemberList>("GET", "/members"),
    ({ removing }) => (removing > 0 ? ERASURE_POLL_MS : 0),
  );
  const [adding, setAdding] = useState(false);
  return (
    <Page
      title="Members and teams"
      lead="Each person has mailboxes, keys and settings of their own. You see that they are here, not what they read or write."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          Add a person
        </Button>
      }
    >
      {adding && <NewMember onClose={() => setAdding(false)} onAdded={members.reload} />}
      <Card title="Members">
        <Await of={members}>
          {({ data, removing }) => (
            <>
              <ul class="rows">
                {data.map((person) => (
                  <MemberLine key={person.id} person={person} reload={members.reload} />
                ))}
              </ul>
              {removing > 0 && (
                <Notice tone="info" live>
                  <p>Erasing {counted(removing, "person", "people")} in the background.</p>
                </Notice>
              )}
              {data.length === 1 && (
                <Empty icon="people" title="You are alone here">
                  <p>Add a person, and give them the link that comes up. It lets them choose a password.</p>
                </Empty>
              )}
            </>
          )}
        </Await>
      </Card>
      <Teams />
    </Page>
  );
}

const ERASURE_POLL_MS = 1_000;

function MemberLine({ person, reload }: { person: Member; reload(): Promise<void> }) {
  const [invite, setInvite] = useState<Invite | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const path = `/members/${encodeURIComponent(person.id)}`;
  const me = person.id === session.value?.user?.id;
  const run = (work: () => Promise<void>) => {
    setBusy(true);
    work()
      .then(() => setFault(null), setFault)
      .finally(() => setBusy(false));
  };
  return (
    <li class="row open">
      <div class="row-main stack">
        <p class="row-title">
          {person.email} {person.role === "owner" && <Badge tone="info">Owner</Badge>} {me && <Badge>You</Badge>}{" "}
          {person.invited_until && <Badge tone="warn">Invited</Badge>}{" "}
          {person.plan === "team" && <Badge>In a team</Badge>}
        </p>
        <p class="hint">
          {counted(person.mailboxes, "mailbox", "mailboxes")}, {counted(person.messages, "message")},{" "}
          {size(person.storage_bytes)} ·{" "}
          {person.last_sign_in_at ? (
            <>
              signed in <Ago at={person.last_sign_in_at} />
            </>
          ) : (
            "never signed in"
          )}
        </p>
        {invite && (
          <>
            <p>
              Give this link to {person.email}. It works once, until{" "}
              {new Date(invite.expires_at).toLocaleString("en-GB")}.
            </p>
            <CopyBox text={invite.url} label="Copy the invitation link" />
          </>
        )}
        <FaultNotice error={fault} />
      </div>
      <div class="row-actions">
        <Select
          labelHidden
          label={`Plan of ${person.email}`}
          value={person.own_plan}
          options={PLANS}
          onChange={(plan) =>
            run(async () => {
              await app("PATCH", path, { body: { plan } });
              await reload();
              showToast("The plan is changed.");
            })
          }
        />
        {person.role !== "owner" && (
          <>
            <Button
              small
              busy={busy}
              label={`Invitation link for ${person.email}`}
              onClick={() => run(async () => setInvite(await app<Invite>("POST", `${path}/invite`, { body: {} })))}
            >
              Invitation link
            </Button>
            <Button
              small
              icon="download"
              busy={busy}
              label={`Export of ${person.email}`}
              onClick={() => run(() => download("GET", `${path}/export`, {}, `${person.email}.zip`))}
            >
              Export
            </Button>
            <ConfirmButton
              small
              kind="danger"
              label={`Erase ${person.email}`}
              title={`Erase ${person.email}?`}
              text={
                <>
                  <p>
                    Everything of this person on this machine is deleted: the copies of mail, drafts, keys, rules,
                    contacts, notes, webhooks, sessions and the search index. It cannot be undone. Make an export first
                    if they may want it.
                  </p>
                  <p>
                    <strong>Their mail servers keep their mail.</strong> Backups that exist still hold their data until
                    they are deleted.
                  </p>
                </>
              }
              action="Erase everything"
              typed={person.email}
              act={async () => {
                await app("DELETE", path, { body: { confirm_email: person.email } });
                await reload();
                showToast(`${person.email} is erased.`);
              }}
            >
              Erase
            </ConfirmButton>
          </>
        )}
      </div>
    </li>
  );
}
