import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";

const PROVIDER = OneOf(["google", "microsoft"]);
const HOST = Type.String({ minLength: 1, maxLength: 253, pattern: "^[A-Za-z0-9._:-]+$" });

export const Server = Type.Object({
  host: HOST,
  port: Type.Integer({ minimum: 1, maximum: 65_535 }),
  security: OneOf(["tls", "starttls", "none"]),
});

const Email = Type.String({ format: "email", maxLength: 254 });
/** Excludes control characters such as line breaks, which mail servers do not accept in a name or a password. */
const ONE_LINE = "^[^\\u0000-\\u001f\\u007f]*$";
const Username = Type.String({ minLength: 1, maxLength: 320, pattern: ONE_LINE });
const Password = Type.String({ minLength: 1, maxLength: 1_000, pattern: ONE_LINE });
const METHODS = Type.Array(OneOf(["password", "oauth2"]));

export const DiscoverBody = Type.Object({ email: Type.String({ maxLength: 254 }) });

export const Discovered = Type.Object({
  name: Nullable(Type.String()),
  source: OneOf(["autoconfig", "srv", "provider", "ispdb", "guess", "none"]),
  imap: Nullable(Server),
  smtp: Nullable(Server),
  username: Type.String(),
  methods: METHODS,
  oauth: Nullable(PROVIDER),
  advice: Nullable(Type.String()),
});

export const LoginBody = Type.Object({
  imap: Server,
  smtp: Type.Optional(Nullable(Server)),
  username: Username,
  password: Password,
});
export type LoginBody = Static<typeof LoginBody>;

const Result = Type.Object({
  ok: Type.Boolean(),
  problem: Nullable(Type.Object({ code: Type.String(), message: Type.String(), advice: Nullable(Type.String()) })),
});

export const Tested = Type.Object({ imap: Result, smtp: Nullable(Result) });

export const NewMailbox = Type.Object({
  email: Email,
  ...LoginBody.properties,
  read_only: Type.Optional(Type.Boolean()),
  exclude: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 500 })),
  on_server_delete: Type.Optional(OneOf(["follow", "keep"])),
});
export type NewMailbox = Static<typeof NewMailbox>;

export const MailboxPatch = Type.Object({
  password: Type.Optional(Password),
  paused: Type.Optional(Type.Boolean()),
  read_only: Type.Optional(Type.Boolean()),
  primary: Type.Optional(Type.Literal(true)),
  aliases: Type.Optional(Type.Array(Type.String({ maxLength: 254 }), { maxItems: 100 })),
});
export type MailboxPatch = Static<typeof MailboxPatch>;

export const MailboxView = Type.Object({
  id: Type.String(),
  provider: OneOf(["imap", "gmail", "outlook", "sandbox", "imported"]),
  email: Type.String(),
  status: OneOf(["active", "connecting", "auth_failed", "unreachable", "paused"]),
  last_sync_at: Nullable(Timestamp()),
  last_error: Nullable(Type.String()),
  sync: Type.Object({
    phase: OneOf(["waiting", "importing", "live"]),
    done: Type.Integer(),
    total: Type.Integer(),
  }),
  search: Type.Object({
    done: Type.Integer(),
    total: Type.Integer(),
    full_text: Type.Object({ done: Type.Integer(), total: Type.Integer() }),
  }),
  auth: Nullable(OneOf(["password", "oauth2"])),
  oauth: Nullable(PROVIDER),
  imap: Nullable(Server),
  smtp: Nullable(Server),
  username: Nullable(Type.String()),
  read_only: Type.Boolean(),
  primary: Type.Boolean(),
  aliases: Type.Array(Type.String()),
  folders: Type.Array(
    Type.Object({
      path: Type.String(),
      role: Type.String(),
      done: Type.Integer(),
      total: Type.Integer(),
      verified_at: Nullable(Timestamp()),
    }),
  ),
  completeness: Type.Object({
    complete: Nullable(Type.Boolean()),
    verified_at: Nullable(Timestamp()),
    sentence: Type.String(),
  }),
});
export type MailboxView = Static<typeof MailboxView>;

export const MailboxList = Type.Object({ data: Type.Array(MailboxView) });

export const OAuthStart = Type.Object({
  provider: PROVIDER,
  email: Email,
  account_id: Type.Optional(Nullable(Type.String())),
  imap: Type.Optional(Server),
  smtp: Type.Optional(Nullable(Server)),
  username: Type.Optional(Username),
});
export type OAuthStart = Static<typeof OAuthStart>;

export const OAuthStarted = Type.Object({ authorize_url: Type.String() });

export const OAuthFinish = Type.Object({
  state: Type.String({ maxLength: 500 }),
  code: Type.Optional(Type.String({ maxLength: 4_000 })),
  error: Type.Optional(Type.String({ maxLength: 200 })),
});
export type OAuthFinish = Static<typeof OAuthFinish>;

export const OAuthClientBody = Type.Object({
  client_id: Type.String({ minLength: 1, maxLength: 500 }),
  client_secret: Type.Optional(Type.String({ maxLength: 500 })),
  tenant: Type.Optional(Nullable(Type.String({ maxLength: 100, pattern: "^[A-Za-z0-9.-]*$" }))),
});

export const OAuthClientList = Type.Object({
  data: Type.Array(
    Type.Object({
      provider: PROVIDER,
      client_id: Type.String(),
      tenant: Type.String(),
      has_secret: Type.Boolean(),
      redirect_uri: Type.String(),
    }),
  ),
});
