import type { Assistant, SendingPolicy } from "../../api/assistants.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, TextField } from "../../parts/field.tsx";
import { FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { showToast } from "../../state/toasts.ts";

const CONFIRM: { value: SendingPolicy["confirm"]; title: string; text: string }[] = [
  {
    value: "approve",
    title: "Always on this page",
    text: "Every message waits under Approvals.",
  },
  {
    value: "ask",
    title: "In the assistant, or on this page",
    text: "The assistant's program asks you, if it can show questions. Otherwise, the message waits under Approvals.",
  },
  {
    value: "token",
    title: "Without asking",
    text: "No one confirms. A message that the assistant reads could trick it into sending something you do not want.",
  },
];

const RECIPIENTS: { value: SendingPolicy["recipients"]; title: string; text: string }[] = [
  {
    value: "known",
    title: "People you have written to",
    text: "Messages to anyone else always wait under Approvals.",
  },
  { value: "anyone", title: "Anyone", text: "Messages to new recipients follow the choice above." },
];

const MAX_SENDS_PER_DAY = 1_000;

/** Describes a policy in one line. */
export function policyText({ confirm, recipients, sends_per_day }: SendingPolicy): string {
  const who = {
    approve: "every message needs an approval",
    ask: "asks before each message",
    token: "sends without asking",
  };
  const whom = recipients === "known" ? "new recipients need approval" : "any recipient";
  return `Sending: ${who[confirm]}, ${whom}, at most ${sends_per_day} per day`;
}

interface PolicyFormProps {
  assistant: Assistant;
  onClose(): void;
  onSaved(): Promise<void>;
}

/** Changes how an assistant may send. */
export function PolicyForm({ assistant, onClose, onSaved }: PolicyFormProps) {
  const { id, name, policy } = assistant;
  const form = useForm(
    { ...policy, sends_per_day: String(policy.sends_per_day) },
    {
      check: ({ sends_per_day }) => {
        const count = Number(sends_per_day);
        const isValid = Number.isInteger(count) && count >= 1 && count <= MAX_SENDS_PER_DAY;
        return isValid ? {} : { sends_per_day: `Enter a number from 1 to ${MAX_SENDS_PER_DAY}.` };
      },
      async send(values) {
        const body = { ...values, sends_per_day: Number(values.sends_per_day) };
        await app("PATCH", `/assistants/${encodeURIComponent(id)}/policy`, { body });
        await onSaved();
        showToast(`Sending rules for “${name}” saved.`);
        onClose();
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Dialog title={`Sending rules for “${name}”`} onClose={onClose} wide>
      <form class="stack" noValidate onSubmit={form.submit}>
        <Choice
          legend="Who confirms a message"
          name="confirm"
          value={values.confirm}
          options={CONFIRM}
          onChange={(value) => set("confirm", value)}
        />
        <Choice
          legend="Recipients"
          name="recipients"
          value={values.recipients}
          options={RECIPIENTS}
          onChange={(value) => set("recipients", value)}
        />
        <TextField
          label="Messages per day"
          type="number"
          min={1}
          max={MAX_SENDS_PER_DAY}
          value={values.sends_per_day}
          fault={faults.sends_per_day}
          onInput={(value) => set("sends_per_day", value)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
