import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { isoTime } from "../../kernel/clock.ts";
import type { Passkey } from "../../platform/identity/passkeys.ts";
import { LONGEST_PASSWORD } from "../../platform/identity/passwords.ts";
import type { Session } from "../../platform/identity/sessions.ts";
import type { User } from "../../platform/identity/users.ts";
import { deviceName } from "./device-name.ts";

/** Shapes of the settings page for sign-in. They are not part of the API description. */

const KEY_STORAGES = ["key_file", "passphrase", "elsewhere"] as const;
export type KeyStorage = (typeof KEY_STORAGES)[number];

/** A typed password. Its strength is checked later, with better messages. */
const Secret = Type.String({ minLength: 1, maxLength: 4 * LONGEST_PASSWORD });
const Address = Type.String({ format: "email" });

const KeyStorageChoiceView = Type.Object({
  custody: OneOf(KEY_STORAGES),
  title: Type.String(),
  protects: Type.String(),
  not: Type.String(),
  start: Type.String(),
});
export type KeyStorageChoice = Static<typeof KeyStorageChoiceView>;

export const Person = Type.Object({
  id: Type.String(),
  email: Type.String(),
  role: OneOf(["owner", "member"]),
  timezone: Type.String(),
});

export const State = Type.Object({
  setup_needed: Type.Boolean(),
  user: Nullable(Person),
  /** Whether the signed-in person is the only one on this installation, and its owner. */
  alone: Type.Boolean(),
  methods: Type.Object({
    password: Type.Boolean(),
    passkey: Type.Boolean(),
    oidc: Nullable(Type.Object({ name: Type.String() })),
    forward_auth: Type.Boolean(),
  }),
  /** Why the server accepts no changes now; null while it does. */
  paused: Nullable(
    Type.Object({ reason: OneOf(["waiting", "taken_over"]), since: Timestamp(), message: Type.String() }),
  ),
  version: Type.String(),
  base_path: Type.String(),
  custody: Nullable(OneOf(KEY_STORAGES)),
  custody_choices: Type.Array(KeyStorageChoiceView),
});
export type State = Static<typeof State>;

export const SetupInput = Type.Object({
  token: Type.String({ maxLength: 200 }),
  email: Address,
  password: Secret,
  timezone: Type.String({ maxLength: 100 }),
  custody: OneOf(KEY_STORAGES),
  passphrase: Type.Optional(Type.String({ maxLength: 4 * LONGEST_PASSWORD })),
  key_file: Type.Optional(Type.String({ maxLength: 4_096 })),
});
export type SetupInput = Static<typeof SetupInput>;
export const SetupReply = Type.Object({ recovery_key: Type.String(), next_start: Nullable(Type.String()) });

export const SignInInput = Type.Object({
  email: Type.String({ maxLength: 320 }),
  password: Secret,
  totp: Type.Optional(Type.String({ maxLength: 40 })),
});
export type SignInInput = Static<typeof SignInInput>;

export const InvitationInput = Type.Object({
  token: Type.String({ maxLength: 200 }),
  password: Secret,
  timezone: Type.Optional(Type.String({ maxLength: 100 })),
});
export type InvitationInput = Static<typeof InvitationInput>;
export const InvitationReply = Type.Object({ signed_in: Type.Boolean() });

export const PasswordInput = Type.Object({ current: Type.Optional(Secret), new: Secret });
export const OwnPassword = Type.Object({ password: Type.Optional(Secret) });
export const MePatch = Type.Object({ timezone: Type.String({ maxLength: 100 }) });

/** The methods with which a person can re-authenticate. */
export const ReauthenticationMethods = Type.Object({
  password: Type.Boolean(),
  passkey: Type.Boolean(),
  oidc: Nullable(Type.Object({ name: Type.String() })),
  /** Whether the proxy vouches for the person, so that nothing has to be typed. */
  proxy: Type.Boolean(),
});

export const TotpState = Type.Object({ on: Type.Boolean(), backup_codes_left: Type.Integer() });
export const TotpStart = Type.Object({ secret: Type.String(), uri: Type.String(), qr_svg: Type.String() });
export const TotpCode = Type.Object({ code: Type.String({ maxLength: 40 }) });
export const BackupCodes = Type.Object({ backup_codes: Type.Array(Type.String()) });

export const SessionRow = Type.Object({
  id: Type.String(),
  device: Type.String(),
  method: Type.String(),
  address: Type.String(),
  created_at: Timestamp(),
  last_used_at: Timestamp(),
  current: Type.Boolean(),
});
export const PasskeyRow = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Timestamp(),
  last_used_at: Nullable(Timestamp()),
});
export const dataOf = <T extends TSchema>(row: T) => Type.Object({ data: Type.Array(row) });

/** JSON of the WebAuthn standard. The WebAuthn library validates it. */
export const webauthnJson = <T>() => Type.Unsafe<T>(Type.Record(Type.String(), Type.Unknown()));

/** Returns a person as the settings page shows them. */
export function viewPerson({ id, email, role, timezone }: User): Static<typeof Person> {
  return { id, email, role: role === "owner" ? "owner" : "member", timezone };
}

/** Returns a session as the settings page shows it. @param currentId the session of the request */
export function viewSession(session: Session, currentId: string | null): Static<typeof SessionRow> {
  const { id, method, address, user_agent } = session;
  return {
    id,
    device: deviceName(user_agent),
    method,
    address,
    created_at: isoTime(session.created_at),
    last_used_at: isoTime(session.last_used_at),
    current: id === currentId,
  };
}

/** Returns a passkey as the settings page shows it. */
export function viewPasskey({ id, name, created_at, last_used_at }: Passkey): Static<typeof PasskeyRow> {
  return {
    id,
    name,
    created_at: isoTime(created_at),
    last_used_at: last_used_at === null ? null : isoTime(last_used_at),
  };
}
