import { useEffect, useState } from "preact/hooks";
import { app, messageOf } from "../api/client.ts";
import type { BackupSchedule, BackupStatus } from "../api/machine.ts";
import { Button } from "../parts/button.tsx";
import { Choice, Select, TextField } from "../parts/field.tsx";
import { Card, FaultNotice } from "../parts/layout.tsx";
import { counted } from "../parts/numbers.ts";
import { type Form, useForm } from "../state/form.ts";
import type { Loaded } from "../state/load.ts";
import { session } from "../state/session.ts";
import { showToast } from "../state/toasts.ts";
import { Configured } from "./backup-configured.tsx";

type Status = Pick<BackupStatus, "settings" | "configured">;
type Every = BackupSchedule["every"];

interface Values {
  every: Every;
  hours: string;
  time: string;
  weekday: string;
  cron: string;
  place: "default" | "other";
  folder: string;
  keep: string;
  incrementals: string;
}

const KINDS: readonly { value: Every; label: string }[] = [
  { value: "off", label: "Only when I ask" },
  { value: "day", label: "Every day" },
  { value: "week", label: "Every week" },
  { value: "hours", label: "Every few hours" },
  { value: "custom", label: "Custom (cron expression)" },
];
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const HOURS = [1, 2, 3, 4, 6, 8, 12];
const PREVIEW_DELAY_MS = 300;

/** Schedule, folder and retention of backups. What the configuration sets is shown, but cannot be changed here. */
export function BackupSettings({ status, loaded }: { status: Status; loaded: Loaded<BackupStatus> }) {
  const { settings, configured } = status;
  const form = useForm(valuesOf(status), {
    check: ({ every, time, cron, place, folder, keep, incrementals }) => ({
      ...(!configured.schedule && (every === "day" || every === "week") && !/^([01]\d|2[0-3]):[0-5]\d$/.test(time)
        ? { time: "Enter a time, such as 02:30." }
        : {}),
      ...(!configured.schedule && every === "custom" && cron.trim() === ""
        ? { cron: "Enter a cron expression, such as 30 2 * * *." }
        : {}),
      ...(!configured.folder && place === "other" && folder.trim() === ""
        ? { folder: "Enter the path of a folder, such as /mnt/usb/backups." }
        : {}),
      ...(isWhole(keep, 1, 1000) ? {} : { keep: "Enter a number from 1 to 1000." }),
      ...(isWhole(incrementals, 0, 100) ? {} : { incrementals: "Enter a number from 0 to 100." }),
    }),
    async send(values) {
      const { place, folder, keep, incrementals } = values;
      const body = {
        ...(configured.schedule ? {} : { schedule: scheduleOf(values) }),
        ...(configured.folder ? {} : { folder: place === "default" ? null : folder.trim() }),
        ...(configured.keep ? {} : { keep: Number(keep) }),
        ...(configured.incrementals ? {} : { incrementals: Number(incrementals) }),
      };
      const saved = await app<BackupStatus>("PATCH", "/backup/settings", { body });
      loaded.set(saved);
      form.fill(valuesOf(saved));
      showToast("Backup settings saved.");
    },
  });
  const { values, faults, set } = form;
  const all = Object.values(configured).every(Boolean);
  return (
    <Card title="Settings">
      <form class="stack" noValidate onSubmit={form.submit}>
        {configured.schedule ? (
          <Configured name="Schedule" value={settings.schedule.cron || "Only on request"} keyName="backup.schedule" />
        ) : (
          <Schedule form={form} />
        )}
        {configured.folder ? (
          <Configured name="Folder" value={settings.folder} keyName="backup.folder" />
        ) : (
          <>
            <Choice
              legend="Folder"
              name="backup-folder"
              value={values.place}
              options={[
                {
                  value: "default",
                  title: "In the data folder",
                  text: "Backups are lost together with the data if the disk fails. Copy them to another machine.",
                },
                {
                  value: "other",
                  title: "Another folder of this machine",
                  text: "Best on another drive or a network share.",
                },
              ]}
              onChange={(place) => set("place", place)}
            />
            {values.place === "other" && (
              <TextField
                label="Path of the folder"
                hint="Postroom writes a test file to it when you save. In a container, this is the path inside the container."
                mono
                value={values.folder}
                fault={faults.folder}
                onInput={(folder) => set("folder", folder)}
              />
            )}
          </>
        )}
        <div class="columns">
          {configured.keep ? (
            <Configured name="Backups to keep" value={`Newest ${settings.keep}`} keyName="backup.keep" />
          ) : (
            <TextField
              label="Backups to keep"
              type="number"
              min={1}
              max={1000}
              value={values.keep}
              fault={faults.keep}
              onInput={(keep) => set("keep", keep)}
            />
          )}
          {configured.incrementals ? (
            <Configured
              name="Incremental backups"
              value={`${settings.incrementals} after each full one`}
              keyName="backup.incrementals"
            />
          ) : (
            <TextField
              label="Incremental backups after each full one"
              type="number"
              min={0}
              max={100}
              value={values.incrementals}
              fault={faults.incrementals}
              onInput={(incrementals) => set("incrementals", incrementals)}
            />
          )}
        </div>
        <p class="hint">{chainText(values)}</p>
        <FaultNotice error={form.fault} />
        {!all && (
          <div class="actions">
            <Button type="submit" kind="primary" busy={form.busy}>
              Save settings
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}

function Schedule({ form: { values, faults, set } }: { form: Form<Values> }) {
  const { every } = values;
  return (
    <>
      <div class="columns">
        <Select label="Schedule" value={every} options={KINDS} onChange={(value) => set("every", value as Every)} />
        {every === "week" && (
          <Select
            label="Day"
            value={values.weekday}
            options={WEEKDAYS.map((label, day) => ({ value: String(day), label }))}
            onChange={(weekday) => set("weekday", weekday)}
          />
        )}
        {(every === "day" || every === "week") && (
          <TextField
            label="Time"
            type="time"
            value={values.time}
            fault={faults.time}
            onInput={(time) => set("time", time)}
          />
        )}
        {every === "hours" && (
          <Select
            label="Interval"
            value={values.hours}
            options={HOURS.map((hours) => ({ value: String(hours), label: counted(hours, "hour") }))}
            onChange={(hours) => set("hours", hours)}
          />
        )}
        {every === "custom" && (
          <TextField
            label="Cron expression"
            hint="Minute, hour, day, month, weekday."
            mono
            value={values.cron}
            fault={faults.cron}
            onInput={(cron) => set("cron", cron)}
          />
        )}
      </div>
      {every !== "off" && <Preview values={values} />}
    </>
  );
}

/** The next three backups of the schedule that is being edited. */
function Preview({ values }: { values: Values }) {
  const timezone = session.value?.user?.timezone;
  const [shown, setShown] = useState<{ next: string[]; fault: string | null }>({ next: [], fault: null });
  const asked = JSON.stringify(scheduleOf(values));
  useEffect(() => {
    let current = true;
    const timer = setTimeout(async () => {
      try {
        const { next } = await app<{ next: string[] }>("POST", "/backup/preview", { body: JSON.parse(asked) });
        if (current) setShown({ next, fault: null });
      } catch (error) {
        if (current) setShown({ next: [], fault: messageOf(error) });
      }
    }, PREVIEW_DELAY_MS);
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [asked]);
  return (
    <p class="hint" role="status">
      {shown.fault ?? (shown.next.length > 0 && `Next backups: ${shown.next.map((at) => inWords(at)).join("; ")}.`)}
      {shown.next.length > 0 && values.every !== "hours" && (
        <>
          {" "}
          The schedule is in your time zone, {timezone} (<a href="#/ai">change</a>).
        </>
      )}
    </p>
  );
}

const DAY_AND_TIME = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  hour: "2-digit",
  minute: "2-digit",
});

/** "Saturday 28 November at 02:30". */
function inWords(at: string): string {
  return DAY_AND_TIME.format(new Date(at));
}

function valuesOf({ settings: { schedule, folder, default_folder, keep, incrementals } }: Status): Values {
  return {
    every: schedule.every,
    hours: String(schedule.hours),
    time: schedule.time,
    weekday: String(schedule.weekday),
    cron: schedule.cron,
    place: default_folder ? "default" : "other",
    folder: default_folder ? "" : folder,
    keep: String(keep),
    incrementals: String(incrementals),
  };
}

function scheduleOf({ every, hours, time, weekday, cron }: Values): BackupSchedule {
  switch (every) {
    case "hours":
      return { every, hours: Number(hours) as NonNullable<BackupSchedule["hours"]> };
    case "day":
      return { every, time };
    case "week":
      return { every, time, weekday: Number(weekday) };
    case "custom":
      return { every, cron: cron.trim() };
    case "off":
      return { every };
  }
}

function isWhole(text: string, min: number, max: number): boolean {
  return /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max;
}

function chainText({ keep, incrementals }: Values): string {
  const count = Number(incrementals);
  const chain =
    count === 0
      ? "Every backup is a full one."
      : `Each full backup is followed by ${counted(count, "incremental one")}, which contain only changes.`;
  return `${chain} The newest ${counted(Number(keep), "backup")} and those that they are based on are kept. Older ones are deleted.`;
}
