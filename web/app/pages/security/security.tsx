import { Page } from "../../parts/layout.tsx";
import { isOwner } from "../../state/session.ts";
import { Authenticator } from "./authenticator.tsx";
import { MyTeam } from "./my-team.tsx";
import { NewRecoveryKey } from "./new-recovery-key.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Sessions } from "./sessions.tsx";
import { YourData } from "./your-data.tsx";

/** Sign-in methods, sessions, the recovery key, the team and the user's data. */
export function Security() {
  return (
    <Page title="Security" lead="Manage your sign-in methods, active sessions and data.">
      <Passkeys />
      <Authenticator />
      <Password />
      <Sessions />
      {isOwner() && <NewRecoveryKey />}
      <MyTeam />
      <YourData />
    </Page>
  );
}
