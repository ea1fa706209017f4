import { type Static, Type } from "@sinclair/typebox";
import { Name, Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { DETAILS } from "./kinds.ts";
import { DIGEST_HOURS } from "./timing.ts";

/** Excludes control characters, which a header must not contain. */
const ONE_LINE = "^[^\\u0000-\\u001f\\u007f]*$";
const Secret = Type.String({ minLength: 1, maxLength: 1_000, pattern: ONE_LINE });
const TimeOfDay = Type.String({ pattern: "^([01]\\d|2[0-3]):[0-5]\\d$", examples: ["07:00"] });
const Mode = OneOf(["off", "on"]);
const UrgentMode = OneOf(["off", "on", "always"]);
const Service = OneOf(["ntfy", "apprise"]);
const Auth = OneOf(["none", "token", "password"]);

const MAX_URLS_CHARS = 4_000;
const MAX_SENDERS = 100;
const MAX_SENDER_CHARS = 254;

const Kinds = Type.Object({ mail: Mode, approval: UrgentMode, send: Mode, brief: Mode, health: UrgentMode });

const wishes = {
  kinds: Kinds,
  detail: OneOf(DETAILS),
  digest: OneOf(["off", "hours", "daily"]),
  digest_hours: Type.Unsafe<(typeof DIGEST_HOURS)[number]>(
    Type.Union(DIGEST_HOURS.map((hours) => Type.Literal(hours))),
  ),
  digest_at: TimeOfDay,
};

const address = {
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  /** ntfy: the topic. Apprise: the configuration key. */
  topic: Type.String({ maxLength: 128, pattern: "^[\\w-]*$" }),
  /** Apprise: notification URLs in place of a configuration key. */
  urls: Type.String({ maxLength: MAX_URLS_CHARS }),
  tag: Type.String({ maxLength: 200, pattern: ONE_LINE }),
  auth: Auth,
  token: Secret,
  username: Type.String({ maxLength: 320, pattern: "^[^:\\u0000-\\u001f\\u007f]*$" }),
  password: Secret,
};

const optionalAddress = Type.Partial(Type.Object(address)).properties;
const optionalWishes = Type.Partial(Type.Object(wishes)).properties;

export const NewNotificationTarget = Type.Object({
  name: Name(60),
  service: Service,
  ...optionalAddress,
  ...optionalWishes,
  url: address.url,
});
export type NewNotificationTarget = Static<typeof NewNotificationTarget>;

export const NotificationTargetPatch = Type.Object({
  name: Type.Optional(Name(60)),
  ...optionalAddress,
  ...optionalWishes,
  status: Type.Optional(OneOf(["active", "off"])),
});
export type NotificationTargetPatch = Static<typeof NotificationTargetPatch>;

const Outcome = Type.Object({
  at: Timestamp(),
  ok: Type.Boolean(),
  test: Type.Boolean(),
  response_status: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  response_body: Type.String(),
});

export const NotificationTarget = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    service: Service,
    url: Type.String(),
    topic: Type.String(),
    tag: Type.String(),
    /** Whether notification URLs are stored. They are not returned, because they contain secrets. */
    has_urls: Type.Boolean(),
    auth: Auth,
    username: Type.String(),
    ...wishes,
    digest_hours: Type.Integer(),
    status: OneOf(["active", "off", "failing"]),
    failure_count: Type.Integer(),
    failing_since: Nullable(Timestamp()),
    sent_at: Nullable(Timestamp()),
    /** Notifications that wait for quiet hours, a digest or the next attempt. */
    waiting: Type.Integer(),
    outcome: Nullable(Outcome),
    created_at: Timestamp(),
  },
  { $id: "NotificationTarget" },
);
export type NotificationTarget = Static<typeof NotificationTarget>;

export const NotificationTargetReply = Type.Object({ data: NotificationTarget }, { $id: "NotificationTargetReply" });

const settings = {
  senders: Type.Array(Type.String({ minLength: 3, maxLength: MAX_SENDER_CHARS }), { maxItems: MAX_SENDERS }),
  quiet: Type.Boolean(),
  quiet_start: TimeOfDay,
  quiet_end: TimeOfDay,
};

export const NotificationSettingsPatch = Type.Partial(Type.Object(settings));
export type NotificationSettingsPatch = Static<typeof NotificationSettingsPatch>;

const NotificationSettings = Type.Object({ ...settings, timezone: Type.String() }, { $id: "NotificationSettings" });

export const Notifications = Type.Object(
  {
    settings: NotificationSettings,
    targets: Type.Array(NotificationTarget),
    /** Address that links in notifications lead to; null: they have no links. */
    link_base: Nullable(Type.String()),
  },
  { $id: "Notifications" },
);
export type Notifications = Static<typeof Notifications>;
