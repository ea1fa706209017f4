import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Heading } from "../../parts/heading.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { navigate } from "../../state/route.ts";
import { refreshSession } from "../../state/session.ts";
import { NewPassword, passwordFault } from "./password-field.tsx";

/** The page of an invitation link, where a new member chooses a password. */
export function AcceptInvitation({ token }: { token: string }) {
  const form = useForm(
    { password: "", again: "" },
    {
      check: ({ password, again }) => {
        const wrong = passwordFault(password);
        if (wrong) return { password: wrong };
        return password === again ? {} : { again: "The passwords do not match." };
      },
      async send({ password }) {
        // With a second factor, accepting does not sign in: the sign-in page follows.
        const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
        await app("POST", "/invitation", { body: { token, password, ...(timeZone ? { timezone: timeZone } : {}) } });
        navigate("#/");
        await refreshSession();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <form class="sign-in-card stack" noValidate onSubmit={form.submit}>
      <Heading>Accept your invitation</Heading>
      <p class="lead">
        The owner of this Postroom installation created an account for you. Choose a password to start. The pages of
        other people do not show your mail, but anyone who runs this machine can read it.
      </p>
      <NewPassword value={values.password} fault={faults.password} onInput={(value) => set("password", value)} />
      <NewPassword
        label="Confirm password"
        confirmation
        value={values.again}
        fault={faults.again}
        onInput={(value) => set("again", value)}
      />
      <FaultNotice error={form.fault} />
      <div class="actions end">
        <Button type="submit" kind="primary" busy={form.busy}>
          Accept invitation
        </Button>
      </div>
    </form>
  );
}
