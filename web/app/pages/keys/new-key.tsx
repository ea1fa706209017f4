import { app } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import type { KeyCreated, NewKey, ScopeGroup } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, Select, TextField } from "../../parts/field.tsx";
import { Await, FaultNotice } from "../../parts/layout.tsx";
import { type Faults, useForm } from "../../state/form.ts";
import { type Loaded, useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { ScopePicker } from "./scope-picker.tsx";

const EXPIRATIONS = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
];

interface KeyValues {
  name: string;
  scopes: string[];
  test: boolean;
  days: string;
  account_id: string;
  addresses: string;
  tools_only: boolean;
}

interface NewKeyFormProps {
  groups: Loaded<ScopeGroup[]>;
  onClose(): void;
  onMade(key: KeyCreated): Promise<void>;
  /** For an organization key, which covers the mail of all members and cannot be bound to a mailbox. */
  teamId?: string;
  /** Selects "Tool server only" in the beginning. */
  forAssistant?: boolean;
}

export function NewKeyForm({ groups, onClose, onMade, teamId, forAssistant = false }: NewKeyFormProps) {
  const mailboxes = useLoad("key-mailboxes", async () => (await app<{ data: Mailbox[] }>("GET", "/mailboxes")).data);
  const form = useForm<KeyValues>(
    { name: "", scopes: [], test: sandbox.value, days: "", account_id: "", addresses: "", tools_only: forAssistant },
    {
      check: ({ name, scopes }) => {
        const faults: Faults = {};
        if (!name.trim()) faults.name = "Enter a name, such as the program that will use the key.";
        if (scopes.length === 0) faults.scopes = "Select at least one permission.";
        return faults;
      },
      async send(values) {
        const path = teamId ? `/teams/${encodeURIComponent(teamId)}/keys` : "/keys";
        await onMade(await app<KeyCreated>("POST", path, { body: requestOf(values) }));
      },
    },
  );
  const { values, faults, set } = form;
  const boxes = mailboxes.data ?? [];
  return (
    <Dialog title={teamId ? "Create organization key" : "Create API key"} onClose={onClose} wide>
      <form class="stack" noValidate onSubmit={form.submit}>
        <TextField
          label="Name"
          placeholder={forAssistant ? "Claude on my laptop" : "Shortcuts on my phone"}
          autocomplete="off"
          autofocus
          required
          value={values.name}
          fault={faults.name}
          onInput={(value) => set("name", value)}
        />
        <Await of={groups} lines={5}>
          {(known) => (
            <ScopePicker
              groups={known}
              chosen={values.scopes}
              fault={faults.scopes}
              toolsOnly={values.tools_only}
              onChange={(value) => set("scopes", value)}
            />
          )}
        </Await>
        <Checkbox
          label="Tool server only"
          hint="The key works only with the tool server for assistants, where you confirm what is sent. The API refuses it. Use it for every assistant."
          checked={values.tools_only}
          onChange={(value) => set("tools_only", value)}
        />
        <Checkbox
          label="Sandbox only"
          hint="The key accesses sample mail, and nothing it sends leaves this machine. Use it to test a program."
          checked={values.test}
          onChange={(value) => set("test", value)}
        />
        <div class="columns">
          <Select
            label="Expiration"
            value={values.days}
            options={EXPIRATIONS}
            onChange={(value) => set("days", value)}
          />
          {!teamId && boxes.length > 1 && !values.test && (
            <Select
              label="Mailbox"
              value={values.account_id}
              options={[
                { value: "", label: "All mailboxes" },
                ...boxes.map(({ id, email }) => ({ value: id, label: email })),
              ]}
              onChange={(value) => set("account_id", value)}
            />
          )}
        </div>
        <TextField
          label="Allowed IP addresses (optional)"
          hint="Addresses or networks, separated by commas: 192.168.1.0/24, 203.0.113.7"
          mono
          autocomplete="off"
          value={values.addresses}
          fault={faults.ip_allow ?? faults.addresses}
          onInput={(value) => set("addresses", value)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            Create key
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function requestOf({ name, scopes, test, days, account_id, addresses, tools_only }: KeyValues): NewKey {
  const ip_allow = addresses.split(/[\s,]+/).filter(Boolean);
  return {
    name: name.trim(),
    scopes: scopes as NewKey["scopes"],
    test,
    tools_only,
    ...(days ? { expires_in_days: Number(days) } : {}),
    ...(account_id && !test ? { account_id } : {}),
    ...(ip_allow.length > 0 ? { ip_allow } : {}),
  };
}
