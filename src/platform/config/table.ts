import { isEmailAddress } from "../../kernel/names.ts";
import { PLAN_DEFAULTS, PLANS } from "../../kernel/plans.ts";
import {
  isBasePath,
  isCopyPlace,
  isHeaderName,
  isHostKey,
  isHttps,
  isIssuer,
  isReleaseKey,
  isSchedule,
  isTimeOfDay,
  isWebAddress,
} from "./checks.ts";

/** Type of a value: a TOML type in the file, text in the environment (lists are separated by commas). */
type OptionType = "string" | "integer" | "boolean" | "list";

export interface Option<T extends OptionType = OptionType> {
  type: T;
  default: OptionValue<T>;
  help: string;
  /** A secret never appears in the log or in `doctor`, and can be read from a file (`…_FILE`). */
  secret?: boolean;
  min?: number;
  max?: number;
  choices?: readonly string[];
  /** An additional condition on a string, with the end of its error message: "must be an email address". */
  check?: { holds(value: string): boolean; wanted: string };
}

type OptionValue<T extends OptionType> = T extends "integer"
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
 * All settings. The configuration file and the environment are read according to this table, and the reference page
 * (docs/configuration.md) and the commented example (config/postroom.example.toml) are generated from it.
 */
export const OPTIONS = {
  "http.host": text("127.0.0.1", "Address to listen on. Use `0.0.0.0` inside a container."),
  "http.port": integer(8025, "Port to listen on. 0 picks a free port.", 0, 65_535),
  "http.trusted_proxies": list(
    "Addresses or networks (CIDR) of reverse proxies whose `X-Forwarded-For` header is trusted.",
  ),
  "http.cors_origins": list("Browser origins that may call the API and the tool server."),
  "http.public_url": text(
    "",
    "Address at which clients reach this server, including the base path. Used in links, in the OpenAPI description and on the settings page.",
    { check: { holds: isWebAddress, wanted: "an address such as https://mail.example.org" } },
  ),
  "http.base_path": text(
    "",
    "Path prefix of all addresses, such as `/mail`, when a reverse proxy serves Postroom under a path.",
    {
      check: { holds: isBasePath, wanted: "empty or a path such as /mail, without a trailing slash" },
    },
  ),
  "http.allowed_hosts": list(
    "Additional host names at which browsers reach the settings page, such as `nas.lan`. IP addresses, `localhost`, `http.host` and the host of `http.public_url` are always allowed.",
  ),
  "http.forward_auth_header": text(
    "",
    "Header in which a trusted reverse proxy (`http.trusted_proxies`) sends the email address of the person that it signed in, for example `Remote-Email`. Empty turns this sign-in off.",
    { check: { holds: isHeaderName, wanted: "a header name" } },
  ),
  "http.metrics_token": text(
    "",
    "Bearer token for reading `/metrics` from other machines. Without a token, only this machine can read it.",
    {
      secret: true,
    },
  ),
  "mcp.enabled": flag(
    false,
    "Whether assistants can use the tool server at `/mcp`. The owner can also turn it on under Assistants on the settings page.",
  ),
  "log.level": text("info", "Lowest level that is logged.", { choices: ["debug", "info", "warn", "error"] }),
  "log.format": text("text", "Format of log lines: `text` for people, `json` for log collectors.", {
    choices: ["text", "json"],
  }),
  "owner.email": text("owner@localhost", "Email address of the owner, who is created at the first start.", {
    check: { holds: isEmailAddress, wanted: "an email address" },
  }),
  "owner.plan": text("autopilot", "Plan of the owner, and of users who are added without a plan.", { choices: PLANS }),
  "owner.timezone": text(
    "UTC",
    "IANA time zone of the owner, and of users who are added without one, for example `Europe/Lisbon`.",
    {
      check: { holds: isTimeZone, wanted: "an IANA time zone such as Europe/Lisbon" },
    },
  ),
  "master.key": text("", "Master key (64 hex digits or base64), to keep it outside the data folder.", {
    secret: true,
  }),
  "master.passphrase": text("", "Passphrase from which the master key is derived.", { secret: true }),
  "limits.programs": text(
    "",
    "Limits for programs: `standard` applies plans and rate limits to API keys and assistants, `none` lifts them. Unset: the owner chooses under Usage on the settings page.",
    { choices: ["", "standard", "none"] },
  ),
  "limits.requests_per_minute_key": integer(120, "Requests per minute for each API key.", 1),
  "limits.requests_per_minute_user": integer(300, "Requests per minute for each user.", 1),
  "limits.requests_per_minute_ip": integer(300, "Requests per minute for each client address.", 1),
  "limits.requests_per_minute_session": integer(
    600,
    "Requests per minute for each person who is signed in to the settings page.",
    1,
  ),
  ...planOptions(),
  "limits.new_key_sends_per_day": integer(50, "Messages that a new API key may send in its first 24 hours."),
  "ai.base_url": text(
    "",
    "OpenAI-compatible endpoint of a language model, for example `http://127.0.0.1:11434/v1`. Without an endpoint, the built-in engine answers and no mail text leaves this machine.",
  ),
  "ai.model": text("", "Name of the model at `ai.base_url`."),
  "ai.api_key": text("", "API key of the endpoint, sent as a bearer token.", { secret: true }),
  "ai.allow_hosts": list(
    "Hosts other than this machine that may receive mail text. HTTPS is required, except for hosts in your own network that are listed with their port, as `name:port`.",
  ),
  "ai.timeout_seconds": integer(60, "Maximum time for one response of the model, in seconds.", 1, 600),
  "ai.context_tokens": integer(
    8_192,
    "Context window of the model in tokens, for the prompt and the response together.",
    1_024,
  ),
  "brief.time": text("07:00", "Local time of the daily brief for users who have not set a time.", {
    check: { holds: isTimeOfDay, wanted: "a time of day such as 07:00" },
  }),
  "agent.schedule": text(
    "*/10 * * * *",
    "When the agent processes new mail of users with agent rules, as a cron expression in UTC. Empty: only on request.",
    { check: { holds: isSchedule, wanted: "a cron expression such as */10 * * * *" } },
  ),
  "agent.actions_per_run": integer(50, "Maximum number of actions in one run of the agent.", 0),
  "agent.actions_per_day": integer(300, "Maximum number of actions of the agent per user and UTC day.", 0),
  "agent.followup_days": integer(4, "Days without a reply after which the agent drafts a follow-up to sent mail.", 1),
  "embedding.model": text(
    "built-in",
    "Model for semantic search: `built-in`, or a folder with a feature-extraction model in ONNX format and the layout of Hugging Face. A path without a leading slash is relative to `models/` in the data folder, where `postroom model pull` stores models. After a change, all mail is indexed again in the background.",
  ),
  "embedding.hub": text(
    "https://huggingface.co",
    "Site from which `postroom model pull` downloads models. It must be compatible with Hugging Face.",
  ),
  "ai.metered": flag(
    false,
    "Refuse AI calls when the credits of the month are used up. By default, credits are only counted.",
  ),
  "webhooks.allow": list(
    "Private hosts or networks that webhooks and notifications may reach, for example `192.168.1.0/24`. For these, URLs with `http://` are accepted as well.",
  ),
  "webhooks.loopback": flag(
    true,
    "Let the owner's webhooks reach programs on this machine, such as n8n at `http://127.0.0.1:5678`.",
  ),
  "webhooks.ca_file": text("", "PEM file with additional certificate authorities for webhook receivers."),
  "mail.ca_file": text("", "PEM file with additional certificate authorities for mail and calendar servers."),
  "mail.allow": list(
    "Private hosts or networks, for example `mail.home.example`, that Postroom may ask over HTTPS for mail server settings, and at which members may connect mailboxes. The owner may connect mailboxes anywhere.",
  ),
  "mail.ispdb": flag(
    false,
    "Also look up mail server settings in Thunderbird's directory of mail providers. The directory then learns the domain, but never the address, of a mailbox that you connect.",
  ),
  "mail.ispdb_url": text(
    "https://autoconfig.thunderbird.net/v1.1/",
    "Address of the directory for `mail.ispdb`. The domain of the mailbox is appended.",
    {
      check: { holds: isHttps, wanted: "an https:// address" },
    },
  ),
  "oauth.google_authorize_url": text(
    "https://accounts.google.com/o/oauth2/v2/auth",
    "Google's sign-in page for connecting a Gmail mailbox.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "oauth.google_token_url": text(
    "https://oauth2.googleapis.com/token",
    "Google's token endpoint, which issues access tokens.",
    {
      check: { holds: isHttps, wanted: "an https:// address" },
    },
  ),
  "oauth.microsoft_authorize_url": text(
    "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/authorize",
    "Microsoft's sign-in page for connecting an Outlook mailbox.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "oauth.microsoft_token_url": text(
    "https://login.microsoftonline.com/{tenant}/oauth2/v2.0/token",
    "Microsoft's token endpoint, which issues access tokens.",
    { check: { holds: isHttps, wanted: "an https:// address" } },
  ),
  "mail.poll_seconds": integer(60, "Seconds between checks of folders other than the inbox.", 1),
  "mail.batch_bytes": integer(
    4 * 1024 * 1024,
    "Maximum size of one fetch of mail, in bytes.",
    64 * 1024,
    32 * 1024 * 1024,
  ),
  "mail.full_source_bytes": integer(
    128 * 1024,
    "Maximum size of a message that is fetched completely, in bytes. Only the header, the structure and the text parts of larger messages are fetched.",
    1024,
    16 * 1024 * 1024,
  ),
  "mail.text_part_bytes": integer(
    1024 * 1024,
    "Maximum number of bytes of text stored from each text part of a large message. Invisible content, such as comments and hidden elements, does not count.",
    1024,
  ),
  "mail.text_read_bytes": integer(
    32 * 1024 * 1024,
    "Maximum number of bytes read from the text parts of a large message to find the text to store.",
    64 * 1024,
  ),
  "store.attachments": text("cache", "`cache` keeps recently used attachments on disk; `all` keeps all attachments.", {
    choices: ["cache", "all"],
  }),
  "store.cache_bytes": integer(512 * 1024 * 1024, "Maximum size of the sealed attachment cache, in bytes.", 0),
  "calendar.poll_seconds": integer(300, "Seconds between checks of CalDAV calendars.", 10),
  "sessions.days": integer(
    90,
    "Days after which a session of the settings page ends and the person must sign in again.",
    1,
  ),
  "sessions.idle_days": integer(14, "Days of inactivity after which a session of the settings page ends.", 1),
  "oidc.issuer": text(
    "",
    "Issuer of the OpenID Connect provider with which people can sign in. Empty turns this sign-in off.",
    {
      check: { holds: isIssuer, wanted: "an https:// address (http:// only for this machine)" },
    },
  ),
  "oidc.client_id": text("", "Client ID of Postroom at the provider."),
  "oidc.client_secret": text("", "Client secret of Postroom at the provider.", { secret: true }),
  "oidc.name": text("", "Name of the provider on the sign-in button. Empty: the host of the issuer."),
  "backup.schedule": text(
    "",
    "When a backup is created, as a cron expression in UTC, for example `30 2 * * *`. Empty: only on request. If one of the `backup` settings is set here, the settings page cannot change it.",
    { check: { holds: isSchedule, wanted: "a cron expression such as 30 2 * * *" } },
  ),
  "backup.folder": text(
    "backups",
    "Folder for backups that are created on schedule or from the settings page. A path without a leading slash is relative to the data folder. A folder on another disk is safer.",
  ),
  "backup.keep": integer(
    7,
    "Number of scheduled and requested backups to keep. Earlier backups that a kept backup is based on are kept as well.",
    1,
  ),
  "backup.incrementals": integer(
    6,
    "Number of incremental backups, which contain only changes, after each full backup. 0 makes every backup a full one.",
    0,
    100,
  ),
  "backup.to": text(
    "",
    "Where each scheduled or requested backup is also sent: `s3://BUCKET/PREFIX` for an S3-compatible store, `sftp://USER@HOST/PATH` for a server with SSH, or the absolute path of a folder, such as `/mnt/nas/postroom`. If it is not set, the owner can choose a place on the settings page. Empty: backups stay in `backup.folder`.",
    { check: { holds: isCopyPlace, wanted: "empty, s3://BUCKET/PREFIX, sftp://USER@HOST/PATH or an absolute path" } },
  ),
  "backup.continuous": flag(
    true,
    "Whether all changes are also sent to the place of `backup.to` within seconds, encrypted. With `false`, only the backups are sent.",
  ),
  "backup.standby": flag(
    false,
    "Whether another machine may take over. This server then acts only while it holds the lease in the place of `backup.to`, so set this also on the other machine. Requires `backup.continuous`.",
  ),
  "backup.history_days": integer(7, "Days for which the continuous copy can be restored to any moment.", 1, 3_650),
  "backup.drill": text(
    "0 4 * * 0",
    "When the continuous copy is restored for a test, as a cron expression in UTC. A test reads the whole copy, which a store may charge for. Empty: never.",
    { check: { holds: isSchedule, wanted: "a cron expression such as 0 4 * * 0" } },
  ),
  "backup.s3.endpoint": text(
    "",
    "Address of the S3-compatible store, for example `https://s3.eu-central-003.backblazeb2.com` or `http://nas.lan:9000`. `http://` works only in your own network. Empty: Amazon S3 in `backup.s3.region`.",
    { check: { holds: (value) => value === "" || isWebAddress(value), wanted: "an https:// or http:// address" } },
  ),
  "backup.s3.region": text("us-east-1", "Region of the bucket. Many stores accept any value.", {
    check: { holds: (value) => /^[a-z0-9-]{1,64}$/i.test(value), wanted: "a region such as eu-central-1" },
  }),
  "backup.s3.access_key_id": text("", "ID of the access key for the bucket.", { secret: true }),
  "backup.s3.secret_access_key": text("", "Secret of the access key for the bucket.", { secret: true }),
  "backup.s3.path_style": flag(
    true,
    "Whether requests name the bucket in the path. With `false`, it is part of the host name, as `BUCKET.ENDPOINT`.",
  ),
  "backup.s3.ca_file": text("", "PEM file with additional certificate authorities for the store."),
  "backup.sftp.key_file": text(
    "",
    "File with the private key for the server of an `sftp://` place, as `ssh-keygen` creates it.",
  ),
  "backup.sftp.key_passphrase": text("", "Passphrase of the private key, if it is encrypted.", { secret: true }),
  "backup.sftp.password": text("", "Password for the server of an `sftp://` place, if there is no key.", {
    secret: true,
  }),
  "backup.sftp.host_key": text(
    "",
    "Fingerprint of the server's host key, such as `SHA256:uNiVztksCsDhcc0u9e8BrqegVTj2UaA2NB1qpqtcDVw`. Without it, Postroom sends nothing and shows the fingerprint.",
    {
      check: {
        holds: isHostKey,
        wanted: "empty or a fingerprint that begins with SHA256:",
      },
    },
  ),
  "update.url": text(
    "",
    "Address of the folder with the files of the newest release, for `postroom update`, for example `https://github.com/OWNER/REPOSITORY/releases/latest/download`. Postroom requests it only when you run that command.",
    { check: { holds: isWebAddress, wanted: "empty or an https:// or http:// address" } },
  ),
  "update.public_key": text(
    "",
    "Public key (minisign) that signs the releases at `update.url`, in place of the key in the program. For releases that you build yourself.",
    { check: { holds: isReleaseKey, wanted: "empty or a public key of minisign, which begins with RW" } },
  ),
  "upgrade.keep_copies": integer(2, "Number of database copies from before upgrades to keep in `upgrades/`.", 1),
  "retention.events_days": integer(30, "Days to keep events.", 1),
  "retention.audit_days": integer(365, "Days to keep audit log entries.", 1),
  "retention.ai_calls_days": integer(365, "Days to keep records of calls to language models.", 1),
  "retention.jobs_days": integer(7, "Days to keep finished jobs and their attempts.", 1),
} as const satisfies Record<string, Option>;

export type OptionKey = keyof typeof OPTIONS;
type Declared<K extends OptionKey> = (typeof OPTIONS)[K] extends Option<infer T> ? OptionValue<T> : never;
export type ConfigValues = { [K in OptionKey]: Declared<K> };

type PlanOptionKey =
  `limits.${"pro" | "autopilot" | "team"}.${"requests_per_day" | "sends_per_day" | "webhook_endpoints" | "ai_credits_per_month"}`;

function planOptions(): Record<PlanOptionKey, Option<"integer">> {
  const help = {
    requests_per_day: "Requests per day",
    sends_per_day: "Sent messages per day",
    webhook_endpoints: "Webhook endpoints",
    ai_credits_per_month: "AI credits per month",
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

/** Returns the environment variable of a key: `webhooks.allow` ↔ `POSTROOM_WEBHOOKS_ALLOW`. */
export function envName(key: string): string {
  return `POSTROOM_${key.toUpperCase().replaceAll(".", "_")}`;
}

/** Returns whether the time zone data of the runtime has this name, such as "UTC" or "Europe/Lisbon". */
export function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
