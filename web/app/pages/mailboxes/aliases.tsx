import { useState } from "preact/hooks";
import type { Mailbox } from "../../api/connect.ts";
import { Button } from "../../parts/button.tsx";
import { TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { EMAIL, useForm } from "../../state/form.ts";
import type { Change } from "./change.ts";

/** Further addresses to send from. In an imported mailbox, the addresses that identify your own mail. */
export function Aliases({ box: { aliases, provider }, change }: { box: Mailbox; change: Change }) {
  const imported = provider === "imported";
  const [fault, setFault] = useState<unknown>(null);
  const form = useForm(
    { alias: "" },
    {
      check: ({ alias }) => (EMAIL.test(alias.trim()) ? {} : { alias: "Enter a valid email address." }),
      async send({ alias }) {
        await change(
          { aliases: [...aliases, alias.trim()] },
          imported ? `${alias.trim()} added.` : `You can now send from ${alias.trim()}.`,
        );
        form.fill({ alias: "" });
      },
    },
  );
  const remove = (alias: string) => {
    const rest = aliases.filter((one) => one !== alias);
    void change({ aliases: rest }, `${alias} removed.`).then(() => setFault(null), setFault);
  };
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <h3>{imported ? "Your addresses" : "Aliases"}</h3>
      {aliases.length > 0 && (
        <ul class="rows">
          {aliases.map((alias) => (
            <li key={alias} class="row">
              <span class="row-main">{alias}</span>
              <Button small kind="quiet" icon="cross" label={`Remove ${alias}`} onClick={() => remove(alias)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <div class="with-button">
        <TextField
          label="New address"
          type="email"
          hint={
            imported
              ? "Mail from this address counts as sent by you."
              : "The mail server must allow sending from this address."
          }
          value={form.values.alias}
          fault={form.faults.alias}
          onInput={(value) => form.set("alias", value)}
        />
        <Button type="submit" busy={form.busy}>
          {" "}
          Add address{" "}
        </Button>
      </div>
      <FaultNotice error={fault ?? form.fault} />
    </form>
  );
}
