import { type Static, Type } from "@sinclair/typebox";
import { Nullable, OneOf, Timestamp } from "../../http/schema.ts";
import { PLANS } from "../../kernel/plans.ts";
import { TOOL_SCOPES } from "../../kernel/scopes.ts";

const client = {
  name: Type.String({ description: "As the client describes itself." }),
  uri: Nullable(Type.String({ description: "Web page of the client, as it describes itself." })),
  redirect_host: Type.String({
    description:
      "Host to which the browser returns. `localhost` is a program on the same computer, and a name with a colon at the end is the scheme of one.",
  }),
  verified: Type.Boolean({ description: "The description was fetched from the address that identifies the client." }),
};

export const ConnectionView = Type.Object(
  {
    id: Type.String(),
    ...client,
    scopes: Type.Array(OneOf(TOOL_SCOPES)),
    sandbox: Type.Boolean({ description: "The assistant sees the sample mailbox only." }),
    account_id: Nullable(Type.String()),
    created_at: Timestamp(),
    revoked_at: Nullable(Timestamp()),
    last_used_at: Nullable(Timestamp()),
  },
  { $id: "AssistantConnection" },
);
export type ConnectionView = Static<typeof ConnectionView>;
export const ConnectionList = Type.Object({ data: Type.Array(ConnectionView) }, { $id: "AssistantConnectionList" });

export const ConsentView = Type.Object(
  {
    ...client,
    client_id: Type.String(),
    redirect_uri: Type.String(),
    permissions: Type.Array(
      Type.Object({
        name: Type.String(),
        title: Type.String(),
        description: Type.String(),
        scopes: Type.Array(OneOf(TOOL_SCOPES), { description: "The scopes of this group that the client asks for." }),
        danger: Type.Boolean({ description: "The assistant acts on your behalf." }),
        suggested: Type.Boolean({ description: "Granted already, or only reads." }),
      }),
    ),
    mailboxes: Type.Array(Type.Object({ id: Type.String(), email: Type.String() })),
    connection: Nullable(ConnectionView),
    refusal: Nullable(Type.Object({ code: OneOf(["plan_required"]), message: Type.String(), plan: OneOf(PLANS) })),
    expires_at: Timestamp(),
  },
  { $id: "AssistantConsent" },
);
export type ConsentView = Static<typeof ConsentView>;

export const ConsentBody = Type.Object(
  {
    scopes: Type.Array(OneOf(TOOL_SCOPES), { minItems: 1, maxItems: TOOL_SCOPES.length, uniqueItems: true }),
    account_id: Type.Optional(Nullable(Type.String({ description: "Only this mailbox; null or absent: all." }))),
    sandbox: Type.Boolean({ default: false, description: "The assistant sees the sample mailbox only." }),
    confirm: Type.Optional(
      OneOf(["ask", "approve"], {
        description:
          "How sends are confirmed. `ask`: in the assistant's program if it can ask. `approve`: always on the settings " +
          "page. Absent: as before, or `ask`.",
      }),
    ),
  },
  { $id: "AssistantConsentGiven" },
);
export type ConsentBody = Static<typeof ConsentBody>;

export const ConsentDone = Type.Object(
  { redirect_to: Type.String({ description: "Address to which the page must send the browser." }) },
  { $id: "AssistantConsentDone" },
);

export const AssistantSettings = Type.Object(
  {
    enabled: Type.Boolean(),
    from: Nullable(OneOf(["configuration", "settings"], { description: "Where it was turned on." })),
    url: Type.String({ description: "Address of the tool server." }),
  },
  { $id: "AssistantSettings" },
);
export const AssistantSettingsPatch = Type.Object({ enabled: Type.Boolean() }, { $id: "AssistantSettingsPatch" });
