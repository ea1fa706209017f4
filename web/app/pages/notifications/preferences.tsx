import type { Notifications } from "../../../../src/features/notifications/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Checkbox, TextArea, TextField } from "../../parts/field.tsx";
import { Card, FaultNotice } from "../../parts/layout.tsx";
import { useForm } from "../../state/form.ts";
import { showToast } from "../../state/toasts.ts";

interface Props {
  settings: Notifications["settings"];
  onSaved(all: Notifications): void;
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

/** Quiet hours of the person. */
export function QuietHours({ settings, onSaved }: Props) {
  const { quiet, quiet_start, quiet_end, timezone } = settings;
  const form = useForm(
    { quiet, quiet_start, quiet_end },
    {
      check: (values) => ({
        ...(TIME.test(values.quiet_start) ? {} : { quiet_start: "Enter a time, such as 22:00." }),
        ...(TIME.test(values.quiet_end) ? {} : { quiet_end: "Enter a time, such as 07:00." }),
      }),
      async send(body) {
        onSaved(await app<Notifications>("PATCH", "/notifications/settings", { body }));
        showToast("Quiet hours saved.");
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Card
      title="Quiet hours"
      text={
        <>
          Notifications wait and are sent as one message at the end, except kinds that a target receives also during
          quiet hours. Times are in your time zone, {timezone} (<a href="#/ai">change</a>).
        </>
      }
    >
      <form class="stack" noValidate onSubmit={form.submit}>
        <Checkbox label="Keep quiet every day" checked={values.quiet} onChange={(on) => set("quiet", on)} />
        <div class="columns">
          <TextField
            label="From"
            type="time"
            value={values.quiet_start}
            fault={faults.quiet_start}
            onInput={(time) => set("quiet_start", time)}
          />
          <TextField
            label="Until"
            type="time"
            value={values.quiet_end}
            fault={faults.quiet_end}
            onInput={(time) => set("quiet_end", time)}
          />
        </div>
        <FaultNotice error={form.fault} />
        <div class="actions">
          <Button type="submit" kind="primary" busy={form.busy}>
            Save quiet hours
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Senders that count as VIPs, beside the contacts. */
export function Senders({ settings, onSaved }: Props) {
  const form = useForm(
    { senders: settings.senders.join("\n") },
    {
      async send({ senders }) {
        const list = senders.split(/[\s,;]+/).filter(Boolean);
        onSaved(await app<Notifications>("PATCH", "/notifications/settings", { body: { senders: list } }));
        showToast("Senders saved.");
      },
    },
  );
  const { values, faults, set } = form;
  return (
    <Card title="VIP senders" text="Contacts that are marked as VIP always count. Add other senders here.">
      <form class="stack" noValidate onSubmit={form.submit}>
        <TextArea
          label="Senders"
          hint="One address per line. *@example.org stands for everyone at example.org."
          rows={4}
          value={values.senders}
          fault={faults.senders}
          onInput={(senders) => set("senders", senders)}
        />
        <FaultNotice error={form.fault} />
        <div class="actions">
          <Button type="submit" kind="primary" busy={form.busy}>
            Save senders
          </Button>
        </div>
      </form>
    </Card>
  );
}
