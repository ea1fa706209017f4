import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { KeyCreated, KeyRow, Team } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/field.tsx";
import { Await, Badge, Card, FaultNotice } from "../../parts/layout.tsx";
import { counted } from "../../parts/numbers.ts";
import { EMAIL, useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";
import { CreatedKey } from "../keys/created-key.tsx";
import { type KeyPurpose, NewKeyForm } from "../keys/new-key.tsx";

/** Teams, whose members share limits and organization keys. */
export function Teams() {
  const teams = useLoad("teams", async () => (await app<{ data: Team[] }>("GET", "/teams")).data);
  const form = useForm(
    { name: "" },
    {
      check: ({ name }) => (name.trim() ? {} : { name: "Enter a team name." }),
      async send({ name }) {
        await app("POST", "/teams", { body: { name: name.trim() } });
        form.fill({ name: "" });
        await teams.reload();
      },
    },
  );
  return (
    <Card
      title="Teams"
      text="Team members share one set of limits. A team's organization keys can access the mail of everyone who accepted its invitation."
    >
      <Await of={teams}>
        {(list) => (
          <div class="stack">
            {list.length === 0 && <p class="hint">No teams yet. Create one to share limits and organization keys.</p>}
            {list.map((team) => (
              <TeamBox key={team.id} team={team} reload={teams.reload} />
            ))}
          </div>
        )}
      </Await>
      <form class="stack" noValidate onSubmit={form.submit}>
        <div class="with-button">
          <TextField
            label="Team name"
            value={form.values.name}
            fault={form.faults.name}
            onInput={(name) => form.set("name", name)}
          />
          <Button type="submit" busy={form.busy}>
            Create team
          </Button>
        </div>
        <FaultNotice error={form.fault} />
      </form>
    </Card>
  );
}

interface TeamProps {
  team: Team;
  reload(): Promise<void>;
}

function TeamBox({ team, reload }: TeamProps) {
  const path = `/teams/${encodeURIComponent(team.id)}`;
  const [fault, setFault] = useState<unknown>(null);
  const form = useForm(
    { email: "" },
    {
      check: ({ email }) => (EMAIL.test(email.trim()) ? {} : { email: "Enter a valid email address." }),
      async send({ email }) {
        await app("POST", `${path}/members`, { body: { email: email.trim() } });
        form.fill({ email: "" });
        await reload();
        showToast("Invitation sent. The member can accept it on their Security page.");
      },
    },
  );
  return (
    <section class="box stack" aria-label={team.name}>
      <p class="row-title">
        {team.name} <Badge>{counted(team.seats, "seat")}</Badge>
      </p>
      <ul class="rows">
        {team.members.map((member) => (
          <li key={member.user_id} class="row">
            <p class="row-main">
              {member.email} {member.state === "invited" && <Badge tone="warn">Invited</Badge>}
            </p>
            <ConfirmButton
              small
              kind="quiet"
              label={`Remove ${member.email} from ${team.name}`}
              title={`Remove ${member.email} from “${team.name}”?`}
              text={
                <p>
                  The team's organization keys lose access to this member's mail. The member's account, mailboxes and
                  own API keys are kept.
                </p>
              }
              action="Remove member"
              act={async () => {
                await app("DELETE", `${path}/members/${encodeURIComponent(member.user_id)}`);
                await reload();
              }}
            >
              {" "}
              Remove{" "}
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <form class="stack" noValidate onSubmit={form.submit}>
        <div class="with-button">
          <TextField
            label="Email address of a member"
            type="email"
            autocomplete="off"
            value={form.values.email}
            fault={form.faults.email}
            onInput={(email) => form.set("email", email)}
          />
          <Button type="submit" busy={form.busy}>
            {" "}
            Invite member{" "}
          </Button>
        </div>
        <FaultNotice error={form.fault ?? fault} />
      </form>
      <TeamKeys path={path} team={team} />
      <div class="actions">
        <ConfirmButton
          small
          kind="danger"
          title={`Delete team “${team.name}”?`}
          text={
            <p>
              The team's organization keys stop working immediately. Members, their mailboxes and their own API keys are
              kept.
            </p>
          }
          action="Delete team"
          act={async () => {
            await app("DELETE", path).catch((error) => {
              setFault(error);
              throw error;
            });
            await reload();
          }}
        >
          {" "}
          Delete team{" "}
        </ConfirmButton>
      </div>
    </section>
  );
}

function TeamKeys({ path, team }: { path: string; team: Team }) {
  const keys = useLoad(`keys of ${team.id}`, async () => (await app<{ data: KeyRow[] }>("GET", `${path}/keys`)).data);
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<{ key: KeyCreated; purpose: KeyPurpose } | null>(null);
  return (
    <div class="stack">
      <h3>Organization keys</h3>
      {made && <CreatedKey created={made.key} purpose={made.purpose} onClose={() => setMade(null)} />}
      <Await of={keys} lines={1}>
        {(list) =>
          list.length === 0 ? (
            <p class="hint">No organization keys yet.</p>
          ) : (
            <ul class="rows">
              {list.map((key) => (
                <li key={key.id} class={key.state === "active" ? "row" : "row past"}>
                  <p class="row-main">
                    {key.name} <code class="hint">{key.hint}…</code>{" "}
                    {key.state !== "active" && (
                      <Badge tone="bad">{key.state === "expired" ? "Expired" : "Revoked"}</Badge>
                    )}
                  </p>
                  {key.state === "active" && (
                    <ConfirmButton
                      small
                      kind="danger"
                      label={`Revoke key ${key.name}`}
                      title={`Revoke “${key.name}”?`}
                      text={<p>Requests with this key are rejected immediately. No mail or settings change.</p>}
                      action="Revoke key"
                      act={async () => {
                        await app("DELETE", `${path}/keys/${encodeURIComponent(key.id)}`);
                        await keys.reload();
                      }}
                    >
                      {" "}
                      Revoke key{" "}
                    </ConfirmButton>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Await>
      <div class="actions">
        <Button small icon="plus" onClick={() => setMaking(true)}>
          Create organization key
        </Button>
      </div>
      {making && (
        <NewKeyForm
          teamId={team.id}
          onClose={() => setMaking(false)}
          onMade={async (key, purpose) => {
            setMaking(false);
            setMade({ key, purpose });
            await keys.reload();
          }}
        />
      )}
    </div>
  );
}
