import { type Static, Type } from "@sinclair/typebox";
import { Name, Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { PRESET_NAMES } from "../../kernel/key-presets.ts";
import { SCOPES } from "../../kernel/scopes.ts";

export const ScopeGroupView = Type.Object(
  {
    name: Type.String(),
    title: Type.String(),
    description: Type.String(),
    scopes: Type.Array(OneOf(SCOPES)),
    danger: Type.Boolean({ description: "A program with this scope acts on your behalf without asking you." }),
    available: Type.Boolean({ description: "The plan allows every scope of this group." }),
  },
  { $id: "ScopeGroup" },
);
export const KeyPresetView = Type.Object(
  {
    name: OneOf(PRESET_NAMES),
    title: Type.String(),
    can: Type.String({ description: "What a program with the key can do." }),
    cannot: Type.String(),
    scopes: Type.Array(OneOf(SCOPES), { description: "Without the scopes that the plan does not allow." }),
    tools_only: Type.Boolean(),
    danger: Type.Boolean({ description: "A program with this key acts on your behalf without asking you." }),
    available: Type.Boolean({ description: "The plan allows keys of this kind." }),
  },
  { $id: "KeyPreset" },
);
export const ScopeGroups = Type.Object(
  { data: Type.Array(ScopeGroupView), presets: Type.Array(KeyPresetView) },
  { $id: "ScopeGroups" },
);

const KEY_STATES = ["active", "expired", "revoked"] as const;

const fields = {
  id: Type.String(),
  name: Type.String(),
  hint: Type.String({ description: "The prefix and the first characters." }),
  scopes: Type.Array(OneOf(SCOPES)),
  test: Type.Boolean(),
  account_id: Nullable(Type.String()),
  ip_allow: Type.Array(Type.String()),
  tools_only: Type.Boolean({ description: "The key works with the tool server only, not with the API." }),
  state: OneOf(KEY_STATES),
  created_at: Timestamp(),
  expires_at: Nullable(Timestamp()),
  revoked_at: Nullable(Timestamp()),
  last_used_at: Nullable(Timestamp()),
};
export const KeyView = Type.Object(fields, { $id: "ApiKey" });
export type KeyView = Static<typeof KeyView>;
export const KeyList = Type.Object({ data: Type.Array(KeyView) }, { $id: "ApiKeyList" });

/** The only response that contains a key. */
export const KeyCreated = Type.Object({ ...fields, secret: Type.String() }, { $id: "ApiKeyCreated" });

const MAX_DAYS = 3_650;
const givenKey = {
  name: Name(100),
  scopes: Type.Array(OneOf(SCOPES), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true }),
  test: Type.Boolean({ default: false, description: "The key sees the sandbox only." }),
  expires_in_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: MAX_DAYS }))),
  ip_allow: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 50 }), {
      maxItems: 50,
      description: "Addresses or networks (CIDR) that may use the key; empty: all.",
    }),
  ),
  tools_only: Type.Boolean({
    default: false,
    description: "The key works with the tool server only, where the sending rules apply. The API refuses it.",
  }),
};
export const NewKeyBody = Type.Object(
  { ...givenKey, account_id: Type.Optional(Nullable(Type.String({ description: "Bind the key to this mailbox." }))) },
  { $id: "NewApiKey" },
);
export type NewKeyBody = Static<typeof NewKeyBody>;

export const NewTeamKeyBody = Type.Object(givenKey, { $id: "NewTeamKey" });
export type NewTeamKeyBody = Static<typeof NewTeamKeyBody>;
