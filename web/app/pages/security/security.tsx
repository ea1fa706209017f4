import { Page } from "../../parts/layout.tsx";
import { isOwner } from "../../state/session.ts";
import { Authenticator } from "./authenticator.tsx";
import { MyTeam } from "./my-team.tsx";
import { NewRecoveryKey } from "./new-recovery-key.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Sessions } from "./sessions.tsx";
import { YourData } from "./your-data.tsx";

/** How you sign in, where you are signed in, and what is yours. */
export function Security() {
  return (
    <Page title="Security" lead="How you sign in, and where you are signed in.">
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
