import { useState } from "preact/hooks";
import type { Mailbox } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import type { Change } from "./mailbox.tsx";

/** Further addresses that the mailbox may send from. */
export function Aliases({ box: { aliases }, change }: { box: Mailbox; change: Change }) {
  const [fault, setFault] = useState<unknown>(null);
  const form = useForm(
    { alias: "" },
    {
      check: ({ alias }) => (EMAIL.test(alias.trim()) ? {} : { alias: "That is not an e-mail address." }),
      async send({ alias }) {
        await change({ aliases: [...aliases, alias.trim()] }, `${alias.trim()} can be sent from.`);
        form.fill({ alias: "" });
      },
    },
  );
  const remove = (alias: string) => {
    const rest = aliases.filter((one) => one !== alias);
    void change({ aliases: rest }, `${alias} is taken off.`).then(() => setFault(null), setFault);
  };
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <h3>Further addresses</h3>
      {aliases.length > 0 && (
        <ul class="rows">
          {aliases.map((alias) => (
            <li key={alias} class="row">
              <span class="row-main">{alias}</span>
              <Button small kind="quiet" icon="cross" label={`Take off ${alias}`} onClick={() => remove(alias)}>
                Take off
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="with-button">
        <TextField
          label="Add an address"
          type="email"
          hint="The mail server must allow it as a sender."
          value={form.values.alias}
          fault={form.faults.alias}
          onInput={(value) => form.set("alias", value)}
        />
        <Button type="submit" busy={form.busy}>
          Add
        </Button>
      </div>
      <FaultNotice error={fault ?? form.fault} />
    </form>
  );
}
