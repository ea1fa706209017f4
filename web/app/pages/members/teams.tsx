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
import { useScopeGroups } from "../keys/keys.tsx";
import { NewKeyForm } from "../keys/new-key.tsx";

/** Teams share an allowance, and keys that see the mail of all who accepted. */
export function Teams() {
  const teams = useLoad("teams", async () => (await app<{ data: Team[] }>("GET", "/teams")).data);
  const form = useForm(
    { name: "" },
    {
      check: ({ name }) => (name.trim() ? {} : { name: "Name the team." }),
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
      text="A team shares one allowance. Its organisation keys see the mail of everybody who accepted the invitation."
    >
      <Await of={teams}>
        {(list) => (
          <div class="stack">
            {list.length === 0 && <p class="hint">There is no team yet.</p>}
            {list.map((team) => (
              <TeamBox key={team.id} team={team} reload={teams.reload} />
            ))}
          </div>
        )}
      </Await>
      <form class="stack" noValidate onSubmit={form.submit}>
        <div class="with-button">
          <TextField
            label="New team"
            value={form.values.name}
            fault={form.faults.name}
            onInput={(name) => form.set("name", name)}
          />
          <Button type="submit" busy={form.busy}>
            Make the team
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
      check: ({ email }) => (EMAIL.test(email.trim()) ? {} : { email: "That is not an e-mail address." }),
      async send({ email }) {
        await app("POST", `${path}/members`, { body: { email: email.trim() } });
        form.fill({ email: "" });
        await reload();
        showToast("The invitation waits for them on their settings page.");
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
              {member.email} {member.state === "invited" && <Badge tone="warn">Not accepted yet</Badge>}
            </p>
            <ConfirmButton
              small
              kind="quiet"
              label={`Take ${member.email} out of ${team.name}`}
              title={`Take ${member.email} out of “${team.name}”?`}
              text={<p>The team's keys no longer see their mail. Their account, mailboxes and own keys stay.</p>}
              action="Take out"
              act={async () => {
                await app("DELETE", `${path}/members/${encodeURIComponent(member.user_id)}`);
                await reload();
              }}
            >
              Take out
            </ConfirmButton>
          </li>
        ))}
      </ul>
      <form class="stack" noValidate onSubmit={form.submit}>
        <div class="with-button">
          <TextField
            label="Invite a member of this machine"
            type="email"
            autocomplete="off"
            value={form.values.email}
            fault={form.faults.email}
            onInput={(email) => form.set("email", email)}
          />
          <Button type="submit" busy={form.busy}>
            Invite
          </Button>
        </div>
        <FaultNotice error={form.fault ?? fault} />
      </form>
      <TeamKeys path={path} team={team} />
      <div class="actions">
        <ConfirmButton
          small
          kind="danger"
          title={`Dissolve “${team.name}”?`}
          text={<p>Its organisation keys stop working at once. Its members, their mailboxes and own keys stay.</p>}
          action="Dissolve the team"
          act={async () => {
            await app("DELETE", path).catch((error) => {
              setFault(error);
              throw error;
            });
            await reload();
          }}
        >
          Dissolve
        </ConfirmButton>
      </div>
    </section>
  );
}

function TeamKeys({ path, team }: { path: string; team: Team }) {
  const keys = useLoad(`keys of ${team.id}`, async () => (await app<{ data: KeyRow[] }>("GET", `${path}/keys`)).data);
  const groups = useScopeGroups();
  const [making, setMaking] = useState(false);
  const [made, setMade] = useState<KeyCreated | null>(null);
  return (
    <div class="stack">
      <h3>Organisation keys</h3>
      {made && <CreatedKey made={made} onClose={() => setMade(null)} />}
      <Await of={keys} lines={1}>
        {(list) => (
          <ul class="rows">
            {list.map((key) => (
              <li key={key.id} class={key.state === "active" ? "row" : "row past"}>
                <p class="row-main">
                  {key.name} <code class="hint">{key.hint}…</code>{" "}
                  {key.state !== "active" && <Badge tone="bad">{key.state}</Badge>}
                </p>
                {key.state === "active" && (
                  <ConfirmButton
                    small
                    kind="danger"
                    label={`Revoke ${key.name}`}
                    title={`Revoke “${key.name}”?`}
                    text={<p>Programs that use it are refused from now on. Nobody's mail or settings change.</p>}
                    action="Revoke the key"
                    act={async () => {
                      await app("DELETE", `${path}/keys/${encodeURIComponent(key.id)}`);
                      await keys.reload();
                    }}
                  >
                    Revoke
                  </ConfirmButton>
                )}
              </li>
            ))}
          </ul>
        )}
      </Await>
      <div class="actions">
        <Button small icon="plus" onClick={() => setMaking(true)}>
          New organisation key
        </Button>
      </div>
      {making && (
        <NewKeyForm
          groups={groups}
          team_id={team.id}
          onClose={() => setMaking(false)}
          onMade={async (key) => {
            setMaking(false);
            setMade(key);
            await keys.reload();
          }}
        />
      )}
    </div>
  );
}
