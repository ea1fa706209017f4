import type { NotificationTarget } from "../../../../src/features/notifications/model.ts";
import { app } from "../../api/client.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice, Select, TextArea, TextField } from "../../parts/field.tsx";
import { FaultNotice, Notice } from "../../parts/layout.tsx";
import { type Faults, type Form, useForm } from "../../state/form.ts";
import { isPlainHere } from "../webhooks/plain-http.tsx";
import { DETAILS, isUrgent, KINDS, MODES, URGENT_MODES } from "./labels.ts";

interface Values {
  name: string;
  service: NotificationTarget["service"];
  url: string;
  topic: string;
  /** How the Apprise API finds what to notify. */
  by: "key" | "urls";
  urls: string;
  tag: string;
  auth: NotificationTarget["auth"];
  token: string;
  username: string;
  password: string;
  kinds: NotificationTarget["kinds"];
  detail: NotificationTarget["detail"];
  digest: NotificationTarget["digest"];
  digest_hours: number;
  digest_at: string;
}

const PUBLIC_NTFY = "https://ntfy.sh";
const HOURS = [1, 2, 3, 4, 6, 8, 12];

interface Props {
  /** Absent: a new target. */
  target?: NotificationTarget;
  onClose(): void;
  onSaved(target: NotificationTarget): void;
}

/** The form of a new or an existing target. */
export function TargetForm({ target, onClose, onSaved }: Props) {
  const form = useForm<Values>(initialValues(target), {
    check: (values) => faultsOf(values, target),
    async send(values) {
      const body = bodyOf(values, target);
      const path = target ? `/notifications/targets/${encodeURIComponent(target.id)}` : "/notifications/targets";
      const { data } = await app<{ data: NotificationTarget }>(target ? "PATCH" : "POST", path, { body });
      onSaved(data);
    },
  });
  const { values, faults, set } = form;
  return (
    <Dialog title={target ? `Edit “${target.name}”` : "Add target"} onClose={onClose} wide>
      <form class="stack" noValidate onSubmit={form.submit}>
        {!target && (
          <Choice
            legend="Service"
            name="service"
            value={values.service}
            options={[
              {
                value: "ntfy",
                title: "ntfy",
                text: "The free ntfy app on your phone, through ntfy.sh or your own server.",
              },
              {
                value: "apprise",
                title: "Apprise API",
                text: "Your own Apprise server, which passes messages on to Gotify, Telegram, Matrix and others.",
              },
            ]}
            onChange={(service) => {
              set("service", service);
              set("topic", service === "ntfy" ? newTopic() : "");
              if (service === "apprise" && values.url === PUBLIC_NTFY) set("url", "");
              if (service === "ntfy" && values.url === "") set("url", PUBLIC_NTFY);
            }}
          />
        )}
        <div class="columns">
          <TextField
            label="Name"
            autocomplete="off"
            placeholder="My phone"
            value={values.name}
            fault={faults.name}
            onInput={(name) => set("name", name)}
          />
          <TextField
            label="Server"
            type="url"
            mono
            autocomplete="off"
            value={values.url}
            fault={faults.url}
            onInput={(url) => set("url", url)}
          />
        </div>
        <PlainHttp url={values.url} />
        {values.service === "ntfy" ? (
          <Topic form={form} adding={!target} />
        ) : (
          <AppriseFields form={form} target={target} />
        )}
        <Credentials form={form} target={target} />
        <Wishes form={form} />
        <FaultNotice error={form.fault} />
        <div class="actions end">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" kind="primary" busy={form.busy}>
            {target ? "Save" : "Add target"}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Topic({ form: { values, faults, set }, adding }: { form: Form<Values>; adding: boolean }) {
  const isPublic = values.url === PUBLIC_NTFY;
  return (
    <>
      <TextField
        label="Topic"
        mono
        autocomplete="off"
        hint="The name under which the app receives your notifications. On a server without accounts, anyone with the topic can read them: keep it long and random."
        value={values.topic}
        fault={faults.topic}
        onInput={(topic) => set("topic", topic)}
      />
      {adding && (
        <ol class="numbered" aria-label="On your phone">
          <li>Install the free app “ntfy” from the app store of your phone.{isPublic && " It needs no account."}</li>
          <li>
            In the app, tap + and enter the topic <code>{values.topic}</code>
            {!isPublic && " and the address of your server"}.
          </li>
          <li>Add the target here, then choose Test. The app shows the message.</li>
        </ol>
      )}
    </>
  );
}

function AppriseFields({ form: { values, faults, set }, target }: { form: Form<Values>; target?: NotificationTarget }) {
  return (
    <>
      <Choice
        legend="Notify"
        name="by"
        value={values.by}
        inline
        options={[
          { value: "key", title: "A configuration on the server" },
          { value: "urls", title: "Notification URLs" },
        ]}
        onChange={(by) => set("by", by)}
      />
      {values.by === "key" ? (
        <TextField
          label="Configuration key"
          mono
          autocomplete="off"
          value={values.topic}
          fault={faults.topic}
          onInput={(topic) => set("topic", topic)}
        />
      ) : (
        <TextArea
          label="Notification URLs"
          hint={
            target?.has_urls
              ? "Leave this empty to keep the stored URLs."
              : "One URL of Apprise per line, such as gotify://host/token. They are stored encrypted."
          }
          rows={3}
          value={values.urls}
          fault={faults.urls}
          onInput={(urls) => set("urls", urls)}
        />
      )}
      <TextField
        label="Tag (optional)"
        autocomplete="off"
        hint="Only services with this tag are notified."
        value={values.tag}
        fault={faults.tag}
        onInput={(tag) => set("tag", tag)}
      />
    </>
  );
}

function Credentials({ form: { values, faults, set }, target }: { form: Form<Values>; target?: NotificationTarget }) {
  const keeps = target && target.auth === values.auth ? "Leave this empty to keep the stored value." : undefined;
  return (
    <>
      <Choice
        legend="Sign-in to the server"
        name="auth"
        value={values.auth}
        inline
        options={[
          { value: "none", title: "None" },
          { value: "token", title: "Access token" },
          { value: "password", title: "Password" },
        ]}
        onChange={(auth) => set("auth", auth)}
      />
      {values.auth === "token" && (
        <TextField
          label="Access token"
          type="password"
          autocomplete="off"
          hint={keeps}
          value={values.token}
          fault={faults.token}
          onInput={(token) => set("token", token)}
        />
      )}
      {values.auth === "password" && (
        <div class="columns">
          <TextField
            label="Username"
            autocomplete="off"
            value={values.username}
            fault={faults.username}
            onInput={(username) => set("username", username)}
          />
          <TextField
            label="Password"
            type="password"
            autocomplete="off"
            hint={keeps}
            value={values.password}
            fault={faults.password}
            onInput={(password) => set("password", password)}
          />
        </div>
      )}
    </>
  );
}

function Wishes({ form: { values, faults, set } }: { form: Form<Values> }) {
  return (
    <>
      <fieldset class="choice">
        <legend>Notify me of</legend>
        <div class="columns">
          {KINDS.map(({ kind, label, hint }) => (
            <Select
              key={kind}
              label={label}
              hint={hint}
              value={values.kinds[kind]}
              options={isUrgent(kind) ? URGENT_MODES : MODES}
              onChange={(mode) => set("kinds", { ...values.kinds, [kind]: mode })}
            />
          ))}
        </div>
      </fieldset>
      <Choice
        legend="What leaves this machine"
        name="detail"
        value={values.detail}
        options={DETAILS}
        onChange={(detail) => set("detail", detail)}
      />
      <div class="columns">
        <Select
          label="Digest"
          hint="Joins notifications into one message."
          value={values.digest}
          options={[
            { value: "off", label: "Off: notify at once" },
            { value: "hours", label: "Every few hours" },
            { value: "daily", label: "Once a day" },
          ]}
          onChange={(digest) => set("digest", digest as Values["digest"])}
        />
        {values.digest === "hours" && (
          <Select
            label="Interval"
            hint="Counted from midnight."
            value={String(values.digest_hours)}
            options={HOURS.map((hours) => ({
              value: String(hours),
              label: hours === 1 ? "Every hour" : `Every ${hours} hours`,
            }))}
            onChange={(hours) => set("digest_hours", Number(hours))}
          />
        )}
        {values.digest === "daily" && (
          <TextField
            label="Time"
            hint="In your time zone."
            type="time"
            value={values.digest_at}
            fault={faults.digest_at}
            onInput={(time) => set("digest_at", time)}
          />
        )}
      </div>
    </>
  );
}

function PlainHttp({ url }: { url: string }) {
  const address = url.trim();
  if (!/^http:\/\//i.test(address) || isPlainHere(address)) return null;
  return (
    <Notice tone="warn" title="Not encrypted">
      <p>
        Everyone in the network between this machine and the server can read the notifications and the credentials. The
        host must be on the list webhooks.allow of the configuration. Use HTTPS where you can.
      </p>
    </Notice>
  );
}

function initialValues(target: NotificationTarget | undefined): Values {
  const secrets = { urls: "", token: "", password: "" };
  if (target) return { ...target, ...secrets, by: target.has_urls ? "urls" : "key" };
  return {
    ...secrets,
    name: "",
    service: "ntfy",
    url: PUBLIC_NTFY,
    topic: newTopic(),
    by: "key",
    tag: "",
    auth: "none",
    username: "",
    kinds: { mail: "on", approval: "always", send: "on", brief: "off", health: "always" },
    detail: "minimal",
    digest: "off",
    digest_hours: 4,
    digest_at: "18:00",
  };
}

/** Returns a topic that no one can guess. */
function newTopic(): string {
  const random = crypto.getRandomValues(new Uint8Array(10));
  return `postroom-${Array.from(random, (byte) => (byte % 36).toString(36)).join("")}`;
}

function faultsOf(values: Values, target: NotificationTarget | undefined): Faults {
  const faults: Faults = {};
  const kept = target?.auth === values.auth;
  if (!values.name.trim()) faults.name = "Enter a name, such as My phone.";
  if (!/^https?:\/\/.+/.test(values.url.trim()))
    faults.url = `Enter the address of the server, such as ${PUBLIC_NTFY}.`;
  const usesTopic = values.service === "ntfy" || values.by === "key";
  if (usesTopic && !/^[\w-]+$/.test(values.topic)) faults.topic = "Use letters, digits, hyphens and underscores.";
  if (!usesTopic && !values.urls.trim() && !target?.has_urls) faults.urls = "Enter at least one URL.";
  if (values.auth === "token" && !values.token && !kept) faults.token = "Enter the access token.";
  if (values.auth === "password" && !values.username) faults.username = "Enter the username.";
  if (values.auth === "password" && !values.password && !kept) faults.password = "Enter the password.";
  if (!/^\d\d:\d\d$/.test(values.digest_at)) faults.digest_at = "Enter a time, such as 18:00.";
  return faults;
}

/** Returns the request body. Secrets that were left empty are not sent, so that the stored ones are kept. */
function bodyOf(values: Values, target: NotificationTarget | undefined): Record<string, unknown> {
  const { name, service, url, topic, by, urls, tag, auth, token, username, password } = values;
  const { kinds, detail, digest, digest_hours, digest_at } = values;
  const address = service === "ntfy" || by === "key" ? { topic, urls: "" } : { topic: "", ...(urls && { urls }) };
  return {
    ...(target ? {} : { service }),
    ...{ name: name.trim(), url: url.trim(), ...address, tag, auth },
    ...(auth === "token" && token && { token }),
    ...(auth === "password" && { username, ...(password && { password }) }),
    ...{ kinds, detail, digest, digest_hours, digest_at },
  };
}
