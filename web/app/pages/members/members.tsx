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
import { refreshSession, session } from "../../state/session.ts";
import { showToast } from "../../state/toasts.ts";
import { NewMember } from "./new-member.tsx";
import { PLANS } from "./plans.ts";
import { Teams } from "./teams.tsx";

/** The members of this installation. No one, including the owner, can see another member's mail here. */
export function Members() {
  const members = useLoad(
    "members",
    () => app<MemberList>("GET", "/members"),
    ({ removing }) => (removing > 0 ? ERASURE_POLL_MS : 0),
  );
  const [adding, setAdding] = useState(false);
  // Other pages show plans only if there are several people.
  const reload = async () => {
    await Promise.all([members.reload(), refreshSession()]);
  };
  return (
    <Page
      title="Members and teams"
      lead="Each member has their own mailboxes, API keys and settings. The pages do not show you their mail, but anyone who runs this machine can read it."
      actions={
        <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
          Add member{" "}
        </Button>
      }
    >
      {adding && <NewMember onClose={() => setAdding(false)} onAdded={reload} />}
      <Card title="Members">
        <Await of={members}>
          {({ data, removing }) => (
            <>
              <ul class="rows">
                {data.map((person) => (
                  <MemberLine key={person.id} person={person} withPlan={data.length > 1} reload={reload} />
                ))}
              </ul>
              {removing > 0 && (
                <Notice tone="info" live>
                  <p>Deleting the data of {counted(removing, "member")} in the background.</p>
                </Notice>
              )}
              {data.length === 1 && (
                <Empty icon="people" title="No other members yet">
                  <p>
                    Members appear here. Add a member and send them the invitation link, which lets them choose a
                    password.
                  </p>
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

interface LineProps {
  person: Member;
  /** False while the owner is the only person: plans then distinguish no one. */
  withPlan: boolean;
  reload(): Promise<void>;
}

function MemberLine({ person, withPlan, reload }: LineProps) {
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
    <li class="row open wrapping">
      <div class="row-main stack">
        <p class="row-title">
          {person.email} {person.role === "owner" && <Badge tone="info">Owner</Badge>} {me && <Badge>You</Badge>}{" "}
          {person.invited_until && <Badge tone="warn">Invited</Badge>} {person.plan === "team" && <Badge>Team</Badge>}
        </p>
        <p class="hint">
          {counted(person.mailboxes, "mailbox", "mailboxes")}, {counted(person.messages, "message")},{" "}
          {size(person.storage_bytes)} ·{" "}
          {person.last_sign_in_at ? (
            <>
              last signed in <Ago at={person.last_sign_in_at} />
            </>
          ) : (
            "never signed in"
          )}
        </p>
        {invite && (
          <>
            <p>
              Send this link to {person.email}. It works once and expires on{" "}
              {new Date(invite.expires_at).toLocaleString("en-GB")}.
            </p>
            <CopyBox text={invite.url} label="Copy invitation link" />
          </>
        )}
        <FaultNotice error={fault} />
      </div>
      <div class="row-actions">
        {withPlan && (
          <Select
            labelHidden
            label={`Plan of ${person.email}`}
            value={person.own_plan}
            options={PLANS}
            onChange={(plan) =>
              run(async () => {
                await app("PATCH", path, { body: { plan } });
                await reload();
                showToast("Plan changed.");
              })
            }
          />
        )}
        {person.role !== "owner" && (
          <>
            <Button
              small
              busy={busy}
              label={`Create invitation link for ${person.email}`}
              onClick={() => run(async () => setInvite(await app<Invite>("POST", `${path}/invite`, { body: {} })))}
            >
              {" "}
              Create invitation link{" "}
            </Button>
            <Button
              small
              icon="download"
              busy={busy}
              label={`Export data of ${person.email}`}
              onClick={() => run(() => download("GET", `${path}/export`, {}, `${person.email}.zip`))}
            >
              {" "}
              Export data{" "}
            </Button>
            <ConfirmButton
              small
              kind="danger"
              label={`Delete member ${person.email}`}
              title={`Delete ${person.email}?`}
              text={
                <>
                  <p>
                    This deletes all of the member's data on this machine: copies of mail, drafts, API keys, rules,
                    contacts, notes, webhook endpoints, sessions and the search index. You cannot undo this. If the
                    member may want the data, export it first.
                  </p>
                  <p>
                    <strong>Their mail servers keep their mail.</strong> Existing backups still contain their data until
                    they are deleted.
                  </p>
                </>
              }
              action="Delete member"
              typed={person.email}
              act={async () => {
                await app("DELETE", path, { body: { confirm_email: person.email } });
                await reload();
                showToast(`${person.email} deleted.`);
              }}
            >
              {" "}
              Delete member{" "}
            </ConfirmButton>
          </>
        )}
      </div>
    </li>
  );
}
