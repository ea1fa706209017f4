import { useState } from "preact/hooks";
import { app } from "../../api/client.ts";
import type { Mailbox } from "../../api/connect.ts";
import type { KeyChoices, KeyCreated, KeyPreset, NewKey } from "../../api/members.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Checkbox, Choice, Select, TextField } from "../../parts/field.tsx";
import { Await, Badge, FaultNotice } from "../../parts/layout.tsx";
import { type Faults, type Form, useForm } from "../../state/form.ts";
import { useLoad } from "../../state/load.ts";
import { sandbox } from "../../state/sandbox.ts";
import { isAlone } from "../../state/session.ts";
import { ScopePicker } from "./scope-picker.tsx";

const EXPIRATIONS = [
  { value: "", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In 1 year" },
];

/** What a key is for: one of the presets, or permissions that the person chooses. */
export type KeyPurpose = KeyPreset["name"] | "custom";

interface KeyValues {
  name: string;
  purpose: KeyPurpose;
  scopes: string[];
  test: boolean;
  days: string;
  account_id: string;
  addresses: string;
  tools_only: boolean;
}

interface NewKeyFormProps {
  onClose(): void;
  onMade(key: KeyCreated, purpose: KeyPurpose): Promise<void>;
  /** For an organization key, which covers the mail of all members and cannot be bound to a mailbox. */
  teamId?: string;
  /** Selects the preset for assistants in the beginning. */
  forAssistant?: boolean;
}

export function NewKeyForm(props: NewKeyFormProps) {
  const { teamId, onClose } = props;
  const choices = useLoad("key-choices", () => app<KeyChoices>("GET", "/scopes"));
  return (
    <Dialog title={teamId ? "Create organization key" : "Create API key"} onClose={onClose} wide>
      <Await of={choices} lines={8}>
        {(known) => <Fields {...props} choices={known} />}
      </Await>
    </Dialog>
  );
}

function Fields({ choices, onClose, onMade, teamId, forAssistant = false }: NewKeyFormProps & { choices: KeyChoices }) {
  const form = useForm<KeyValues>(
    {
      name: "",
      purpose: firstPurpose(choices.presets, forAssistant),
      scopes: [],
      test: sandbox.value,
      days: "",
      account_id: "",
      addresses: "",
      tools_only: forAssistant,
    },
    {
      check: ({ name, purpose, scopes }) => {
        const faults: Faults = {};
        if (!name.trim()) faults.name = "Enter a name, such as the program that will use the key.";
        if (purpose === "custom" && scopes.length === 0) faults.scopes = "Select at least one permission.";
        return faults;
      },
      async send(values) {
        const path = teamId ? `/teams/${encodeURIComponent(teamId)}/keys` : "/keys";
        const key = await app<KeyCreated>("POST", path, { body: requestOf(values, choices.presets) });
        await onMade(key, values.purpose);
      },
    },
  );
  const { values, faults, set } = form;
  const [chosen, setChosen] = useState(false);
  return (
    <form class="stack key-form" noValidate onSubmit={form.submit}>
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
      <Choice
        legend="What is the key for?"
        name="purpose"
        value={values.purpose}
        options={purposes(choices.presets)}
        onChange={(value) => {
          set("purpose", value);
          setChosen(true);
        }}
      />
      {values.purpose === "custom" && (
        <div class="stack" ref={chosen ? intoView : undefined}>
          <ScopePicker
            groups={choices.data}
            chosen={values.scopes}
            fault={faults.scopes}
            toolsOnly={values.tools_only}
            onChange={(value) => set("scopes", value)}
          />
          <Checkbox
            label="Tool server only"
            hint="The key works only with the tool server for assistants, where you confirm what is sent. The API refuses it. Use it for every assistant."
            checked={values.tools_only}
            onChange={(value) => set("tools_only", value)}
          />
        </div>
      )}
      <Limits form={form} ofTeam={teamId !== undefined} />
      <FaultNotice error={form.fault} />
      <div class="actions end">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" busy={form.busy}>
          Create key
        </Button>
      </div>
    </form>
  );
}

/** Limits that most keys do not need. They are open if one of them is set. */
function Limits({ form: { values, faults, set }, ofTeam }: { form: Form<KeyValues>; ofTeam: boolean }) {
  const mailboxes = useLoad("key-mailboxes", async () => (await app<{ data: Mailbox[] }>("GET", "/mailboxes")).data);
  const boxes = mailboxes.data ?? [];
  const fault = faults.ip_allow ?? faults.addresses;
  const [open] = useState(values.test);
  return (
    <details open={open || fault !== undefined}>
      <summary>Limits: sandbox, expiration{ofTeam ? "" : ", mailbox"}, addresses</summary>
      <div class="stack">
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
          {!ofTeam && boxes.length > 1 && !values.test && (
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
          fault={fault}
          onInput={(value) => set("addresses", value)}
        />
      </div>
    </details>
  );
}

/** Shows the permissions, which appear below the end of a small window. */
function intoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "start" });
}

/** Returns the options of the form: the presets that the plan allows, and the choice of permissions. */
function purposes(presets: readonly KeyPreset[]) {
  return [
    ...presets.map(({ name, title, can, cannot, danger, available }) => ({
      value: name as KeyPurpose,
      title: (
        <>
          {title} {danger && <Badge tone="warn">Acts on your behalf</Badge>}
          {!available && <Badge>{isAlone() ? "Not within the standard limits" : "Not in your plan"}</Badge>}
        </>
      ),
      text: `${can} ${cannot}`,
      disabled: !available,
    })),
    { value: "custom" as const, title: "Choose permissions", text: "Select each permission." },
  ];
}

function firstPurpose(presets: readonly KeyPreset[], forAssistant: boolean): KeyPurpose {
  const wanted = forAssistant ? "assistant" : "read_only";
  return presets.find(({ name, available }) => available && name === wanted)?.name ?? "custom";
}

function requestOf(values: KeyValues, presets: readonly KeyPreset[]): NewKey {
  const { name, purpose, test, days, account_id, addresses } = values;
  const ip_allow = addresses.split(/[\s,]+/).filter(Boolean);
  const preset = presets.find((one) => one.name === purpose);
  return {
    name: name.trim(),
    scopes: (preset?.scopes ?? values.scopes) as NewKey["scopes"],
    test,
    tools_only: preset?.tools_only ?? values.tools_only,
    ...(days ? { expires_in_days: Number(days) } : {}),
    ...(account_id && !test ? { account_id } : {}),
    ...(ip_allow.length > 0 ? { ip_allow } : {}),
  };
}
