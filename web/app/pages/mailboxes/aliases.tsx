import { useState } from "preact/hooks";
import type { Mailbox } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import type { Change } from "./change.ts";

/** Further addresses: those that the mailbox may send from, or, where it has no server, those by which your own mail is known. */
export function Aliases({ box: { aliases, provider }, change }: { box: Mailbox; change: Change }) {
  const imported = provider === "imported";
  const [fault, setFault] = useState<unknown>(null);
  const form = useForm(
    { alias: "" },
    {
      check: ({ alias }) => (EMAIL.test(alias.trim()) ? {} : { alias: "That is not an e-mail address." }),
      async send({ alias }) {
        await change(
          { aliases: [...aliases, alias.trim()] },
          imported ? `${alias.trim()} is added.` : `${alias.trim()} can be sent from.`,
        );
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
      <h3>{imported ? "Your addresses" : "Further addresses"}</h3>
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
          hint={
            imported ? "Mail from this address counts as sent by you." : "The mail server must allow it as a sender."
          }
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
