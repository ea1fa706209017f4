import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { go } from "../../state/route.ts";
import { refreshSession } from "../../state/session.ts";
import { NewPassword, passwordFault } from "./password-field.tsx";

/** Where an invitation link leads: choose a password, and be in. */
export function AcceptInvitation({ token }: { token: string }) {
  const form = useForm(
    { password: "", again: "" },
    {
      check: ({ password, again }) => {
        const wrong = passwordFault(password);
        if (wrong) return { password: wrong };
        return password === again ? {} : { again: "The two are not the same." };
      },
      async send({ password }) {
        // With a second factor on, this signs nobody in: the sign-in page comes.
        await app("POST", "/invitation", { body: { token, password } });
        go("#/");
        await refreshSession();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <form class="sign-in-card stack" noValidate onSubmit={form.submit}>
      <h1>You are invited</h1>
      <p class="lead">
        The owner of this Postroom has made an account for you. Choose a password; your mail and keys are for you alone.
      </p>
      <NewPassword value={values.password} fault={faults.password} onInput={(value) => set("password", value)} />
      <NewPassword
        label="Password, once more"
        value={values.again}
        fault={faults.again}
        onInput={(value) => set("again", value)}
      />
      <FaultNotice error={form.fault} />
      <div class="actions end">
        <Button type="submit" kind="primary" busy={form.busy}>
          Accept the invitation
        </Button>
      </div>
    </form>
  );
}
