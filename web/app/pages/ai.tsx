import type { Static } from "@sinclair/typebox";
import { useState } from "preact/hooks";
import type { BriefSettings as BriefModel } from "../../../src/features/brief/model.ts";
import { app, v1 } from "../api/client.ts";
import { Button } from "../parts/button.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Await, Card, FaultNotice, Page } from "../parts/layout.tsx";
import { useForm } from "../state/form.ts";
import { type Loaded, useLoad } from "../state/load.ts";
import { isOwner, refreshSession } from "../state/session.ts";
import { showToast } from "../state/toasts.ts";
import { EgressLedger } from "./ai-ledger.tsx";
import { LanguageModel } from "./ai-model.tsx";

type BriefSettings = Static<typeof BriefModel>;

export function Ai() {
  const settings = useLoad("brief", () => v1<BriefSettings>("GET", "/brief/settings"));
  return (
    <Page
      title="Brief and AI"
      lead="Everything here works on this machine without a language model. Adding a model is optional."
    >
      <Card
        title="Daily brief"
        text="A summary of who is waiting for you, what was promised and what is planned for today."
      >
        <Await of={settings}>{(now) => <BriefForm now={now} loaded={settings} />}</Await>
      </Card>
      {isOwner() && <LanguageModel />}
      {isOwner() && <EgressLedger />}
    </Page>
  );
}

const ZONES: readonly string[] = Intl.supportedValuesOf("timeZone");

function BriefForm({ now, loaded }: { now: BriefSettings; loaded: Loaded<BriefSettings> }) {
  const [generating, setGenerating] = useState(false);
  const [fault, setFault] = useState<unknown>(null);
  const form = useForm(now, {
    check: ({ time, timezone }) => ({
      ...(/^([01]\d|2[0-3]):[0-5]\d$/.test(time) ? {} : { time: "Enter a time, such as 07:00." }),
      ...(timezone.trim() ? {} : { timezone: "Select a time zone." }),
    }),
    async send({ daily, time, timezone, mail }) {
      if (timezone !== now.timezone) {
        await app("PATCH", "/me", { body: { timezone } });
        await refreshSession();
      }
      loaded.set(await v1<BriefSettings>("PATCH", "/brief/settings", { body: { daily, time, mail } }));
      showToast("Settings saved.");
    },
  });
  const { values, faults, set } = form;
  async function generate() {
    setGenerating(true);
    try {
      await v1("POST", "/brief/generate", { body: {} });
      setFault(null);
      showToast("Today's brief is ready.");
    } catch (error) {
      setFault(error);
    } finally {
      setGenerating(false);
    }
  }
  return (
    <form class="stack" noValidate onSubmit={form.submit}>
      <Checkbox label="Create a brief every day" checked={values.daily} onChange={(daily) => set("daily", daily)} />
      <div class="columns">
        <TextField
          label="Time"
          type="time"
          value={values.time}
          fault={faults.time}
          onInput={(time) => set("time", time)}
        />
        <TextField
          label="Time zone"
          value={values.timezone}
          choices={ZONES}
          autocomplete="off"
          fault={faults.timezone}
          onInput={(timezone) => set("timezone", timezone)}
        />
      </div>
      <Checkbox
        label="Send the brief by email"
        hint="Sent through your own mailbox to your own address. If this is off, read the brief under Today."
        checked={values.mail}
        onChange={(mail) => set("mail", mail)}
      />
      <FaultNotice error={form.fault ?? fault} />
      <div class="actions">
        <Button type="submit" kind="primary" busy={form.busy}>
          {" "}
          Save{" "}
        </Button>
        <Button busy={generating} onClick={generate}>
          Create brief now
        </Button>
      </div>
    </form>
  );
}
