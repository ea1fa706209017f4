import { Cron } from "croner";
import { isEmailAddress } from "../../kernel/names.ts";
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
  "http.public_url": text(
    "",
    "Address under which clients reach this server, base path included, for links, the API description and the settings page.",
    { check: { holds: isWebAddress, wanted: "an address such as https://mail.example.org" } },
  ),
  "http.base_path": text("", "Path that everything stands under, for a reverse proxy that gives Postroom one: /mail.", {
    check: { holds: isBasePath, wanted: "empty or a path such as /mail, without a slash at its end" },
  }),
  "http.allowed_hosts": list(
    "Further names under which browsers reach the settings page, such as nas.lan; addresses, localhost and the host of http.public_url are known.",
  ),
  "http.forward_auth_header": text(
    "",
    "Header in which a reverse proxy of http.trusted_proxies names the person it has signed in, by e-mail address, for example Remote-Email; empty: none.",
    { check: { holds: isHeaderName, wanted: "the name of a header" } },
  ),
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
  "limits.requests_per_minute_session": integer(600, "Burst rate per signed-in person of the settings page.", 1),
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
    "Model of semantic search: `built-in`, or a folder with a feature-extraction model in ONNX form as Hugging Face lays them out; a name without a leading slash lies in models/ of the data folder, where `postroom model pull` puts it. Another model reads all mail anew, in the background.",
  ),
  "embedding.hub": text(
    "https://huggingface.co",
    "Where `postroom model pull` downloads models from: a site that answers as Hugging Face's does.",
  ),
  "ai.metered": flag(false, "Refuse AI calls when the month's credits are used up, instead of only counting them."),
  "webhooks.allow": list("Hosts or networks inside your home that webhooks may reach, for example 192.168.1.0/24."),
  "webhooks.ca_file": text("", "PEM file with further certificate authorities for webhook receivers."),
  "mail.ca_file": text("", "PEM file with further certificate authorities for IMAP and SMTP servers."),
  "mail.allow": list(
    "Hosts or networks inside your home that may be asked over HTTPS how a mailbox is reached, and that members may connect mailboxes at, for example mail.home.example. The owner may connect mailboxes anywhere.",
  ),
  "mail.ispdb": flag(
    false,
    "Also ask Thunderbird's directory of mail providers, which then learns the domain (never the address) of a mailbox that is being connected.",
  ),
  "mail.ispdb_url": text(
    "https://autoconfig.thunderbird.net/v1.1/",
    "That directory; the domain is added at the end.",
    {
      check: { holds: isHttps, wanted: "an https:// address" },
    },
  ),
  "oauth.google_authorize_url": text(
    "https://accounts.google.com/o/oauth2/v2/auth",
    "Where people sign in to connect a Gmail mailbox.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "oauth.google_token_url": text("https://oauth2.googleapis.com/token", "Where Google's access tokens come from.", {
    check: { holds: isHttps, wanted: "an https:// address" },
  }),
  "oauth.microsoft_authorize_url": text(
    "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
    "Where people sign in to connect an Outlook mailbox.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "oauth.microsoft_token_url": text(
    "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
    "Where Microsoft's access tokens come from.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "mail.poll_seconds": integer(60, "How often folders other than the inbox are looked at.", 1),
  "mail.batch_bytes": integer(4 * 1024 * 1024, "Most bytes of mail fetched at once.", 64 * 1024, 32 * 1024 * 1024),
  "mail.full_source_bytes": integer(
    128 * 1024,
    "Messages up to this size are fetched whole; of larger ones only the header, the structure and the text parts.",
    1024,
    16 * 1024 * 1024,
  ),
  "mail.text_part_bytes": integer(
    1024 * 1024,
    "Most text kept of one text part of a large message. What readers do not see, such as comments and hidden elements, does not count.",
    1024,
  ),
  "mail.text_read_bytes": integer(
    32 * 1024 * 1024,
    "Most bytes read of the text parts of one large message, in search of the text that is kept.",
    64 * 1024,
  ),
  "store.attachments": text("cache", "`cache` keeps recently used attachments, `all` keeps every one.", {
    choices: ["cache", "all"],
  }),
  "store.cache_bytes": integer(512 * 1024 * 1024, "Bound of the sealed attachment cache, bytes.", 0),
  "calendar.poll_seconds": integer(300, "How often calendars on CalDAV servers are looked at.", 10),
  "sessions.days": integer(90, "Days after which a person signs in to the settings page again.", 1),
  "sessions.idle_days": integer(14, "Days without use after which a session of the settings page ends.", 1),
  "oidc.issuer": text("", "Issuer of an OpenID Connect provider that people may sign in with; empty: none.", {
    check: { holds: isIssuer, wanted: "an https:// address (http:// only for this machine)" },
  }),
  "oidc.client_id": text("", "Client id of Postroom at that provider."),
  "oidc.client_secret": text("", "Client secret of Postroom at that provider.", { secret: true }),
  "oidc.name": text("", "How the button calls the provider; empty: the issuer's host."),
  "backup.schedule": text(
    "",
    "When a backup is made, as a cron expression in UTC, for example `30 2 * * *`; empty: only when asked.",
    { check: { holds: isSchedule, wanted: "a cron expression such as 30 2 * * *" } },
  ),
  "backup.folder": text(
    "backups",
    "Folder for backups that are made by schedule or in the settings page; a name without a leading slash lies in the data folder. Another disk is a better place.",
  ),
  "backup.keep": integer(7, "How many of those backups are kept, and what they lean on.", 1),
  "backup.incrementals": integer(
    6,
    "How many incremental backups follow a full one, which hold only what changed; 0: every one is full.",
    0,
    100,
  ),
  "upgrade.keep_copies": integer(2, "Copies of the database from before upgrades that are kept in upgrades/.", 1),
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

/** True for "" and for "/mail" or "/a/b": what can stand before every path as it is. */
function isBasePath(text: string): boolean {
  return /^(?:\/[A-Za-z0-9._~-]+)*$/.test(text) && !/\/\.{1,2}(?:\/|$)/.test(text);
}

/** RFC 9110 §5.1, or nothing. */
function isHeaderName(text: string): boolean {
  return /^[A-Za-z0-9!#$%&'*+.^_`|~-]*$/.test(text);
}

/** True for "" and for an http or https address without query or fragment. */
function isWebAddress(text: string): boolean {
  return text === "" || (/^https?:\/\/[^?#]+$/i.test(text) && URL.canParse(text));
}

/** Over plain HTTP anybody between us and the provider could sign in as anybody. */
function isIssuer(text: string): boolean {
  if (text === "") return true;
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === "https:" || (protocol === "http:" && /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(hostname));
}

/** Tokens and questions about mailboxes never leave without encryption. */
function isHttps(text: string): boolean {
  return URL.canParse(text) && new URL(text).protocol === "https:";
}

/** True for "UTC", "Europe/Lisbon" and every other name that the run time's time zone data has. */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
