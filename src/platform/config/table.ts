import { Cron } from "croner";
import { PLAN_DEFAULTS, PLANS } from "../../kernel/plans.ts";

/** How a value is written: in the file as its TOML type, in the environment as text (a list separated by commas). */
export type OptionType = "string" | "integer" | "boolean" | "list";

export interface Option<T extends OptionType = OptionType> {
  type: T;
  default: OptionValue<T>;
  help: string;
  /** A secret never appears in logs or `doctor`, and can be given as `…_FILE`. */
  secret?: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
  /** A further condition on a text, and the words for it: "must be an e-mail address". */
  check?: { holds(value: string): boolean; wanted: string };
}

export type OptionValue<T extends OptionType> = T extends "integer"
  ? number
  : T extends "boolean"
    ? boolean
    : T extends "list"
      ? string[]
      : string;

const text = (value: string, help: string, more: Partial<Option<"string">> = {}): Option<"string"> => ({
  type: "string",
  default: value,
  help,
  ...more,
});
const integer = (value: number, help: string, min = 0, max = Number.MAX_SAFE_INTEGER): Option<"integer"> => ({
  type: "integer",
  default: value,
  help,
  min,
  max,
});
const flag = (value: boolean, help: string): Option<"boolean"> => ({ type: "boolean", default: value, help });
const list = (help: string): Option<"list"> => ({ type: "list", default: [], help });

/**
 * Every setting there is. The configuration file, the environment, the reference page (docs/configuration.md) and the
 * commented example (config/postroom.example.toml) are all read from or made from this table.
 */
export const OPTIONS = {
  "http.host": text("127.0.0.1", "Address to listen on. Use 0.0.0.0 inside a container."),
  "http.port": integer(8025, "Port to listen on; 0 picks a free one.", 0, 65_535),
  "http.trusted_proxies": list("Addresses or networks (CIDR) of reverse proxies whose X-Forwarded-For is believed."),
  "http.cors_origins": list("Browser origins that may call the API; none by default."),
  "http.public_url": text("", "Address under which clients reach this server, for links and the API description."),
  "http.metrics_token": text(
    "",
    "Bearer token that opens /metrics from other machines; without it only loopback may.",
    {
      secret: true,
    },
  ),
  "log.level": text("info", "How much to log.", { choices: ["debug", "info", "warn", "error"] }),
  "log.format": text("text", "`text` for people, `json` for collectors.", { choices: ["text", "json"] }),
  "owner.email": text("owner@localhost", "E-mail address of the owner that a first start creates.", {
    check: { holds: isEmailAddress, wanted: "an e-mail address" },
  }),
  "owner.plan": text("autopilot", "Plan of users created without one.", { choices: PLANS }),
  "owner.timezone": text("UTC", "IANA time zone of users created without one, for example Europe/Lisbon.", {
    check: { holds: isTimeZone, wanted: "an IANA time zone such as Europe/Lisbon" },
  }),
  "master.key": text("", "Master key (64 hex digits or base64), when it is kept outside the data folder.", {
    secret: true,
  }),
  "master.passphrase": text("", "Passphrase that the master key is derived from.", { secret: true }),
  "limits.requests_per_minute_key": integer(120, "Burst rate per API key.", 1),
  "limits.requests_per_minute_user": integer(300, "Burst rate per user.", 1),
  "limits.requests_per_minute_ip": integer(300, "Burst rate per client address.", 1),
  ...planOptions(),
  "limits.new_key_sends_per_day": integer(50, "Sends that a key may make in its first 24 hours."),
  "ai.base_url": text(
    "",
    "OpenAI-compatible endpoint of a language model, for example http://127.0.0.1:11434/v1. Without one nothing leaves, and the built-in engine answers.",
  ),
  "ai.model": text("", "Name of the model at ai.base_url."),
  "ai.api_key": text("", "Key of the endpoint, sent as a bearer token.", { secret: true }),
  "ai.allow_hosts": list(
    "Hosts that mail text may be sent to, beside this machine; name:port for one without encryption in your home.",
  ),
  "ai.timeout_seconds": integer(60, "How long a model may take for one answer.", 1, 600),
  "ai.context_tokens": integer(8_192, "What the model takes, question and answer together.", 1_024),
  "brief.time": text("07:00", "Local time of the daily brief, for users who have set none.", {
    check: { holds: isTimeOfDay, wanted: "a time of day such as 07:00" },
  }),
  "agent.schedule": text(
    "*/10 * * * *",
    "When the agent looks at new mail of users with agent rules, as a cron expression in UTC; empty: only when asked.",
    { check: { holds: isSchedule, wanted: "a cron expression such as */10 * * * *" } },
  ),
  "agent.actions_per_run": integer(50, "Most actions of one pass of the agent.", 0),
  "agent.actions_per_day": integer(300, "Most actions of the agent per user and UTC day.", 0),
  "agent.followup_days": integer(4, "Days after which a follow-up is drafted for sent mail that nobody answered.", 1),
  "embedding.model": text(
    "built-in",
    "Model of semantic search: `built-in`, or a folder with a feature-extraction model in ONNX form as Hugging Face lays them out; a name without a leading slash lies in models/ of the data folder. Another model reads all mail anew, in the background.",
  ),
  "ai.metered": flag(false, "Refuse AI calls when the month's credits are used up, instead of only counting them."),
  "webhooks.allow": list("Hosts or networks inside your home that webhooks may reach, for example 192.168.1.0/24."),
  "webhooks.ca_file": text("", "PEM file with further certificate authorities for webhook receivers."),
  "mail.ca_file": text("", "PEM file with further certificate authorities for IMAP and SMTP servers."),
  "mail.poll_seconds": integer(60, "How often folders other than the inbox are looked at.", 1),
  "mail.batch_bytes": integer(4 * 1024 * 1024, "Most bytes of mail fetched at once.", 64 * 1024),
  "mail.full_source_bytes": integer(
    128 * 1024,
    "Messages up to this size are fetched whole; of larger ones only the header, the structure and the text parts.",
    1024,
  ),
  "mail.text_part_bytes": integer(1024 * 1024, "Most bytes kept of one text part of a large message.", 1024),
  "store.attachments": text("cache", "`cache` keeps recently used attachments, `all` keeps every one.", {
    choices: ["cache", "all"],
  }),
  "store.cache_bytes": integer(512 * 1024 * 1024, "Bound of the sealed attachment cache, bytes.", 0),
  "calendar.poll_seconds": integer(300, "How often calendars on CalDAV servers are looked at.", 10),
  "retention.events_days": integer(30, "Days that the event log is kept.", 1),
  "retention.audit_days": integer(365, "Days that audit rows are kept.", 1),
  "retention.ai_calls_days": integer(365, "Days that the ledger of calls to language models is kept.", 1),
  "retention.jobs_days": integer(7, "Days that finished jobs and their attempts are kept.", 1),
} as const satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;
type Declared<K extends OptionKey> = (typeof OPTIONS)[K] extends Option<infer T> ? OptionValue<T> : never;
export type ConfigValues = { [K in OptionKey]: Declared<K> };

type PlanOptionKey =
  `limits.${"pro" | "autopilot" | "team"}.${"requests_per_day" | "sends_per_day" | "webhook_endpoints" | "ai_credits_per_month"}`;

function planOptions(): Record<PlanOptionKey, Option<"integer">> {
  const help = {
    requests_per_day: "Requests a day",
    sends_per_day: "Sends a day",
    webhook_endpoints: "Webhook endpoints",
    ai_credits_per_month: "AI credits a month",
  } as const;
  const options: Partial<Record<PlanOptionKey, Option<"integer">>> = {};
  for (const plan of PLANS) {
    if (plan === "free") continue;
    for (const name of Object.keys(help) as (keyof typeof help)[]) {
      const seat = plan === "team" && name !== "webhook_endpoints" ? ", per seat" : "";
      options[`limits.${plan}.${name}`] = integer(
        PLAN_DEFAULTS[plan][name],
        `${help[name]} on the ${plan} plan${seat}.`,
      );
    }
  }
  return options as Record<PlanOptionKey, Option<"integer">>;
}

/** The environment variable of a key: `webhooks.allow` ↔ `POSTROOM_WEBHOOKS_ALLOW`. */
export function envName(key: string): string {
  return `POSTROOM_${key.toUpperCase().replaceAll(".", "_")}`;
}

/** True for "", and for a cron expression of five fields. */
function isSchedule(text: string): boolean {
  if (text === "") return true;
  try {
    return text.trim().split(/\s+/).length === 5 && new Cron(text, { paused: true }).nextRun() !== null;
  } catch {
    return false;
  }
}

/** True for "07:00" and "23:59". */
export function isTimeOfDay(text: string): boolean {
  return /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text);
}

/** True for what can be an address: something, an at sign, something. Which of them exist only a mail server knows. */
export function isEmailAddress(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

/** True for "UTC", "Europe/Lisbon" and every other name that the run time's time zone data has. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
