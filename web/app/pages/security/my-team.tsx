import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { MyTeam as Mine, TeamInvitation } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { ConfirmButton } from "../../parts/dialog.tsx";
import { Card, FaultNotice, Notice } from "../../parts/layout.tsx";
import { useLoad } from "../../state/load.ts";
import { showToast } from "../../state/toasts.ts";

/** The user's team and team invitations. Renders nothing without either. */
export function MyTeam() {
  const mine = useLoad("my-team", async () => (await app<{ team: Mine }>("GET", "/me/team")).team);
  const invitations = useLoad(
    "team-invitations",
    async () => (await app<{ data: TeamInvitation[] }>("GET", "/me/team-invitations")).data,
  );
  const [fault, setFault] = useState<unknown>(null);
  const waiting = invitations.data ?? [];
  if (!mine.data && waiting.length === 0) return null;
  const answer = (team_id: string, word: "accept" | "decline") => {
    app("POST", `/me/team-invitations/${encodeURIComponent(team_id)}/${word}`, { body: {} })
      .then(() => Promise.all([mine.reload(), invitations.reload()]))
      .then(() => setFault(null), setFault);
  };
  return (
    <Card title="Your team">
      <div class="stack">
        {waiting.map(({ team_id, name }) => (
          <Notice key={team_id} tone="info" title={`Invitation to team “${name}”`}>
            <p>
              If you accept, you share the team's limits, and the team's organization keys can read and change your
              mail.
            </p>
            <div class="actions">
              <Button small kind="primary" onClick={() => answer(team_id, "accept")}>
                {" "}
                Accept invitation{" "}
              </Button>
              <Button small onClick={() => answer(team_id, "decline")}>
                {" "}
                Decline invitation{" "}
              </Button>
            </div>
          </Notice>
        ))}
        {mine.data && (
          <div class="row">
            <div class="row-main">
              <p class="row-title">{mine.data.name}</p>
              <p class="hint">{mine.data.members.join(", ")}</p>
            </div>
            <ConfirmButton
              small
              title={`Leave “${mine.data.name}”?`}
              text={
                <p>
                  The team's organization keys lose access to your mail, and your own plan applies again. Your mail and
                  API keys are kept.
                </p>
              }
              action="Leave team"
              act={async () => {
                await app("DELETE", "/me/team");
                await mine.reload();
                showToast("You left the team.");
              }}
            >
              {" "}
              Leave team{" "}
            </ConfirmButton>
          </div>
        )}
        <FaultNotice error={fault} />
      </div>
    </Card>
  );
}
